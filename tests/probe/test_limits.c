/* The limit of two kings against one, before and after a capture, on solved tables; and
 * einspul_complete. */
#include "core/moves.h"
#include "probe/list_moves.h"
#include "probe/position.h"
#include "tests/support/handle.h"
#include "tests/support/tables.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static struct rules rules;

static void set_up(void)
{
    make_folder();
    rules = rules_named("frisian");
    generate(&rules, 3, NULL, METRICS_BOTH);
}

TestSuite(limits, .init = set_up, .fini = drop_folder);

static value_t probe(einspul *handle, const struct state *state)
{
    einspul_error error = {0};
    value_t value = VALUE_NONE;
    cr_assert_eq(probe_state(handle, state, EINSPUL_DTW, 0, &value, &error), EINSPUL_OK, "%s",
                 error.text);
    return value;
}

/* One or two kings on each side. */
static struct state random_kings(uint64_t *seed, int n_white, int n_black)
{
    struct state state = {.at.side = (enum side)random_below(seed, 2)};
    while (bits_count(state.at.kings[WHITE]) < n_white)
        state.at.kings[WHITE] |= square_bit(random_below(seed, 50));
    while (bits_count(state.at.kings[BLACK]) < n_black)
        state.at.kings[BLACK] |= square_bit(random_below(seed, 50)) & ~state.at.kings[WHITE];
    return state;
}

/* The best probed value of the positions after all moves. */
static void expect_agreement(einspul *handle, const struct state *state)
{
    struct probed_move moves[128];
    einspul_position position;
    einspul_error error = {0};
    size_t n = 0;
    char fen[FEN_SIZE];
    fen_write(&rules, state, fen);
    probe_position_from_state(state, &position);
    cr_assert_eq(probe_moves(handle, &position, moves, 128, &n, &error), EINSPUL_OK, "%s: %s", fen,
                 error.text);
    for (size_t i = 0; i < n; i++) {
        einspul_outcome outcome = EINSPUL_DRAW;
        int plies = 0;
        cr_assert_eq(einspul_probe(handle, &moves[i].after, 0, &outcome, &plies, &error),
                     EINSPUL_OK, "%s %s: %s", fen, moves[i].text, error.text);
        cr_assert_eq((int)outcome, -(int)moves[i].outcome, "%s %s", fen, moves[i].text);
        cr_assert_eq(plies, moves[i].plies < 0 ? -1 : moves[i].plies - 1, "%s %s", fen,
                     moves[i].text);
    }
    const value_t value = probe(handle, state);
    if (n == 0) {
        cr_assert_eq(value, VALUE_LOST, "%s", fen);
        return;
    }
    cr_assert_eq((int)moves[0].outcome, (int)value_outcome(value), "%s", fen);
    cr_assert_eq(moves[0].plies, value_plies(value), "%s", fen);
}

/* Fails if a line of best moves contradicts the probe of a position in it, as after a capture in
 * two kings against one that resets the clock. */
Test(limits, moves_agree_with_probes_through_captures)
{
    einspul *handle = open_default(folder, rules.name);
    uint64_t seed = 3;
    int n_captures = 0;
    int n_too_late = 0;
    for (int i = 0; i < 20000; i++) {
        struct state state = i % 2 == 0 ? random_kings(&seed, 2, 1) : random_kings(&seed, 1, 2);
        state.clock = (uint8_t)random_below(&seed, 17);
        n_captures += placement_has_capture(&rules, &state.at);
        struct state fresh = state;
        fresh.clock = 0;
        n_too_late += probe(handle, &fresh) != probe(handle, &state);
        expect_agreement(handle, &state);
    }
    for (int i = 0; i < 4000; i++) {
        struct state state = random_kings(&seed, 1, 1);
        state.limited = (uint8_t)(1 + random_below(&seed, 2));
        state.clock = (uint8_t)(1 + random_below(&seed, 17));
        expect_agreement(handle, &state);
    }
    cr_assert_gt(n_captures, 1000);
    cr_assert_gt(n_too_late, 1000);
    einspul_close(handle);
}

/* The outcome of a state under Article 18, and the plies to the end, by playing all moves until the
 * game is over: after the seventh move of each side it is drawn. */
