/* A handle's answers and errors, through the public header. */
#include "core/program/materials.h"
#include "probe/list_moves.h"
#include "probe/program_handle.h"
#include "tests/support/synthetic_fixture.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(probe, .init = create_synthetic_set, .fini = drop_synthetic_set);

/* Fails if colours, rotated boards, king runs, captures or the 2K v 1K clock are read wrongly. */
Test(probe, answers_what_the_tables_hold)
{
    einspul *handle = open_synthetic((size_t)16 << 20);
    expect_answers(handle, 20000, true);
    einspul_close(handle);
    handle = open_synthetic((size_t)16 << 20);
    expect_answers(handle, 20000, true);
    einspul_close(handle);
}

/* Fails if another board or other captures are probed as Frisian ones. */
Test(probe, answers_under_all_rules)
{
    for (const char *const *name = einspul_rules_list(); *name != NULL; name++) {
        synthetic_set_free(&synthetic);
        synthetic_set_create(&synthetic, *name, EINSPUL_BINARY_DIR "/probe-XXXXXX", 9);
        einspul *handle = open_synthetic((size_t)16 << 20);
        expect_answers(handle, 20000, true);
        einspul_close(handle);
    }
}

/* Fails if a small cache changes answers. */
Test(probe, cache_size_does_not_change_answers)
{
    static const size_t budgets[] = {0, 1, 40000, 200000, 1000000};
    for (size_t i = 0; i < sizeof budgets / sizeof budgets[0]; i++) {
        einspul *handle = open_synthetic(budgets[i]);
        struct probe_counters counters;
        expect_answers(handle, 3000, true);
        probe_count(handle, &counters);
        cr_assert_leq(counters.cached_bytes, budgets[i]);
        cr_assert_gt(counters.misses, 0);
        cr_assert_gt(counters.decoded_blocks, 0);
        einspul_close(handle);
    }
}

/* Fails if, without .dtw files, a position under the 2K v 1K clock has no answer or a wrong one. */
Test(probe, wdl_files_are_enough_for_outcomes)
{
    for (int i = 0; i < synthetic.n_materials; i++) {
        char path[1024];
        synthetic_set_path(&synthetic, &synthetic.materials[i], EINSPUL_DTW, path);
        cr_assert_eq(unlink(path), 0);
    }
    einspul *handle = open_synthetic((size_t)16 << 20);
    expect_answers(handle, 20000, false);

    einspul_position position = position_of(handle, "W:WK1,K2:BK45:H3:F1");
    einspul_outcome outcome = EINSPUL_DRAW;
    einspul_error error = {0};
    int plies = 0;
    cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, &plies, &error), EINSPUL_OK);
    position = position_of(handle, "W:WK3,27:BK48");
    cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, &plies, &error), EINSPUL_NO_METRIC);
    cr_assert_not_null(strstr(error.text, "KMvK"), "%s", error.text);
    einspul_close(handle);
}

/* Fails if a folder with only .dtw files gives no outcomes. */
Test(probe, dtw_files_serve_outcomes)
{
    for (int i = 0; i < synthetic.n_materials; i++) {
        char path[1024];
        synthetic_set_path(&synthetic, &synthetic.materials[i], EINSPUL_WDL, path);
        cr_assert_eq(unlink(path), 0);
    }
    einspul *handle = open_synthetic((size_t)16 << 20);
    expect_answers(handle, 5000, true);
    einspul_close(handle);
}

/* Fails if a missing value is guessed, or the missing table is not named. */
Test(probe, names_the_missing_table)
{
    einspul_outcome outcome = EINSPUL_DRAW;
    einspul_error error = {0};
    remove_table("KKvM", EINSPUL_WDL);
    remove_table("KKvM", EINSPUL_DTW);
    einspul *handle = open_synthetic((size_t)1 << 20);
    einspul_position position = position_of(handle, "B:W13:BK5,K45");
    cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, NULL, &error), EINSPUL_NO_TABLE);
    cr_assert_eq(error.status, EINSPUL_NO_TABLE);
    cr_assert_not_null(strstr(error.text, "KKvM"), "%s", error.text);
    position = position_of(handle, "W:W31-38:B1-8");
    cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, NULL, &error), EINSPUL_NO_TABLE);
    cr_assert_not_null(strstr(error.text, "16 pieces"), "%s", error.text);
    cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, NULL, NULL), EINSPUL_NO_TABLE);
    einspul_close(handle);
}

