/* Queries over whole materials, compared with counts of single positions: pieces are placed in
 * nested loops, and each position is probed through the public library. */
#include "probe/list_moves.h"
#include "study/find.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/support/handle.h"
#include "tests/support/tables.h"

static einspul *frisian, *unlimited;

static void begin(void)
{
    struct rules rules;
    make_folder();
    rules_by_name(&rules, "frisian", NULL);
    generate(&rules, 3, NULL, METRICS_BOTH);
    rules_by_name(&rules, "frisian-free", NULL);
    generate(&rules, 3, NULL, METRICS_DTW);
    frisian = open_default(folder, "frisian");
    unlimited = open_default(folder, "frisian-free");
}

static void end(void)
{
    einspul_close(frisian);
    einspul_close(unlimited);
    drop_folder();
}

TestSuite(find, .init = begin, .fini = end);

/* --- one position at a time ------------------------------------------------------------------- */

/* True if a position counts. */
typedef bool condition(const einspul_position *position);

struct piece {
    int side;
    bool king;
};

static struct piece pieces[8];
static int n_pieces;

static void list_pieces(const char *name)
{
    int side = EINSPUL_WHITE;
    n_pieces = 0;
    for (; *name != '\0'; name++) {
        if (*name == 'v')
            side = EINSPUL_BLACK;
        else
            pieces[n_pieces++ % 8] = (struct piece){side, *name == 'K'};
    }
}

/* Places piece `n` and all after it; of two like pieces the first has the lower square. */
static uint64_t place(int n, int before, einspul_position position, condition *counted)
{
    const bool like = n > 0 && n < n_pieces && n < 8 && pieces[n].side == pieces[n - 1].side &&
                      pieces[n].king == pieces[n - 1].king;
    uint64_t sum = 0;
    if (n >= n_pieces || n >= 8) {
        sum += counted(&position);
        position.side = EINSPUL_BLACK;
        return sum + counted(&position);
    }
    for (int square = like ? before + 1 : 1; square <= 50; square++) {
        const uint64_t bit = (uint64_t)1 << (square - 1);
        const bool promotes = pieces[n].side == EINSPUL_WHITE ? square <= 5 : square >= 46;
        einspul_position next = position;
        if (((next.men[0] | next.men[1] | next.kings[0] | next.kings[1]) & bit) != 0 ||
            (!pieces[n].king && promotes))
            continue;
        *(pieces[n].king ? &next.kings[pieces[n].side] : &next.men[pieces[n].side]) |= bit;
        sum += place(n + 1, square, next, counted);
    }
    return sum;
}

static uint64_t count_plainly(const char *name, condition *counted)
{
    list_pieces(name);
    return place(0, 0, (einspul_position){.side = EINSPUL_WHITE}, counted);
}

static int outcome_in(einspul *handle, const einspul_position *position)
{
    einspul_outcome outcome = EINSPUL_DRAW;
    einspul_error error = {0};
    cr_assert_eq(einspul_probe(handle, position, 0, &outcome, NULL, &error), EINSPUL_OK, "%s",
                 error.text);
    return (int)outcome;
}

static int outcome_of(const einspul_position *position)
{
    return outcome_in(frisian, position);
}

/* The outcome for the side to move if it passed. */
static int outcome_passing(const einspul_position *position)
{
    einspul_position passed = *position;
    passed.side ^= 1;
    return -outcome_of(&passed);
}

/* --- the same by a query ---------------------------------------------------------------------- */

static struct find_query query_for_all(void)
{
    return (struct find_query){.outcomes = FIND_ANY_OUTCOME,
                               .sides = 3,
                               .other_outcomes = FIND_ANY_OUTCOME,
                               .n_threads = 2};
}

static struct find_result find_in(const char *name, const struct find_query *query)
{
    struct find_material material = {.flipped = false};
    struct find_result result;
    einspul_error error = {0};
    material.material = material_named(name);
    if (!material_is_canonical(&material.material)) {
        material.flipped = true;
        material.material = material_flip(&material.material);
    }
    cr_assert_eq(find_positions(frisian, query, &material, 1, NULL, NULL, &result, &error),
                 EINSPUL_OK, "%s", error.text);
    return result;
}