static int play_out(const struct state *state, int *plies)
{
    struct move_list list;
    int best = EINSPUL_LOSS;
    *plies = 0;
    move_list_init(&list);
    cr_assert_eq(moves_generate(&rules, state, &list), EINSPUL_OK);
    for (int i = 0; i < list.n_moves && state->clock < 14; i++) {
        const struct state after = state_after(&rules, state, &list.moves[i]);
        int after_plies = 0;
        const int outcome = -play_out(&after, &after_plies);
        const bool sooner = outcome == EINSPUL_WIN && after_plies + 1 < *plies;
        const bool later = outcome == EINSPUL_LOSS && after_plies + 1 > *plies;
        if (i == 0 || outcome > best || (outcome == best && (sooner || later))) {
            best = outcome;
            *plies = after_plies + 1;
        }
    }
    if (state->clock >= 14 && list.n_moves > 0)
        best = EINSPUL_DRAW;
    move_list_free(&list);
    return best;
}

static void expect_played_out(einspul *handle, const struct state *state)
{
    int plies = 0;
    char fen[FEN_SIZE];
    fen_write(&rules, state, fen);
    const int outcome = play_out(state, &plies);
    const value_t value = probe(handle, state);
    cr_assert_eq((int)value_outcome(value), outcome, "%s", fen);
    if (outcome != EINSPUL_DRAW)
        cr_assert_eq(value_plies(value), plies, "%s", fen);
}

/* Fails if the game continues after the seventh move of each side, for either side, before or after
 * a capture, or if it is drawn too early. */
Test(limits, article_18_equals_playing_to_the_end)
{
    einspul *handle = open_default(folder, rules.name);
    uint64_t seed = 7;
    for (int i = 0; i < 6000; i++) {
        struct state state = i % 3 == 0   ? random_kings(&seed, 2, 1)
                             : i % 3 == 1 ? random_kings(&seed, 1, 2)
                                          : random_kings(&seed, 1, 1);
        state.limited = (uint8_t)(i % 3 == 2 ? 1 + random_below(&seed, 2) : 0);
        state.clock = (uint8_t)(i < 60 ? 11 : 12 + random_below(&seed, 3));
        expect_played_out(handle, &state);
    }
    einspul_close(handle);
}

/* Fails if a win of the lone king counts after the game is drawn. */
Test(limits, article_18_is_for_both_sides)
{
    static const struct {
        const char *fen;
        int outcome, plies;
    } rows[] = {
        {"W:WK2,K4:BK24:H13", 1, 1},  {"W:WK2,K4:BK24:H14", 0, -1},  {"W:WK2,K4:BK23:H14", 0, -1},
        {"B:WK5,K14:BK10:H11", 1, 3}, {"B:WK5,K14:BK10:H12", 0, -1}, {"B:WK5,K14:BK10:H40", 0, -1},
    };
    einspul *handle = open_default(folder, rules.name);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct state state = state_named(&rules, rows[i].fen);
        const value_t value = probe(handle, &state);
        cr_assert_eq((int)value_outcome(value), rows[i].outcome, "%s", rows[i].fen);
        cr_assert_eq(value_plies(value), rows[i].plies, "%s", rows[i].fen);
        expect_agreement(handle, &state);
    }
    einspul_close(handle);
}

/* Fails if a position whose move comes after the limit has another value than its moves give. */
Test(limits, capture_on_the_eighth_move_is_too_late)
{
    einspul *handle = open_default(folder, rules.name);
    struct state state = state_named(&rules, "W:WK19:BK5,K8:H13:F1:+0+0");
    cr_assert_eq(probe(handle, &state), VALUE_DRAW);
    expect_agreement(handle, &state);
    /* Within the limit such a capture wins at once; a ply later the game is already drawn. */
    state = state_named(&rules, "W:WK46,K50:BK28:H13");
    cr_assert_eq(probe(handle, &state), VALUE_WIN_IN_1);
    state = state_named(&rules, "W:WK46,K50:BK28:H14");
    cr_assert_eq(probe(handle, &state), VALUE_DRAW);
    expect_agreement(handle, &state);
    einspul_close(handle);
}