/* Fails if an impossible position gets an answer. */
Test(probe, refuses_bad_positions)
{
    einspul *handle = open_synthetic((size_t)1 << 20);
    const einspul_position good = position_of(handle, "W:WK28,31:BK5:H0:F1:+0+228");
    einspul_position bad[7];
    einspul_outcome outcome = EINSPUL_DRAW;
    einspul_error error = {0};
    for (int i = 0; i < 7; i++)
        bad[i] = good;
    bad[0].kings[1] |= (uint64_t)1 << 50; /* off the board */
    bad[1].men[1] = good.men[0];          /* used twice */
    bad[2].kings[1] = 0;                  /* no pieces */
    bad[3].men[0] |= 1;                   /* on its promotion row */
    bad[4].run_square[0] = 0;             /* a run nowhere */
    bad[5].run_count[0] = 4;
    bad[6].clock = 1;
    cr_assert_eq(einspul_probe(handle, &good, 0, &outcome, NULL, &error), EINSPUL_OK);
    for (int i = 0; i < 7; i++) {
        error.text[0] = '\0';
        cr_assert_eq(einspul_probe(handle, &bad[i], 0, &outcome, NULL, &error),
                     EINSPUL_BAD_POSITION, "%d", i);
        cr_assert_str_not_empty(error.text);
    }
    cr_assert_eq(einspul_fen_read(probe_rules(handle)->name, "W:W51:B1", &bad[0], &error),
                 EINSPUL_BAD_FEN);
    einspul_close(handle);
}

/* Fails if a cache-only probe reads from disk. */
Test(probe, cache_only_does_not_read)
{
    einspul *handle = open_synthetic((size_t)1 << 20);
    const einspul_position position = position_of(handle, "W:WK1,32:BK45");
    einspul_outcome outcome = EINSPUL_DRAW;
    einspul_error error = {0};
    struct probe_counters counters;
    cr_assert_eq(einspul_probe(handle, &position, EINSPUL_CACHE_ONLY, &outcome, NULL, &error),
                 EINSPUL_NOT_CACHED);
    probe_count(handle, &counters);
    cr_assert(counters.hits == 0 && counters.misses == 1 && counters.decoded_blocks == 0);
    cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, NULL, &error), EINSPUL_OK);
    cr_assert_eq(einspul_probe(handle, &position, EINSPUL_CACHE_ONLY, &outcome, NULL, &error),
                 EINSPUL_OK);
    probe_count(handle, &counters);
    cr_assert(counters.hits == 1 && counters.misses == 2 && counters.decoded_blocks == 1);
    cr_assert_gt(counters.cached_bytes, 0);
    einspul_close(handle);
}

static int men_ahead(const einspul_position *position, int side)
{
    return bits_count(position->men[side]) - bits_count(position->men[!side]) +
           3 * (bits_count(position->kings[side]) - bits_count(position->kings[!side]));
}

/* Recomputes the order of drawn moves: material after the best reply, then the share of mistakes.
 * */
static void weigh(einspul *handle, const einspul_position *after, int *balance, double *mistakes)
{
    struct probed_move replies[64];
    size_t n = 0;
    int n_mistakes = 0;
    cr_assert_eq(all_moves("frisian", after, replies, 64, &n, NULL), EINSPUL_OK);
    *balance = n > 0 ? 1000 : men_ahead(after, !after->side); /* drawn by the limit before */
    for (size_t i = 0; i < n; i++) {
        einspul_outcome outcome = EINSPUL_DRAW;
        const int now = men_ahead(&replies[i].after, !after->side);
        *balance = now < *balance ? now : *balance;
        cr_assert_eq(einspul_probe(handle, &replies[i].after, 0, &outcome, NULL, NULL), EINSPUL_OK);
        n_mistakes += outcome == EINSPUL_WIN;
    }
    *mistakes = n > 0 ? (double)n_mistakes / (double)n : 0;
}