static uint64_t count_in(const char *name, const struct find_query *query)
{
    struct find_result result = find_in(name, query);
    const uint64_t n = result.n_found;
    cr_assert_eq(result.n_kept, n < query->max_results ? n : query->max_results);
    free(result.kept);
    return n;
}

/* Checks that a query and the plain enumeration agree, and that the answer is not empty. */
static void expect_count(const char *name, const struct find_query *query, condition *counted)
{
    const uint64_t expected = count_plainly(name, counted);
    cr_assert_gt(expected, 0, "%s", name);
    const uint64_t found = count_in(name, query);
    cr_assert_eq(found, expected, "%s: %llu, expected %llu", name, (unsigned long long)found,
                 (unsigned long long)expected);
}

/* --- outcomes and rule sets ------------------------------------------------------------------- */

static bool differs(const einspul_position *position)
{
    return outcome_of(position) != outcome_in(unlimited, position);
}

static bool lost_win(const einspul_position *position)
{
    return outcome_of(position) == 0 && outcome_in(unlimited, position) == 1;
}

/* Fails if the number of positions whose outcome differs between rule sets is wrong. */
Test(find, differs_from_other_rule_set)
{
    struct find_query query = query_for_all();
    query.other = unlimited;
    cr_assert_eq(count_in("KMvK", &query), 30577);
    expect_count("KMvK", &query, differs);
    query.outcomes = FIND_DRAW;
    query.other_outcomes = FIND_WIN;
    cr_assert_eq(count_in("KMvK", &query), 18040);
    expect_count("KMvK", &query, lost_win);
    query.other_outcomes = FIND_LOSS;
    cr_assert_eq(count_in("KMvK", &query), 12537);
    cr_assert_eq(count_in("KvKM", &query), 12537); /* named in the other order */
}

/* Fails if a missing table is not reported with its rule set. */
Test(find, a_missing_table_is_named_with_its_rule_set)
{
    const struct find_material material = {.material = material_named("KMvK")};
    struct find_query query = query_for_all();
    struct find_result result;
    einspul_error error = {0};
    shell("rm frisian-free/KvM.*");
    query.other = open_default(folder, "frisian-free");
    cr_assert_eq(find_positions(frisian, &query, &material, 1, NULL, NULL, &result, &error),
                 EINSPUL_NO_TABLE);
    cr_assert_not_null(strstr(error.text, "frisian-free"), "%s", error.text);
    cr_assert_not_null(strstr(error.text, "KvM"), "%s", error.text);
    free(result.kept);
    einspul_close(query.other);
}

static bool stop_at_once(const struct find_progress *progress, void *context)
{
    ++*(int *)context;
    return progress->n_done > progress->n_all;
}

/* Fails if a cancelled search does not stop: it would block the queue. */
Test(find, stops_when_cancelled)
{
    struct find_material materials[16];
    struct find_query query = query_for_all();
    struct find_result result;
    einspul_error error = {0};
    int n_told = 0;
    for (int i = 0; i < 16; i++)
        materials[i] = (struct find_material){.material = material_named("KMvK")};
    query.only_move = true; /* takes seconds: progress is reported four times in each */
    cr_assert_eq(
        find_positions(frisian, &query, materials, 16, stop_at_once, &n_told, &result, &error),
        EINSPUL_STOPPED, "%s", error.text);
    cr_assert_eq(n_told, 1);
    cr_assert_lt(result.n_examined, 16 * 211680);
    free(result.kept);
}

static bool wins_in_31_to_35(const einspul_position *position)
{
    einspul_outcome outcome = EINSPUL_DRAW;
    int plies = 0;
    einspul_probe(frisian, position, 0, &outcome, &plies, NULL);
    return position->side == EINSPUL_WHITE && plies >= 31 && plies <= 35 && outcome == EINSPUL_WIN;
}

static bool man_on_28(const einspul_position *position)
{
    return position->men[EINSPUL_WHITE] == (uint64_t)1 << 27 && outcome_of(position) == -1;
}

static bool none_on_28_and_50(const einspul_position *position)
{
    const uint64_t both = (uint64_t)1 << 27 | (uint64_t)1 << 49;
    for (int side = 0; side < 2; side++)
        if (((position->men[side] | position->kings[side]) & both) != 0)
            return false;
    return outcome_of(position) == -1;
}

static bool black_man_on_23(const einspul_position *position)
{
    return position->men[EINSPUL_BLACK] == (uint64_t)1 << 22 && outcome_of(position) == -1;
}