/* Fails if a side to move without pieces gets an error instead of a loss. */
Test(limits, a_side_without_pieces_has_lost)
{
    einspul *handle = open_default(folder, rules.name);
    const einspul_position over = {.men = {(uint64_t)1 << 27, 0}, .side = EINSPUL_BLACK};
    einspul_position wrong = over;
    einspul_outcome outcome = EINSPUL_DRAW;
    int plies = -1;
    size_t n = 9;
    cr_assert_eq(einspul_probe(handle, &over, 0, &outcome, NULL, NULL), EINSPUL_OK);
    cr_assert_eq(outcome, EINSPUL_LOSS);
    cr_assert_eq(einspul_probe(handle, &over, 0, &outcome, &plies, NULL), EINSPUL_OK);
    cr_assert(outcome == EINSPUL_LOSS && plies == 0);
    outcome = EINSPUL_DRAW;
    plies = -1;
    cr_assert_eq(einspul_probe_many(handle, &over, 1, 0, &outcome, &plies, NULL), 1);
    cr_assert(outcome == EINSPUL_LOSS && plies == 0);
    cr_assert_eq(probe_moves(handle, &over, NULL, 0, &n, NULL), EINSPUL_OK);
    cr_assert_eq(n, 0);
    cr_assert_eq(all_moves("frisian", &over, NULL, 0, &n, NULL), EINSPUL_OK);
    cr_assert_eq(n, 0);
    /* No legal move leads to a position in which the side that has just moved has no pieces. */
    wrong.side = EINSPUL_WHITE;
    cr_assert_eq(einspul_probe(handle, &wrong, 0, &outcome, NULL, NULL), EINSPUL_BAD_POSITION);
    einspul_close(handle);
}

static void drop_table(const char *name, einspul_metric metric)
{
    cr_assert_eq(unlink(table_name(&rules, name, metric)), 0);
}

/* Fails if a set with a missing table counts as complete. */
Test(limits, complete_sets)
{
    einspul *handle = open_default(folder, rules.name);
    cr_assert_eq(einspul_complete(handle, EINSPUL_WDL), 3);
    cr_assert_eq(einspul_complete(handle, EINSPUL_DTW), 3);
    cr_assert_eq(einspul_complete(handle, (einspul_metric)7), 0);
    einspul_close(handle);
    drop_table("KMvM", EINSPUL_WDL); /* distances give outcomes, too */
    drop_table("KKvK", EINSPUL_DTW); /* its outcomes have distances */
    handle = open_default(folder, rules.name);
    cr_assert_eq(einspul_complete(handle, EINSPUL_WDL), 3);
    cr_assert_eq(einspul_complete(handle, EINSPUL_DTW), 3);
    einspul_close(handle);
    drop_table("MMvK", EINSPUL_DTW);
    handle = open_default(folder, rules.name);
    cr_assert_eq(einspul_complete(handle, EINSPUL_WDL), 3);
    cr_assert_eq(einspul_complete(handle, EINSPUL_DTW), 2);
    einspul_close(handle);
    drop_table("MvM", EINSPUL_WDL);
    drop_table("MvM", EINSPUL_DTW);
    handle = open_default(folder, rules.name);
    cr_assert_eq(einspul_complete(handle, EINSPUL_WDL), 0);
    einspul_close(handle);
}

static void expect_complete(int outcomes, int distances)
{
    einspul *handle = open_default(folder, rules.name);
    cr_assert_eq(einspul_complete(handle, EINSPUL_WDL), outcomes);
    cr_assert_eq(einspul_complete(handle, EINSPUL_DTW), distances);
    einspul_close(handle);
}

/* Fails if a set counts as complete although every probe of one of its materials fails. */
Test(limits, complete_sets_can_be_read)
{
    expect_complete(3, 3);
    write_byte(table_name(&rules, "KMvK", EINSPUL_DTW), 20, 0xee); /* in its header */
    expect_complete(3, 2);
    write_whole(table_name(&rules, "MvM", EINSPUL_WDL), (const uint8_t *)"", 0);
    expect_complete(3, 2); /* the distances answer outcomes */
    write_whole(table_name(&rules, "KvK", EINSPUL_DTW), (const uint8_t *)"", 0);
    expect_complete(3, 2); /* these outcomes have distances */
    write_whole(table_name(&rules, "MvM", EINSPUL_DTW), (const uint8_t *)"", 0);
    expect_complete(0, 0);
}