/* Fails if the first drawn move loses material, or another leaves the opponent more ways to err. */
Test(probe, orders_drawn_moves_by_replies)
{
    einspul *handle = open_synthetic((size_t)16 << 20);
    uint64_t seed = 24;
    int n_told = 0;
    for (int i = 0; i < 1000; i++) {
        const struct state state = synthetic_set_random_state(&synthetic, &seed);
        einspul_position position;
        struct probed_move moves[64];
        struct probed_move first;
        size_t n = 0;
        int before = 1000;
        double before_mistakes = 1;
        probe_position_from_state(&state, &position);
        cr_assert_eq(probe_moves(handle, &position, moves, 64, &n, NULL), EINSPUL_OK);
        for (size_t m = 0; m < n; m++) {
            int balance = 0;
            double mistakes = 0;
            if (moves[m].outcome != EINSPUL_DRAW)
                continue;
            weigh(handle, &moves[m].after, &balance, &mistakes);
            cr_assert(balance < before || (balance == before && mistakes <= before_mistakes));
            n_told += before < 1000 && (balance < before || mistakes < before_mistakes);
            before = balance;
            before_mistakes = mistakes;
        }
        cr_assert_eq(probe_moves(handle, &position, &first, 1, &n, NULL), EINSPUL_OK);
        if (n > 0)
            cr_assert_str_eq(first.text, moves[0].text);
    }
    cr_assert_gt(n_told, 100);
    einspul_close(handle);
}

/* Fails if moves are missing, in the wrong order, or valued for the wrong side. */
Test(probe, ranks_all_moves)
{
    einspul *handle = open_synthetic((size_t)16 << 20);
    uint64_t seed = 23;
    struct move_list list;
    move_list_init(&list);
    for (int i = 0; i < 500; i++) {
        const struct state state = synthetic_set_random_state(&synthetic, &seed);
        const value_t expected = synthetic_set_value(&synthetic, &state, false);
        einspul_position position;
        struct probed_move moves[64];
        einspul_error error = {0};
        size_t n_moves = 0;
        char fen[FEN_SIZE];
        fen_write(&synthetic.rules, &state, fen);
        probe_position_from_state(&state, &position);
        cr_assert_eq(moves_generate(&synthetic.rules, &state, &list), EINSPUL_OK);
        /* Simple moves need the tables of promotions: with three pieces all exist. */
        cr_assert_eq(probe_moves(handle, &position, moves, 64, &n_moves, &error), EINSPUL_OK,
                     "%s: %s", fen, error.text);
        cr_assert_eq((int)n_moves, list.n_moves, "%s", fen);
        for (size_t m = 0; m < n_moves; m++) {
            if (m > 0 && moves[m - 1].outcome == moves[m].outcome)
                cr_assert(moves[m].outcome == EINSPUL_LOSS ? moves[m - 1].plies >= moves[m].plies
                                                           : moves[m - 1].plies <= moves[m].plies);
            cr_assert(m == 0 || moves[m - 1].outcome >= moves[m].outcome);
        }
        /* Captures are not stored, so there the best move is the value by definition. */
        if (n_moves > 0 && list.moves[0].captured != 0) {
            cr_assert_eq((int)moves[0].outcome, (int)value_outcome(expected), "%s", fen);
            cr_assert_eq(moves[0].plies, value_plies(expected), "%s", fen);
        }
        struct probed_move few[1];
        size_t n_all = 0;
        cr_assert_eq(probe_moves(handle, &position, few, 1, &n_all, &error), EINSPUL_OK);
        cr_assert_eq(n_all, n_moves);
        if (n_moves > 0)
            cr_assert_str_eq(few[0].text, moves[0].text);
    }
    move_list_free(&list);
    einspul_close(handle);
}

