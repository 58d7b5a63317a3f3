/* Statistics of whole tables, against other programs and against probing every state. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/program/flip.h"
#include "core/program/index.h"
#include "core/program/materials.h"
#include "gen/material/stats.h"
#include "probe/program_handle.h"
#include "table/bytes.h"
#include "tests/support/handle.h"
#include "tests/support/tables.h"

TestSuite(stats, .init = make_folder, .fini = drop_folder);

enum { N_THREADS = 2, N_TOP = 7 };

static struct stats_session *begin(einspul *handle, int most_pieces, int n_threads)
{
    struct stats_session *session = NULL;
    einspul_error error = {0};
    cr_assert_eq(stats_begin(handle, most_pieces, n_threads, N_TOP, &session, &error), EINSPUL_OK,
                 "%s", error.text);
    return session;
}

/* Compares the lines of data/counts.tsv for one rule set; returns how many there were. */
static int compare_counts(const char *rules_name, einspul *handle)
{
    FILE *file = fopen(EINSPUL_SOURCE_DIR "/data/counts.tsv", "r");
    struct stats_session *sessions[N_THREADS];
    char line[512];
    int n_lines = 0;

    cr_assert_not_null(file);
    for (int i = 0; i < N_THREADS; i++)
        sessions[i] = begin(handle, 3, 1 + i);
    while (fgets(line, sizeof line, file) != NULL) {
        char rules[32];
        char name[MATERIAL_NAME_SIZE];
        char side[8];
        char states[8];
        char max_win[8];
        unsigned long long wins, draws, losses;
        struct stats stats;
        einspul_error error = {0};
        if (line[0] == '#')
            continue;
        cr_assert_eq(sscanf(line, "%31s %11s %7s %7s %llu %llu %llu %7s", rules, name, side, states,
                            &wins, &draws, &losses, max_win),
                     8, "%s", line);
        if (strcmp(rules, rules_name) != 0)
            continue;

        struct material material = material_named(name);
        const bool flipped = !material_is_canonical(&material);
        if (flipped)
            material = material_flip(&material);
        cr_assert_eq(
            stats_table(sessions[n_lines % N_THREADS], &material, EINSPUL_DTW, &stats, &error),
            EINSPUL_OK, "%s", error.text);
        const enum side named = strcmp(side, "white") == 0 ? WHITE : BLACK;
        const enum side which = flipped ? side_other(named) : named;
        const struct stats_counts *counts = strcmp(states, "fresh") == 0 ? &stats.fresh[which]
                                            : strcmp(states, "all") == 0 ? &stats.all[which]
                                                                         : &stats.raw[which];
        cr_assert(counts->wins == wins && counts->draws == draws && counts->losses == losses,
                  "%s: %llu/%llu/%llu", line, (unsigned long long)counts->wins,
                  (unsigned long long)counts->draws, (unsigned long long)counts->losses);
        if (max_win[0] != '?')
            cr_assert_eq(counts->max_win, atoi(max_win), "%s: %d", line, counts->max_win);
        if (counts->max_win > 0 && counts != &stats.raw[which]) {
            value_t value = VALUE_NONE;
            cr_assert_eq(probe_state(handle, &counts->longest_win, EINSPUL_DTW, 0, &value, &error),
                         EINSPUL_OK, "%s", error.text);
            cr_assert_eq(value_plies(value), counts->max_win, "%s", line);
        }
        n_lines++;
    }
    for (int i = 0; i < N_THREADS; i++)
        stats_end(sessions[i]);
    fclose(file);
    return n_lines;
}

/* Fails if tables have wrong values, or counts are wrong. */
static void expect_counts(const char *rules_name, int n_lines)
{
    const struct rules rules = rules_named(rules_name);
    generate(&rules, 3, NULL, METRICS_BOTH);
    einspul *handle = open_default(folder, rules_name);
    cr_assert_eq(compare_counts(rules_name, handle), n_lines, "lines of data/counts.tsv");
    einspul_close(handle);
}

Test(stats, counts_of_other_programs)
{
    expect_counts("frisian", 24);
}

Test(stats, counts_of_other_programs_without_the_two_rules)
{
    expect_counts("frisian-free", 4);
}

/* --- counted state by state ------------------------------------------------------------------- */

static void count_value(struct stats_counts *counts, const struct state *state, value_t value,
                        bool distances)
{
    const int plies = value_plies(value);
    counts->n_by_value[value]++;
    counts->wins += value > VALUE_DRAW;
    counts->draws += value == VALUE_DRAW;
    counts->losses += value < VALUE_DRAW;
    if (distances && value > VALUE_DRAW && plies > counts->max_win) {
        counts->max_win = plies;
        counts->longest_win = *state;
    }
    if (distances && value < VALUE_DRAW && plies > counts->max_loss)
        counts->max_loss = plies;
}

