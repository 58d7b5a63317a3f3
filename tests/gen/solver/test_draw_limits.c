/* Draw limits of lone-king endings: tables against a brute-force solver with the clock in the
 * state. */
#include <string.h>

#include "core/program/index.h"
#include "probe/position.h"
#include "probe/program_handle.h"
#include "tests/support/brute_force.h"
#include "tests/support/handle.h"
#include "tests/support/tables.h"
#include "tests/support/verify_table.h"

TestSuite(draw_limits, .init = make_folder, .fini = drop_folder);

enum { QUIET = 50 };

static char *fen_of(const struct rules *rules, const struct state *state)
{
    static char fen[FEN_SIZE];
    fen_write(rules, state, fen);
    return fen;
}

/* Checks that a probe of a state agrees with the solver; true if the answer is undecided. */
static bool expect_state(einspul *handle, const struct brute *brute, const struct state *state)
{
    const struct rules *rules = probe_rules(handle);
    const int expected = brute_outcome(brute, &state->at, state->clock);
    einspul_error error = {0};
    value_t value = VALUE_DRAW;
    const einspul_status status = probe_state(handle, state, EINSPUL_WDL, 0, &value, &error);
    if (status == EINSPUL_UNDECIDED) {
        cr_assert(expected == EINSPUL_DRAW || expected == (int)value_outcome(value), "%s",
                  fen_of(rules, state));
        return true;
    }
    if (status != EINSPUL_OK || (int)value_outcome(value) != expected)
        cr_assert_fail("%s: %d, expected %d: %s", fen_of(rules, state), (int)value_outcome(value),
                       expected, error.text);
    return false;
}

/* Both clocks at which an outcome changes, or all; and the number of a placement's states that the
 * limit changes. */
static uint64_t expect_placement(einspul *handle, const struct brute *brute,
                                 const struct placement *at, int limit, bool all, uint64_t *n_open)
{
    const struct needs needs = brute_needs(brute, at);
    const int need = needs.win < needs.loss ? needs.win : needs.loss;
    const int last = need == NEVER ? limit : limit - need; /* clock at which it still holds */
    struct state state = {.at = *at};
    for (int clock = 0; clock < limit; clock++) {
        state.clock = (uint8_t)clock;
        if (all || clock == last || clock == last + 1)
            *n_open += expect_state(handle, brute, &state);
    }
    return need == NEVER ? 0
                         : (uint64_t)(limit - 1 -
                                      (last < -1      ? -1
                                       : last < limit ? last
                                                      : limit - 1));
}

/* All placements of a material, for both sides to move. Returns the states that a limit changes. */
static uint64_t expect_material(einspul *handle, struct brute *brute, const char *name, int limit,
                                bool all, uint64_t *n_open)
{
    const struct material material = material_named(name);
    const struct rules *rules = probe_rules(handle);
    struct shape shape;
    uint64_t n_changed = 0;
    shape_init(&shape, rules, &material);
    for (int side = WHITE; side <= BLACK; side++)
        for (uint64_t index = 0; index < shape.n_placements; index++) {
            struct placement at;
            if (shape_unrank(&shape, index, (enum side)side, &at))
                n_changed += expect_placement(handle, brute, &at, limit, all, n_open);
        }
    return n_changed;
}

static void generate_fmjd(struct rules *rules, int pieces)
{
    const struct rules international = rules_named("international");
    *rules = rules_named(FMJD_RULES);
    generate(&international, 3, NULL, METRICS_BOTH);
    generate(rules, pieces, NULL, METRICS_BOTH);
}

static void solve_up_to(struct brute *brute, int pieces)
{
    struct material list[MAX_MATERIALS];
    const int n = material_list(2, pieces, list);
    for (int i = 0; i < n; i++)
        brute_solve(brute, &list[i]);
}

/* A material, its limit, the states that this changes, and those that a probe leaves undecided. */
struct limited {
    const char *name;
    int limit;
    uint64_t n_changed;
    uint64_t n_open;
};