/* Fails if the list differs from the folder. */
Test(probe, list_matches_folder)
{
    einspul_table_info tables[32];
    char junk[1024];
    snprintf(junk, sizeof junk, "%s/frisian/.KMvKM.wdl.tmp", synthetic.root);
    FILE *file = fopen(junk, "w");
    cr_assert_not_null(file);
    fclose(file);
    remove_table("KKvK", EINSPUL_DTW);
    einspul *handle = open_synthetic(0);
    cr_assert_eq(einspul_list(handle, tables, 32), (size_t)synthetic.n_materials);
    cr_assert_eq(einspul_list(handle, NULL, 0), (size_t)synthetic.n_materials);
    for (int i = 0; i < synthetic.n_materials; i++) {
        char name[MATERIAL_NAME_SIZE];
        struct stat info;
        char path[1024];
        material_write(&synthetic.materials[i], name);
        synthetic_set_path(&synthetic, &synthetic.materials[i], EINSPUL_WDL, path);
        cr_assert_eq(stat(path, &info), 0);
        cr_assert_str_eq(tables[i].material, name);
        cr_assert_eq(tables[i].pieces, material_pieces(&synthetic.materials[i]));
        cr_assert_eq(tables[i].has_wdl, 1);
        cr_assert_eq(tables[i].wdl_bytes, (uint64_t)info.st_size);
        cr_assert_eq(tables[i].has_dtw, strcmp(name, "KKvK") == 0 ? 0 : 1);
    }
    cr_assert_str_eq(probe_rules(handle)->name, "frisian");
    einspul_close(handle);
}

static einspul_status open_paths(const char *paths, const char *rules, einspul_error *error)
{
    einspul *handle = NULL;
    const einspul_status status = einspul_open(paths, rules, 0, NULL, &handle, error);
    cr_assert_eq(handle != NULL, status == EINSPUL_OK);
    einspul_close(handle);
    return status;
}

/* Fails if a wrong folder or rule set passes for an empty one. */
Test(probe, refuses_unusable_folders)
{
    char missing[600];
    einspul_error error = {0};
    snprintf(missing, sizeof missing, "%s/none", synthetic.root);

    cr_assert_eq(open_paths(NULL, "frisian", &error), EINSPUL_BAD_ARGUMENT);
    cr_assert_eq(open_paths("", "frisian", &error), EINSPUL_NO_FOLDER);
    cr_assert_eq(open_paths("::", "frisian", &error), EINSPUL_NO_FOLDER);
    cr_assert_eq(open_paths(synthetic.root, "klingon", &error), EINSPUL_BAD_RULES);
    cr_assert_eq(open_paths(synthetic.root, "english", &error), EINSPUL_NO_FOLDER);
    cr_assert_not_null(strstr(error.text, "english"), "%s", error.text);
    cr_assert_eq(open_paths(missing, "frisian", &error), EINSPUL_NO_FOLDER);
    cr_assert_not_null(strstr(error.text, missing), "%s", error.text);
}

/* Fails if opened tables are lost, and reported as missing, after a change of directory. */
Test(probe, survives_a_change_of_directory)
{
    const char *name = strrchr(synthetic.root, '/') + 1;
    einspul *handle = NULL;
    einspul_error error = {0};
    char parent[1024];
    snprintf(parent, sizeof parent, "%.*s", (int)(name - synthetic.root), synthetic.root);
    cr_assert_eq(chdir(parent), 0);
    cr_assert_eq(einspul_open(name, NULL, 0, NULL, &handle, &error), EINSPUL_OK, "%s", error.text);
    cr_assert_eq(chdir("/"), 0);
    expect_answers(handle, 1000, true);
    einspul_close(handle);
}

/* Fails if outcome and status disagree, or an unknown value passes for a draw. */
Test(probe, the_value_or_unknown)
{
    einspul *handle = open_synthetic(100000);
    uint64_t seed = 8;
    for (int i = 0; i < 3000; i++) {
        const struct state state = synthetic_set_random_state(&synthetic, &seed);
        const value_t expected = synthetic_set_value(&synthetic, &state, false);
        einspul_position position;
        einspul_outcome outcome = EINSPUL_UNKNOWN;
        einspul_outcome many = EINSPUL_UNKNOWN;
        einspul_status status = EINSPUL_NO_TABLE;
        int plies = 7;
        int plies_of_many = 7;
        probe_position_from_state(&state, &position);
        cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, NULL, NULL), EINSPUL_OK);
        cr_assert_eq(outcome, value_outcome(expected));
        outcome = EINSPUL_UNKNOWN;
        cr_assert_eq(einspul_probe(handle, &position, 0, &outcome, &plies, NULL), EINSPUL_OK);
        cr_assert_eq(outcome, value_outcome(expected));
        cr_assert_eq(plies, value_plies(expected));
        cr_assert_eq(einspul_probe_many(handle, &position, 1, 0, &many, &plies_of_many, &status),
                     1);
        cr_assert_eq(status, EINSPUL_OK);
        cr_assert(many == value_outcome(expected) && plies_of_many == plies);
    }
    einspul_close(handle);
}