/* Fails if a search by distance, side or squares is incomplete, or sides are swapped where the
 * weaker one is named first. */
Test(find, distance_side_and_squares)
{
    struct find_query query = query_for_all();
    query.plies = (struct find_range){true, 31, 35};
    query.outcomes = FIND_WIN;
    query.sides = 1;
    expect_count("KMvK", &query, wins_in_31_to_35);
    query = query_for_all();
    query.men[WHITE] = square_bit(27);
    query.outcomes = FIND_LOSS;
    expect_count("KMvK", &query, man_on_28);
    query.men[WHITE] = 0;
    query.men[BLACK] = square_bit(22);
    expect_count("KvKM", &query, black_man_on_23);
    query.men[BLACK] = 0;
    query.empty = square_bit(27) | square_bit(49);
    expect_count("KMvK", &query, none_on_28_and_50);
}

/* --- moves ------------------------------------------------------------------------------------ */

/* Legal moves that keep the outcome of the position, and all. */
static size_t count_moves(const einspul_position *position, size_t *n_keeping)
{
    struct probed_move moves[64];
    size_t n_moves = 0;
    const int outcome = outcome_of(position);
    *n_keeping = 0;
    cr_assert_eq(probe_moves(frisian, position, moves, 64, &n_moves, NULL), EINSPUL_OK);
    for (size_t i = 0; i < n_moves; i++)
        *n_keeping += (int)moves[i].outcome == outcome;
    return n_moves;
}

static bool only_win_of_several(const einspul_position *position)
{
    size_t n_keeping = 0;
    return outcome_of(position) == 1 && count_moves(position, &n_keeping) >= 2 && n_keeping == 1;
}

static bool only_draw(const einspul_position *position)
{
    size_t n_keeping = 0;
    return outcome_of(position) == 0 && count_moves(position, &n_keeping) > 0 && n_keeping == 1;
}

static bool any_capture(einspul_position position)
{
    struct probed_move moves[64];
    size_t n_moves = 0;
    bool found = false;
    for (int turn = 0; turn < 2; turn++, position.side ^= 1) {
        cr_assert_eq(all_moves("frisian", &position, moves, 64, &n_moves, NULL), EINSPUL_OK);
        found = found || (n_moves > 0 && moves[0].captured != 0);
    }
    return found;
}

static bool quiet_draw(const einspul_position *position)
{
    return outcome_of(position) == 0 && !any_capture(*position);
}

/* Fails if a second solution is missed. */
Test(find, only_moves_and_quiet_positions)
{
    struct find_query query = query_for_all();
    query.outcomes = FIND_WIN;
    query.only_move = true;
    query.moves = (struct find_range){true, 2, 1000};
    expect_count("MMvK", &query, only_win_of_several);
    query.outcomes = FIND_DRAW;
    query.moves.given = false;
    expect_count("KMvM", &query, only_draw);
    query.only_move = false;
    query.quiet = true;
    expect_count("MMvM", &query, quiet_draw);
}

static bool is_study(const einspul_position *position)
{
    einspul_position at = *position;
    struct probed_move moves[64];
    size_t n = 0;
    if (outcome_of(position) != 1)
        return false;
    while (probe_moves(frisian, &at, moves, 64, &n, NULL) == EINSPUL_OK && n > 0) {
        if (moves[0].plies > 1 && n > 1 && moves[1].outcome == EINSPUL_WIN)
            return false;
        at = moves[0].after;
    }
    return true;
}

/* Fails if a position reported as a study has a second solution. */
Test(find, studies)
{
    struct find_query query = query_for_all();
    query.study = true;
    expect_count("MMvM", &query, is_study);
    query.outcomes = FIND_DRAW;
    cr_assert_eq(count_in("KMvK", &query), 0);
}

static struct find_result tried(uint64_t n_tries, uint64_t seed, int n_threads)
{
    const struct find_material material = {.material = material_named("KMvK")};
    struct find_query query = query_for_all();
    struct find_result result;
    einspul_error error = {0};
    query.outcomes = FIND_WIN;
    query.max_placements = n_tries;
    query.seed = seed;
    query.n_threads = n_threads;
    query.max_results = UINT64_MAX;
    cr_assert_eq(find_positions(frisian, &query, &material, 1, NULL, NULL, &result, &error),
                 EINSPUL_OK, "%s", error.text);
    return result;
}