static void expect_fmjd(const struct limited *rows, size_t n_rows)
{
    struct brute *brute = brute_create("international", limit_fmjd, true);
    struct rules rules;
    generate_fmjd(&rules, 3);
    solve_up_to(brute, 3);
    einspul *handle = open_default(folder, rules.name);
    for (size_t i = 0; i < n_rows; i++) {
        uint64_t n_open = 0;
        const uint64_t n =
            expect_material(handle, brute, rows[i].name, rows[i].limit, true, &n_open);
        cr_assert_eq(n, rows[i].n_changed, "%s: %llu", rows[i].name, (unsigned long long)n);
        cr_assert_eq(n_open, rows[i].n_open, "%s: %llu open", rows[i].name,
                     (unsigned long long)n_open);
    }
    einspul_close(handle);
    brute_free(brute);
}

/* Fails if with a running clock a draw counts as a win, or a win as a draw; or if an answer is
 * certain that is not, in the material whose count the tables do not hold. The counts are those of
 * other programs. */
Test(draw_limits, of_the_fmjd_with_two_and_three_pieces)
{
    static const struct limited rows[] = {{"KvK", 10, 68, 0},
                                          {"KKvK", 10, 6262, 0},
                                          {"KMvK", 10, 6786, 0},
                                          {"KvM", QUIET, 1508, 1508}};
    expect_fmjd(rows, sizeof rows / sizeof rows[0]);
}

Test(draw_limits, long_of_the_fmjd_with_two_and_three_pieces)
{
    static const struct limited rows[] = {{"MvM", QUIET, 0, 0},
                                          {"KKvM", QUIET, 33459, 33459},
                                          {"KMvM", QUIET, 7293, 63560},
                                          {"MMvK", QUIET, 14033, 14033},
                                          {"MMvM", QUIET, 0, 0}};
    expect_fmjd(rows, sizeof rows / sizeof rows[0]);
}

/* Fails if an omitted side is recomputed with an empty clock. */
Test(draw_limits, of_the_fmjd_where_a_side_is_omitted)
{
    const struct material material = material_named("KvM");
    const struct rules base = rules_named("international");
    struct brute *brute = brute_create("international", limit_fmjd, true);
    struct rules rules;
    uint64_t n_open = 0;
    generate_fmjd(&rules, 2);
    cr_assert_geq(leave_out(&base, &material, folder), 0);
    solve_up_to(brute, 2);
    einspul *handle = open_default(folder, rules.name);
    cr_assert_eq(expect_material(handle, brute, "KvM", QUIET, true, &n_open), 1508);
    cr_assert(n_open > 1000 && n_open <= 1508, "%llu open", (unsigned long long)n_open);
    einspul_close(handle);
    brute_free(brute);
}

/* Fails if outcomes alone answer hardly any position of a game, as nearly all have a clock. No play
 * of so few pieces is quiet for more than 22 plies, so up to clock 28 the outcome is that of the
 * table; from 29 on it is undecided. W:WK1,12:B16,K50 is a win in 19. */
Test(draw_limits, outcomes_alone_hold_while_the_limit_is_far)
{
    const struct rules base = rules_named("international");
    const struct rules rules = rules_named(FMJD_RULES);
    struct generate_options options = options_in(&base, "", (char[PATH_SIZE]){0});
    struct state state = {
        .at = {.men = {square_bit(11), square_bit(15)}, .kings = {square_bit(0), square_bit(49)}}};
    options.root = folder;
    options.pieces = 0;
    options.material = material_named("KMvKM");
    options.metrics = METRICS_WDL;
    generate_with(&options);
    einspul *handle = open_default(folder, rules.name);
    for (int clock = 0; clock < QUIET; clock++) {
        value_t value = VALUE_DRAW;
        state.clock = (uint8_t)clock;
        const einspul_status status = probe_state(handle, &state, EINSPUL_WDL, 0, &value, NULL);
        cr_assert_eq(status, clock <= 28 ? EINSPUL_OK : EINSPUL_UNDECIDED, "clock %d", clock);
        cr_assert(clock > 28 || value_outcome(value) == EINSPUL_WIN, "clock %d", clock);
    }
    einspul_close(handle);
}

static void expect_no_faults(einspul *handle, const char *name, einspul_metric metric)
{
    const struct material material = material_named(name);
    const struct verify_report report = verify(handle, &material, metric, 2, 30000);
    cr_assert_gt(report.n_states, 1000, "%s", name);
    cr_assert_eq(report.n_faults, 0, "%s: %llu faults", name, (unsigned long long)report.n_faults);
}

/* Fails if a sacrifice that leaves the limited material in time is missed, or a line of best moves
 * does not win in the stated plies. */