/* A position of KMvK that is drawn, or decided with a distance that only this table has. */
static einspul_position find_position(einspul *handle, bool is_drawn)
{
    for (int square = 1; square <= 50; square++) {
        einspul_position position = position_of(handle, "W:WK1,32:BK45");
        einspul_outcome outcome = EINSPUL_UNKNOWN;
        int plies = 0;
        position.kings[EINSPUL_BLACK] = (uint64_t)1 << (square - 1);
        einspul_probe(handle, &position, 0, &outcome, &plies, NULL);
        if (outcome != EINSPUL_UNKNOWN && (outcome == EINSPUL_DRAW) == is_drawn && plies < 0)
            return position;
    }
    cr_assert_fail("no such position");
    return position_of(handle, "W:WK1,32:BK45");
}

/* Fails if the status does not give the reason for an unknown value, a distance is in no table, or
 * an outcome is lost because its distance is missing. */
Test(probe, why_a_value_is_unknown)
{
    static const einspul_status expected[3] = {EINSPUL_NO_TABLE, EINSPUL_NO_METRIC, EINSPUL_OK};
    static const char *const texts[3] = {"no table for MvM (frisian)",
                                         "no distances for KMvK (frisian)"};
    remove_table("MvM", EINSPUL_WDL);
    remove_table("MvM", EINSPUL_DTW);
    remove_table("KMvK", EINSPUL_DTW);
    einspul *handle = open_synthetic(100000);
    const einspul_position positions[3] = {position_of(handle, "W:W32:B17"),
                                           find_position(handle, false),
                                           find_position(handle, true)};
    einspul_outcome many[3];
    einspul_status statuses[3];
    int plies_of_many[3] = {7, 7, 7};
    cr_assert_eq(einspul_probe_many(handle, positions, 3, 0, many, plies_of_many, statuses), 1);
    for (int i = 0; i < 3; i++) {
        einspul_error error = {0};
        einspul_outcome outcome = EINSPUL_LOSS;
        einspul_outcome alone = EINSPUL_LOSS;
        int plies = 7;
        cr_assert_eq(einspul_probe(handle, &positions[i], 0, &outcome, &plies, &error), expected[i],
                     "%d: %s", i, error.text);
        if (texts[i] != NULL)
            cr_assert_str_eq(error.text, texts[i]);
        cr_assert_eq(einspul_probe(handle, &positions[i], 0, &alone, NULL, NULL),
                     i == 0 ? EINSPUL_NO_TABLE : EINSPUL_OK);
        cr_assert(outcome == alone && (outcome == EINSPUL_UNKNOWN) == (i == 0) && plies == -1);
        cr_assert(many[i] == outcome && plies_of_many[i] == -1 && statuses[i] == expected[i]);
    }
    einspul_close(handle);
}

/* Fails if an unknown flag, as of a newer library, is ignored. */
Test(probe, unknown_flags_are_refused)
{
    einspul *handle = open_synthetic(100000);
    const einspul_position position = position_of(handle, "W:WK1,32:BK45");
    einspul_error error = {0};
    einspul_outcome outcome = EINSPUL_DRAW;
    einspul_status status = EINSPUL_OK;
    cr_assert_eq(einspul_probe(handle, &position, 8, &outcome, NULL, &error), EINSPUL_BAD_ARGUMENT);
    cr_assert_eq(outcome, EINSPUL_UNKNOWN);
    cr_assert_not_null(strstr(error.text, "0x8"), "%s", error.text);
    outcome = EINSPUL_DRAW;
    cr_assert_eq(einspul_probe_many(handle, &position, 1, 4, &outcome, NULL, &status), 0);
    cr_assert(outcome == EINSPUL_UNKNOWN && status == EINSPUL_BAD_ARGUMENT);
    einspul_close(handle);
}

/* Fails if a damaged .wdl file hides the .dtw file beside it. */
Test(probe, a_damaged_file_does_not_hide_a_sound_one)
{
    damage_table("KMvK", EINSPUL_WDL, 100);
    einspul *handle = open_synthetic(100000);
    expect_answers(handle, 3000, true);
    cr_assert_eq(einspul_complete(handle, EINSPUL_WDL), 3);
    einspul_close(handle);
}