/* Fails if a sample covers only a part of the material, or is not reproducible. */
Test(find, tries_some_at_random)
{
    struct find_result all = tried(0, 1, 2);
    struct find_result some = tried(20000, 1, 2);
    struct find_result again = tried(20000, 1, 1);
    struct find_result other = tried(20000, 2, 2);
    cr_assert(some.n_examined > 17000 && some.n_examined <= 20000);
    const double share = (double)some.n_found / (double)some.n_examined;
    const double whole = (double)all.n_found / (double)all.n_examined;
    cr_assert(share > whole - .02 && share < whole + .02, "%f of %f", share, whole);
    cr_assert_eq(some.n_kept, again.n_kept);
    for (uint64_t i = 0; i < some.n_kept; i++)
        cr_assert_eq(
            memcmp(&some.kept[i].state.at, &again.kept[i].state.at, sizeof some.kept[i].state.at),
            0);
    uint64_t n_same = 0;
    for (uint64_t i = 0; i < some.n_kept && i < other.n_kept; i++)
        n_same += memcmp(&some.kept[i].state.at, &other.kept[i].state.at,
                         sizeof some.kept[i].state.at) == 0;
    cr_assert_lt(n_same, some.n_kept / 10);
    /* A number that is not divisible is rounded so that no more are examined. */
    for (uint64_t least = 1; least <= 4; least++) {
        struct find_result fewer = tried(all.n_examined / least - 1, 1, 2);
        cr_assert_leq(fewer.n_examined, all.n_examined / least - 1);
        cr_assert_gt(fewer.n_examined, all.n_examined / (least + 2));
        free(fewer.kept);
    }
    free(all.kept);
    free(some.kept);
    free(again.kept);
    free(other.kept);
}

/* --- zugzwang --------------------------------------------------------------------------------- */

static bool is_full(const einspul_position *position)
{
    return outcome_of(position) == -1 && outcome_passing(position) == 1;
}

static bool is_half(const einspul_position *position)
{
    return outcome_passing(position) - outcome_of(position) == 1;
}

static bool is_either(const einspul_position *position)
{
    return outcome_passing(position) > outcome_of(position);
}

/* Fails if zugzwang is not found, or found where passing does not matter. */
Test(find, zugzwang)
{
    static const char *const names[] = {"KvKM", "MMvM"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        struct find_query query = query_for_all();
        query.zugzwang = ZUGZWANG_FULL;
        expect_count(names[i], &query, is_full);
        query.zugzwang = ZUGZWANG_HALF;
        expect_count(names[i], &query, is_half);
        query.zugzwang = ZUGZWANG_EITHER;
        expect_count(names[i], &query, is_either);
    }
}

/* --- king runs and clock ---------------------------------------------------------------------- */

/* Every run of the only king of a side with a man. */
static bool run_matters(const einspul_position *position)
{
    const int fresh = outcome_of(position);
    einspul_position with_run = *position;
    bool matters = false;
    with_run.run_square[EINSPUL_WHITE] = (uint8_t)(1 + bits_first(position->kings[EINSPUL_WHITE]));
    for (uint8_t count = 1; count <= 3; count++) {
        with_run.run_count[EINSPUL_WHITE] = count;
        matters = matters || outcome_of(&with_run) != fresh;
    }
    return matters;
}

static int clock_limit = 14;
static einspul *with_clock;

static bool clock_matters(const einspul_position *position)
{
    const int fresh = outcome_in(with_clock, position);
    einspul_position late = *position;
    bool matters = false;
    for (late.clock = 1; late.clock < clock_limit; late.clock++) /* then the game is over */
        matters = matters || outcome_in(with_clock, &late) != fresh;
    return matters;
}

/* Fails if a position whose outcome depends on a run or clock is missed. */
Test(find, depends_on_run_or_clock)
{
    struct find_query query = query_for_all();
    query.depends = DEPENDS_ON_RUN;
    expect_count("KMvK", &query, run_matters);
    expect_count("KMvM", &query, run_matters);
    cr_assert_eq(count_in("KKvK", &query), 0);
    query.depends = DEPENDS_ON_CLOCK;
    with_clock = frisian;
    expect_count("KKvK", &query, clock_matters);
    cr_assert_eq(count_in("KMvK", &query), 0);
}

