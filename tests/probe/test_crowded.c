/* Positions with many pieces of which captures leave few: right answers whichever way they are
 * asked for, at most a bounded work, and a name for what is beyond it. */
#include "probe/query.h"
#include "tests/support/probing.h"

TestSuite(crowded, .init = create_world, .fini = drop_world);

enum { N_CROWDED = 3000, MOST_NODES = 200000 };

/* A million nodes of the search for captures have been followed here without an end. */
static const char *const endless =
    "W:WK50:B2,4,7,8,9,10,11,13,16,19,21,22,24,25,27,30,31,32,34,36,38,41,42,43,44";

/* The value by the rules and the tables' contents alone, every capture followed as it comes; stops
 * where a win in one is found, as probes do. False when a table is missing, or it takes too
 * long. */
static bool resolve(const struct state *state, value_t *value, int *n_nodes)
{
    const bool has_pieces = placement_own(&state->at, state->at.side) != 0;
    if (++*n_nodes > MOST_NODES)
        return false;
    if (!has_pieces || !placement_has_capture(&world.rules, &state->at)) {
        if (squares_count(placement_occupied(&state->at)) > 3)
            return false;
        *value = world_value(&world, state, false);
        return true;
    }
    if (state_has_clock(&world.rules, state)) {
        *value = world_value(&world, state, false);
        return true;
    }
    struct move_list list;
    value_t best = VALUE_LOST;
    bool known = true;
    move_list_init(&list);
    cr_assert_eq(moves_captures(&world.rules, &state->at, &list), EINSPUL_OK);
    for (int i = 0; i < list.n_moves && known; i++)
        if (list.moves[i].captured == placement_own(&state->at, side_other(state->at.side)))
            best = VALUE_WIN_IN_1;
    for (int i = 0; i < list.n_moves && known && best < VALUE_WIN_IN_1; i++) {
        const struct state after = state_after(&world.rules, state, &list.moves[i]);
        value_t after_value = VALUE_LOST;
        known = resolve(&after, &after_value, n_nodes);
        if (value_before(after_value) > best)
            best = value_before(after_value);
    }
    move_list_free(&list);
    *value = best;
    return known;
}

/* Wrong: what a probe remembers on its way, or leaves out as it has met it, changes its answer. */
Test(crowded, answers_are_those_of_every_capture)
{
    einspul *handle = open_world((size_t)16 << 20);
    uint64_t seed = 41;
    int n_answered = 0;
    int n_remembered = 0;
    for (int i = 0; i < N_CROWDED; i++) {
        const struct state state = world_random_crowd(&world, 18, &seed);
        einspul_error error = {0};
        struct query query = {.handle = handle, .metric = EINSPUL_DTW, .error = &error};
        value_t expected = VALUE_NONE;
        value_t value = VALUE_NONE;
        int n_nodes = 0;
        const bool known = resolve(&state, &expected, &n_nodes);
        const einspul_status status = query_state(&query, &state, &value);
        n_remembered += status == EINSPUL_OK && query.memo.states.n > 0;
        query_finish(&query);
        if (!known && n_nodes > MOST_NODES)
            continue;
        cr_assert_eq(status, known ? EINSPUL_OK : EINSPUL_NO_TABLE, "%s", error.text);
        if (!known)
            continue;
        n_answered++;
        cr_assert_eq(value, expected, "%d, not %d", value, expected);
    }
    cr_assert_gt(n_answered, 200, "%d answered", n_answered);
    cr_assert_gt(n_remembered, 20, "%d with something to remember", n_remembered);
    einspul_close(handle);
}

/* Wrong: a batch, or the list of moves, answers something else than a probe. */
Test(crowded, every_way_to_ask_agrees)
{
    enum { N = 400 };
    static einspul_position positions[N];
    static einspul_outcome outcomes[N];
    static einspul_status statuses[N];
    static int plies[N];
    einspul *handle = open_world((size_t)16 << 20);
    uint64_t seed = 43;
    for (int i = 0; i < N; i++) {
        const struct state state = world_random_crowd(&world, 24, &seed);
        probe_position_from_state(&state, &positions[i]);
    }
    positions[N / 2] = position_of(handle, endless);
    probe_positions(handle, positions, N, EINSPUL_DTW, 0, outcomes, plies, statuses, NULL);
    for (int i = 0; i < N; i++) {
        einspul_error error = {0};
        einspul_outcome outcome = EINSPUL_DRAW;
        struct probed_move best;
        size_t n_moves = 0;
        int n_plies = 0;
        const einspul_status status =
            probe_position(handle, &positions[i], EINSPUL_DTW, 0, &outcome, &n_plies, &error);
        cr_assert_eq(status, statuses[i], "%d: %s", i, error.text);
        cr_assert_eq(status == EINSPUL_TOO_COMPLEX, i == N / 2, "%s", error.text);
        if (status != EINSPUL_OK)
            continue;
        cr_assert(outcome == outcomes[i] && n_plies == plies[i]);
        if (probe_moves(handle, &positions[i], &best, NULL, 1, &n_moves, &error) == EINSPUL_OK)
            cr_assert(best.outcome == outcome && best.plies == n_plies);
    }
    einspul_close(handle);
}