/* Counts one side to move by probing every state: with kind ALL in every rule state. */
static struct stats_counts count_probes(einspul *handle, const struct shape *shape, enum side side,
                                        einspul_metric metric, enum count_kind kind)
{
    const int n_rule_states = kind == ALL ? shape->n_rule_states : 1;
    struct stats_counts counts = {.max_win = -1, .max_loss = -1};
    einspul_error error = {0};

    for (uint64_t index = 0; index < shape->n_placements; index++) {
        struct state state = {0};
        if (!shape_unrank(shape, index, side, &state.at))
            continue;
        for (int rule_state = 0; rule_state < n_rule_states; rule_state++) {
            value_t value = VALUE_NONE;
            for (int s = WHITE; s <= BLACK; s++)
                state.run[s] =
                    run_from_index(state.at.kings[s], shape_run(shape, (enum side)s, rule_state));
            const einspul_status status =
                kind == RAW ? probe_raw(handle, &state, &value, &error)
                            : probe_state(handle, &state, metric, 0, &value, &error);
            cr_assert_eq(status, EINSPUL_OK, "%s", error.text);
            count_value(&counts, &state, value, metric == EINSPUL_DTW);
        }
    }
    return counts;
}

static void assert_same_counts(const struct rules *rules, const char *label,
                               const struct stats_counts *counts,
                               const struct stats_counts *expected)
{
    char fen[FEN_SIZE] = "-";
    char expected_fen[FEN_SIZE] = "-";
    cr_assert(counts->wins == expected->wins && counts->draws == expected->draws &&
                  counts->losses == expected->losses,
              "%s: %llu/%llu/%llu", label, (unsigned long long)counts->wins,
              (unsigned long long)counts->draws, (unsigned long long)counts->losses);
    cr_assert_arr_eq(counts->n_by_value, expected->n_by_value, sizeof counts->n_by_value, "%s",
                     label);
    cr_assert_eq(counts->max_win, expected->max_win, "%s: %d", label, counts->max_win);
    cr_assert_eq(counts->max_loss, expected->max_loss, "%s: %d", label, counts->max_loss);
    if (counts->max_win > 0) {
        fen_write(rules, &counts->longest_win, fen);
        fen_write(rules, &expected->longest_win, expected_fen);
    }
    cr_assert_str_eq(fen, expected_fen, "%s: %s", label, fen);
}

static bool same_fen(const struct rules *rules, const struct state *a, const struct state *b)
{
    char fens[2][FEN_SIZE];
    fen_write(rules, a, fens[0]);
    fen_write(rules, b, fens[1]);
    return strcmp(fens[0], fens[1]) == 0;
}

/* The listed wins have their lengths, are in order, and no longer one is missing. */
static void check_top(einspul *handle, const char *label, const struct stats *stats, enum side side)
{
    const struct rules *rules = probe_rules(handle);
    const struct stats_counts *counts = &stats->fresh[side];
    const struct stats_top *top = &stats->top[side];
    const uint64_t n_wins = counts->max_win > 0 ? counts->wins : 0;
    uint64_t n_longer = 0;

    cr_assert_eq(top->n, n_wins < N_TOP ? (int)n_wins : N_TOP, "%s: %d wins listed", label, top->n);
    for (int i = 0; i < top->n; i++) {
        value_t value = VALUE_NONE;
        einspul_error error = {0};
        cr_assert_eq(probe_state(handle, &top->win[i].state, EINSPUL_DTW, 0, &value, &error),
                     EINSPUL_OK, "%s", error.text);
        cr_assert_eq(value_plies(value), top->win[i].plies, "%s: win %d", label, i);
        cr_assert_eq(top->win[i].state.at.side, side, "%s: win %d", label, i);
        cr_assert(i == 0 || top->win[i].plies <= top->win[i - 1].plies, "%s: win %d", label, i);
        for (int j = 0; j < i; j++)
            cr_assert(!same_fen(rules, &top->win[i].state, &top->win[j].state),
                      "%s: win %d is win %d", label, i, j);
    }
    for (int value = VALUE_DRAW + 1; top->n > 0 && value <= VALUE_WIN_IN_1; value++)
        if (value_plies((value_t)value) > top->win[top->n - 1].plies)
            n_longer += counts->n_by_value[value];
    cr_assert(n_longer < N_TOP, "%s: a longer win is left out", label);
    cr_assert(top->n == 0 || same_fen(rules, &top->win[0].state, &counts->longest_win), "%s",
              label);
}

/* Compares the counts of a material with those of its probes, side by side. For the side that
 * symmetric material does not store, the longest win is the other side's with colours exchanged. */