/* Like depends_on_run_or_clock, under rule sets that store the clock; other programs have counted
 * how many positions the FMJD's limit changes at its last ply. */
Test(find, depends_on_a_stored_clock)
{
    struct find_query query = query_for_all();
    struct rules rules = rules_named("frisian-lidraughts");
    query.depends = DEPENDS_ON_CLOCK;
    einspul_close(frisian);
    generate(&rules, 3, NULL, METRICS_WDL);
    with_clock = frisian = open_default(folder, rules.name);
    expect_count("KKvK", &query, clock_matters);
    clock_limit = 4;
    expect_count("KvK", &query, clock_matters);
    cr_assert_eq(count_in("KKvM", &query), 0);
    einspul_close(frisian);
    rules = rules_named("international");
    generate(&rules, 3, NULL, METRICS_WDL);
    rules = rules_named(FMJD_RULES);
    generate(&rules, 3, NULL, METRICS_WDL);
    with_clock = frisian = open_default(folder, rules.name);
    cr_assert_eq(count_in("KvK", &query), 36);
    cr_assert_eq(count_in("KKvK", &query), 2930);
    cr_assert_eq(count_in("KMvK", &query), 3435);
    cr_assert_eq(count_in("KKvM", &query), 0); /* no table knows */
}

/* --- what is kept ----------------------------------------------------------------------------- */

static int n_of_plies[256];

static bool note_plies(const einspul_position *position)
{
    einspul_outcome outcome = EINSPUL_DRAW;
    int plies = 0;
    einspul_probe(frisian, position, 0, &outcome, &plies, NULL);
    n_of_plies[plies + 1]++;
    return true;
}

/* Fails if lists are incomplete, not sorted by distance, or depend on the number of threads. */
Test(find, lists_are_sorted_and_complete)
{
    struct find_query query = query_for_all();
    query.distances = true;
    query.max_results = UINT64_MAX;
    struct find_result all = find_in("KMvK", &query);
    cr_assert_eq(all.n_examined, 211680);
    cr_assert_eq(all.n_kept, 211680);
    cr_assert_eq(count_plainly("KMvK", note_plies), 211680);
    for (uint64_t i = 0; i < all.n_kept; i++) {
        n_of_plies[all.kept[i].plies + 1]--;
        if (i > 0)
            cr_assert_leq(all.kept[i].plies, all.kept[i - 1].plies);
    }
    for (int i = 0; i < 256; i++)
        cr_assert_eq(n_of_plies[i], 0, "%d plies", i - 1);
    for (query.n_threads = 1; query.n_threads <= 3; query.n_threads++) {
        query.max_results = 20000;
        struct find_result some = find_in("KMvK", &query);
        cr_assert_eq(some.n_kept, 20000);
        for (uint64_t i = 0; i < some.n_kept; i++)
            cr_assert(state_equal(&some.kept[i].state, &all.kept[i].state), "%d", (int)i);
        free(some.kept);
    }
    free(all.kept);
}

/* Fails if samples are not reproducible by seed, do not differ between seeds, or do not cover all
 * results. */
Test(find, samples_depend_on_the_seed_alone)
{
    struct find_query query = query_for_all();
    query.distances = true;
    query.max_results = UINT64_MAX;
    query.n_sample = 6000;
    query.seed = 1;
    struct find_result one = find_in("KMvK", &query);
    query.n_threads = 1;
    struct find_result again = find_in("KMvK", &query);
    query.seed = 2;
    struct find_result other = find_in("KMvK", &query);
    uint64_t n_same = 0;
    int n_draws = 0;
    cr_assert_eq(one.n_kept, 6000);
    for (uint64_t i = 0; i < one.n_kept; i++) {
        cr_assert(state_equal(&one.kept[i].state, &again.kept[i].state));
        n_same += state_equal(&one.kept[i].state, &other.kept[i].state);
        n_draws += one.kept[i].outcome == EINSPUL_DRAW;
    }
    cr_assert_lt(n_same, 3000);
    /* 98,741 of 211,680 are draws. */
    cr_assert(n_draws > 2500 && n_draws < 3100, "%d", n_draws);
    free(one.kept);
    free(again.kept);
    free(other.kept);
}