Test(draw_limits, distances_hold_at_every_clock)
{
    struct rules rules;
    generate_fmjd(&rules, 3);
    einspul *handle = open_default(folder, rules.name);
    static const char *const names[] = {"KvK", "KKvK", "KMvK"};
    for (size_t i = 0; i < 2 * sizeof names / sizeof names[0]; i++)
        expect_no_faults(handle, names[i / 2], i % 2 == 0 ? EINSPUL_WDL : EINSPUL_DTW);
    einspul_close(handle);
    rules = rules_named("frisian-lidraughts");
    generate(&rules, 3, NULL, METRICS_BOTH);
    handle = open_default(folder, rules.name);
    static const char *const frisian[] = {"KvK", "KKvK", "KKvM", "KMvK"};
    for (size_t i = 0; i < 2 * sizeof frisian / sizeof frisian[0]; i++)
        expect_no_faults(handle, frisian[i / 2], i % 2 == 0 ? EINSPUL_WDL : EINSPUL_DTW);
    einspul_close(handle);
}

/* Fails if two kings against one are judged otherwise than on the site. The numbers of states that
 * differ from Article 18, by H, are also those of other programs. */
Test(draw_limits, of_lidraughts_with_two_kings)
{
    static const uint64_t differing[14] = {
        [0] = 950, [2] = 3312, [4] = 7534, [6] = 7026, [8] = 3340, [10] = 1994, [12] = 7550};
    const struct rules rules = rules_named("frisian-lidraughts");
    const struct rules strict = rules_named("frisian");
    const struct material material = material_named("KKvK");
    struct brute *brute = brute_create("frisian-free", limit_lidraughts, false);
    struct shape shape;
    uint64_t n_open = 0;
    generate(&rules, 3, NULL, METRICS_WDL);
    generate(&strict, 3, NULL, METRICS_WDL);
    brute_solve(brute, &(struct material){.kings = {1, 1}});
    brute_solve(brute, &material);
    einspul *handle = open_default(folder, rules.name);
    einspul *strict_handle = open_default(folder, strict.name);
    expect_material(handle, brute, "KvK", 4, true, &n_open);
    expect_material(handle, brute, "KKvK", 14, true, &n_open);
    cr_assert_eq(n_open, 0);
    shape_init(&shape, &strict, &material);
    for (int clock = 0; clock < 14; clock += 2) {
        uint64_t n = 0;
        for (uint64_t index = 0; index < shape.n_placements; index++) {
            struct state state = {.clock = (uint8_t)clock};
            value_t value = VALUE_DRAW;
            if (!shape_unrank(&shape, index, WHITE, &state.at))
                continue;
            cr_assert_eq(probe_state(strict_handle, &state, EINSPUL_WDL, 0, &value, NULL),
                         EINSPUL_OK);
            n += (int)value_outcome(value) != brute_outcome(brute, &state.at, clock);
        }
        cr_assert_eq(n, differing[clock], "H%d: %llu", clock, (unsigned long long)n);
    }
    einspul_close(handle);
    einspul_close(strict_handle);
    brute_free(brute);
}

/* --- three against one ------------------------------------------------------------------------ */

/* Fails if a win that needs more than 16 moves is promised, or one that a sacrifice saves is not.
 * Each placement at the clocks between which its outcome changes; the counts are those of other
 * programs. */
Test(draw_limits, long_of_the_fmjd_with_three_against_one)
{
    static const struct {
        const char *name;
        uint64_t n_changed;
    } rows[] = {{"KKKvK", 300788}, {"KKMvK", 506402}, {"KMMvK", 216377}};
    struct brute *brute = brute_create("international", limit_fmjd, true);
    struct rules rules;
    generate_fmjd(&rules, 4);
    solve_up_to(brute, 3);
    einspul *handle = open_default(folder, rules.name);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct material material = material_named(rows[i].name);
        uint64_t n_open = 0;
        brute_solve(brute, &material);
        const uint64_t n = expect_material(handle, brute, rows[i].name, 32, false, &n_open);
        cr_assert_eq(n, rows[i].n_changed, "%s: %llu", rows[i].name, (unsigned long long)n);
        cr_assert_eq(n_open, 0);
    }
    einspul_close(handle);
    brute_free(brute);
}