static void compare_with_probes(einspul *handle, struct stats_session *session, const char *name,
                                einspul_metric metric)
{
    const struct rules *rules = probe_rules(handle);
    const struct material material = material_named(name);
    const struct table *table = NULL;
    struct stats stats;
    einspul_error error = {0};

    cr_assert_eq(probe_table(handle, &material, metric, &table, &error), EINSPUL_OK, "%s",
                 error.text);
    const struct shape *shape = &table->shape;
    const einspul_metric known = table->header.has_distances ? EINSPUL_DTW : EINSPUL_WDL;
    cr_assert_eq(stats_table(session, &material, metric, &stats, &error), EINSPUL_OK, "%s",
                 error.text);
    cr_assert_eq(stats.limited, material_has_two_kings_limit(rules, &material));
    for (int kind = FRESH; kind <= (stats.limited ? RAW : ALL); kind++) {
        const struct stats_counts *counts = kind == FRESH ? stats.fresh
                                            : kind == ALL ? stats.all
                                                          : stats.raw;
        struct stats_counts expected[2];
        for (int side = WHITE; side <= BLACK; side++) {
            char label[64];
            snprintf(label, sizeof label, "%s, metric %d, kind %d, side %d", name, (int)metric,
                     kind, side);
            expected[side] =
                count_probes(handle, shape, (enum side)side, known, (enum count_kind)kind);
            if (side == BLACK && shape->n_sides == 1 && expected[WHITE].max_win > 0)
                expected[BLACK].longest_win =
                    state_flip(&rules->board, &expected[WHITE].longest_win);
            assert_same_counts(rules, label, &counts[side], &expected[side]);
            if (kind == FRESH)
                check_top(handle, label, &stats, (enum side)side);
        }
    }
}

/* How a material is counted: from its table, on a number of threads; or from memory, because it has
 * fewer pieces than the largest. */
static const struct {
    int more_pieces, n_threads;
} ways[] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}};
enum { N_WAYS = sizeof ways / sizeof ways[0] };

static void assert_same_everywhere(const char *name, uint64_t least_wins)
{
    static struct stats stats[N_WAYS];
    const struct rules rules = rules_named("frisian");
    const struct material material = material_named(name);
    generate(&rules, 0, name, METRICS_DTW);
    einspul *handle = open_default(folder, "frisian");
    for (int i = 0; i < N_WAYS; i++) {
        struct stats_session *session =
            begin(handle, material_pieces(&material) + ways[i].more_pieces, ways[i].n_threads);
        einspul_error error = {0};
        cr_assert_eq(stats_table(session, &material, EINSPUL_DTW, &stats[i], &error), EINSPUL_OK,
                     "%s", error.text);
        stats_end(session);
        for (int side = WHITE; side <= BLACK; side++) {
            const struct stats_top *top = &stats[i].top[side];
            assert_same_counts(&rules, "fresh", &stats[i].fresh[side], &stats[0].fresh[side]);
            assert_same_counts(&rules, "all", &stats[i].all[side], &stats[0].all[side]);
            cr_assert_eq(top->n, stats[0].top[side].n);
            for (int win = 0; win < top->n; win++)
                cr_assert(
                    same_fen(&rules, &top->win[win].state, &stats[0].top[side].win[win].state),
                    "win %d of side %d", win, side);
        }
    }
    cr_assert_eq(stats[0].top[WHITE].n, N_TOP);
    cr_assert_gt(stats[0].all[WHITE].wins, least_wins);
    einspul_close(handle);
}

/* Fails if counts, or the longest win, depend on the number of threads or on larger materials
 * counted in the same run. KKKvK is one frame of fifteen parts, with many wins of the longest
 * distance. */
Test(stats, independent_of_threads_and_batches)
{
    assert_same_everywhere("KKKvK", 500000);
}

/* Many small frames, whose values continue in the blocks of others, and both kinds of run. */
Test(stats, are_the_same_with_men)
{
    assert_same_everywhere("KMvM", 300000);
}

/* Fails if a count silently lacks a block. */
Test(stats, a_damaged_block_is_named)
{
    const struct rules rules = rules_named("frisian");
    const struct material material = material_named("KMvM");
    char path[PATH_SIZE];
    struct stats stats;
    einspul_error error = {0};
    generate(&rules, 0, "KMvM", METRICS_WDL);
    snprintf(path, sizeof path, "%s/frisian/KMvM.wdl", folder);
    FILE *file = fopen(path, "r+b");
    cr_assert_not_null(file);
    uint8_t index[8]; /* its offset, where the blocks end */
    cr_assert(fseek(file, 96, SEEK_SET) == 0 && fread(index, 1, 8, file) == 8);
    cr_assert_eq(fseek(file, (long)load_u64(index) - 40, SEEK_SET), 0);
    cr_assert_eq(fwrite("damaged!", 1, 8, file), 8);
    cr_assert_eq(fclose(file), 0);
    einspul *handle = open_default(folder, "frisian");
    for (int n_threads = 1; n_threads <= N_THREADS; n_threads++) {
        struct stats_session *session = begin(handle, 2 + n_threads, n_threads);
        cr_assert_eq(stats_table(session, &material, EINSPUL_WDL, &stats, &error),
                     EINSPUL_BAD_BLOCK);
        cr_assert_not_null(strstr(error.text, "KMvM.wdl"), "%s", error.text);
        stats_end(session);
    }
    einspul_close(handle);
}