/* Wrong: a probe goes on for minutes, or says that something else is the matter. */
Test(crowded, too_much_work_has_a_name)
{
    einspul *handle = open_world(0);
    const einspul_position position = position_of(handle, endless);
    const einspul_position other = position_of(handle, "W:WK1,32:BK45");
    const einspul_position both[2] = {position, other};
    einspul_error error = {0};
    einspul_outcome outcome = EINSPUL_DRAW;
    einspul_outcome outcomes[2];
    einspul_status statuses[2];
    struct probed_move move;
    size_t n_moves = 7;
    int plies = 0;
    cr_assert_eq(EINSPUL_TOO_COMPLEX, 44);
    cr_assert_str_eq(einspul_status_name(EINSPUL_TOO_COMPLEX), "TOO_COMPLEX");
    cr_assert_eq(probe_position(handle, &position, EINSPUL_WDL, 0, &outcome, NULL, &error),
                 EINSPUL_TOO_COMPLEX);
    cr_assert_not_null(strstr(error.text, "more captures than"), "%s", error.text);
    cr_assert_eq(
        probe_position(handle, &position, EINSPUL_WDL, EINSPUL_CACHE_ONLY, &outcome, NULL, NULL),
        EINSPUL_TOO_COMPLEX);
    cr_assert_eq(probe_position(handle, &position, EINSPUL_DTW, 0, &outcome, &plies, &error),
                 EINSPUL_TOO_COMPLEX);
    cr_assert_eq(probe_moves(handle, &position, &move, NULL, 1, &n_moves, &error),
                 EINSPUL_TOO_COMPLEX);
    cr_assert_eq(n_moves, 0);
    cr_assert_not_null(strstr(error.text, "more ways to capture"), "%s", error.text);
    cr_assert_eq(all_moves("frisian", &position, &move, 1, &n_moves, &error), EINSPUL_TOO_COMPLEX);
    cr_assert_eq(probe_positions(handle, both, 2, EINSPUL_WDL, 0, outcomes, NULL, statuses, &error),
                 EINSPUL_TOO_COMPLEX);
    cr_assert_eq(statuses[0], EINSPUL_TOO_COMPLEX);
    cr_assert_eq(statuses[1], EINSPUL_OK);
    cr_assert_eq(probe_position(handle, &other, EINSPUL_WDL, 0, &outcome, NULL, &error),
                 EINSPUL_OK);
    cr_assert_eq(outcome, outcomes[1]);
    einspul_close(handle);
}

/* The work that is just enough for a state. */
static uint32_t work_needed(einspul *handle, const struct state *state)
{
    uint32_t least = 0;
    uint32_t most = MOST_WORK;
    while (least < most) { /* more than `most` is not needed, less than `least` is too little */
        const uint32_t allowed = least + (most - least) / 2;
        einspul_error error = {0};
        struct query query = {
            .handle = handle, .metric = EINSPUL_DTW, .work = MOST_WORK - allowed, .error = &error};
        value_t value = VALUE_NONE;
        const einspul_status status = query_state(&query, state, &value);
        query_finish(&query);
        cr_assert(status == EINSPUL_OK || status == EINSPUL_TOO_COMPLEX, "%s", error.text);
        if (status == EINSPUL_OK)
            most = allowed;
        else
            least = allowed + 1;
    }
    return most;
}

/* Wrong: the bound depends on what happens to be in memory, so the same question has two
 * answers. */
Test(crowded, the_bound_counts_work_alone)
{
    einspul *warm = open_world((size_t)16 << 20);
    einspul *cold = open_world(0);
    uint64_t seed = 47;
    int n_met = 0;
    while (n_met < 40) {
        const struct state state = world_random_crowd(&world, 20, &seed);
        value_t value = VALUE_NONE;
        if (probe_state(warm, &state, EINSPUL_DTW, 0, &value, NULL) != EINSPUL_OK)
            continue;
        const uint32_t needed = work_needed(warm, &state);
        cr_assert_gt(needed, 0);
        cr_assert_eq(work_needed(cold, &state), needed);
        n_met++;
    }
    einspul_close(warm);
    einspul_close(cold);
}