/* Captures come from the seeds in one count and from the prober in the other; fails if they
 * differ. */
Test(stats, counts_are_those_of_the_probes)
{
    const struct rules rules = rules_named("frisian");
    static const char *const names[] = {"KvK", "KvM", "MvM", "KKvK", "KMvK", "KMvM", "MMvK"};
    generate(&rules, 3, NULL, METRICS_BOTH);
    einspul *handle = open_default(folder, "frisian");
    struct stats_session *session = begin(handle, 3, N_THREADS);
    for (int metric = EINSPUL_DTW; metric >= EINSPUL_WDL; metric--)
        for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
            compare_with_probes(handle, session, names[i], (einspul_metric)metric);
    /* Distances again, after outcomes were in memory. */
    compare_with_probes(handle, session, "MMvK", EINSPUL_DTW);
    stats_end(session);
    einspul_close(handle);
}

static void remove_table(const char *file)
{
    char path[PATH_SIZE];
    snprintf(path, sizeof path, "%s/frisian/%s", folder, file);
    cr_assert_eq(remove(path), 0, "%s", path);
}

/* Captures of KMvK lead to KvM with colours exchanged: Black's king captures White's. */
Test(stats, missing_input_is_named)
{
    const struct rules rules = rules_named("frisian");
    const struct material material = material_named("KMvK");
    struct stats stats;
    einspul_error error = {0};
    generate(&rules, 0, "KMvK", METRICS_BOTH);
    remove_table("KvM.dtw");

    einspul *handle = open_default(folder, "frisian");
    struct stats_session *session = begin(handle, 3, N_THREADS);
    cr_assert_eq(stats_table(session, &material, EINSPUL_DTW, &stats, &error), EINSPUL_NO_METRIC);
    cr_assert_not_null(strstr(error.text, "KvM"), "%s", error.text);
    compare_with_probes(handle, session, "KMvK", EINSPUL_WDL);
    stats_end(session);
    einspul_close(handle);

    remove_table("KvM.wdl");
    handle = open_default(folder, "frisian");
    session = begin(handle, 3, N_THREADS);
    cr_assert_eq(stats_table(session, &material, EINSPUL_WDL, &stats, &error), EINSPUL_NO_TABLE);
    cr_assert_not_null(strstr(error.text, "KvM"), "%s", error.text);
    stats_end(session);
    einspul_close(handle);
}

/* Outcomes do not require distances, which only some tables have. */
Test(stats, outcomes_need_only_wdl_or_dtw)
{
    const struct rules rules = rules_named("frisian");
    generate(&rules, 3, NULL, METRICS_BOTH);
    remove_table("KvM.wdl");
    remove_table("MMvK.dtw");
    remove_table("KMvK.dtw");
    einspul *handle = open_default(folder, "frisian");
    struct stats_session *session = begin(handle, 3, N_THREADS);
    compare_with_probes(handle, session, "KMvK", EINSPUL_WDL);
    compare_with_probes(handle, session, "MMvK", EINSPUL_WDL);
    stats_end(session);
    einspul_close(handle);
}

/* Outcomes may come from distances, and those of smaller materials from .wdl files. */
Test(stats, a_side_that_is_omitted_is_counted)
{
    const struct rules rules = rules_named("frisian");
    static const char *const names[] = {"MMvK", "KMvK", "KvM", "KKvM"};
    generate(&rules, 3, NULL, METRICS_BOTH);
    leave_all_out(&rules, folder);
    einspul *handle = open_default(folder, "frisian");
    struct stats_session *session = begin(handle, 3, N_THREADS);
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        compare_with_probes(handle, session, names[i], EINSPUL_DTW);
    compare_with_probes(handle, session, "MMvK", EINSPUL_WDL);
    stats_end(session);
    einspul_close(handle);

    remove_table("KMvK.wdl");
    remove_table("KvM.wdl");
    remove_table("KKvM.wdl");
    handle = open_default(folder, "frisian");
    session = begin(handle, 4, 1);
    compare_with_probes(handle, session, "MMvK", EINSPUL_WDL);
    compare_with_probes(handle, session, "KvM", EINSPUL_WDL);
    compare_with_probes(handle, session, "KMvK", EINSPUL_WDL);
    stats_end(session);
    einspul_close(handle);
}
