/* Probes of positions whose captures lead into small tables: up to eight pieces are resolved, more
 * are refused. */
#include "probe/list_moves.h"
#include "probe/probe.h"
#include "tests/support/synthetic_fixture.h"

TestSuite(exchanges, .init = create_synthetic_set, .fini = drop_synthetic_set);

enum { N_POSITIONS = 30000, MAX_NODES = 200000 };

/* The value from the rules and the tables only, following every capture; stops at a win in one ply,
 * as probes do. Returns false if a table is missing, or after too many states. */
static bool resolve(const struct state *state, value_t *value, int *n_nodes)
{
    const bool has_pieces = placement_own(&state->at, state->at.side) != 0;
    if (++*n_nodes > MAX_NODES)
        return false;
    if (!has_pieces || !placement_has_capture(&synthetic.rules, &state->at)) {
        if (bits_count(placement_occupied(&state->at)) > 3)
            return false;
        *value = synthetic_set_value(&synthetic, state, false);
        return true;
    }
    if (state_limit(&synthetic.rules, state) > 0) {
        *value = synthetic_set_value(&synthetic, state, false);
        return true;
    }
    struct move_list list;
    value_t best = VALUE_LOST;
    bool known = true;
    move_list_init(&list);
    cr_assert_eq(moves_captures(&synthetic.rules, &state->at, &list), EINSPUL_OK);
    for (int i = 0; i < list.n_moves && known; i++)
        if (list.moves[i].captured == placement_own(&state->at, side_other(state->at.side)))
            best = VALUE_WIN_IN_1;
    for (int i = 0; i < list.n_moves && known && best < VALUE_WIN_IN_1; i++) {
        const struct state after = state_after(&synthetic.rules, state, &list.moves[i]);
        value_t after_value = VALUE_LOST;
        known = resolve(&after, &after_value, n_nodes);
        if (value_before(after_value) > best)
            best = value_before(after_value);
    }
    move_list_free(&list);
    *value = best;
    return known;
}

static bool takes_more_than_listed(const struct state *state)
{
    struct capture list[CAPTURES_ROOM];
    return captures_list(&synthetic.rules, &state->at, list) == CAPTURES_MANY;
}

/* Fails if one of many captures is missed, or the values that a probe keeps on its way change its
 * answer. */
Test(exchanges, answers_are_those_of_every_capture)
{
    einspul *handle = open_synthetic((size_t)16 << 20);
    uint64_t seed = 41;
    int n_answered = 0;
    int n_many = 0;
    for (int i = 0; i < N_POSITIONS; i++) {
        const struct state state = synthetic_set_random_crowd(&synthetic, 6, &seed);
        einspul_error error = {0};
        struct query query = {.handle = handle,
                              .metric = EINSPUL_DTW,
                              .n_states = i % 2 == 0 ? 0 : QUICK_STATES,
                              .error = &error};
        value_t expected = VALUE_NONE;
        value_t value = VALUE_NONE;
        int n_nodes = 0;
        const bool known = resolve(&state, &expected, &n_nodes);
        const einspul_status status = query_state(&query, &state, &value);
        cr_assert_leq(n_nodes, MAX_NODES);
        cr_assert_eq(status, known ? EINSPUL_OK : EINSPUL_NO_TABLE, "%s", error.text);
        if (!known)
            continue;
        n_answered++;
        n_many += takes_more_than_listed(&state);
        cr_assert_eq(value, expected, "%d, not %d", value, expected);
    }
    cr_assert_gt(n_answered, 1000, "%d answered", n_answered);
    cr_assert_gt(n_many, 0, "none with many captures");
    einspul_close(handle);
}

/* Fails if a probe follows captures of many pieces, for seconds, where no table can answer, or if a
 * finished game is refused. */
Test(exchanges, more_pieces_than_tables_have_are_refused)
{
    einspul *handle = open_synthetic(0);
    const einspul_position nine = position_of(handle, "W:WK50:B7,8,9,10,17,18,19,20");
    const einspul_position quiet = position_of(handle, "W:WK50:B1,2,3,4,7,8,9,10");
    const einspul_position both[2] = {nine, position_of(handle, "W:WK1,32:BK45")};
    const einspul_position over = position_of(handle, "B:WK5,28,32,33,34,37,38,39,40:B");
    einspul_error error = {0};
    einspul_outcome outcome = EINSPUL_DRAW;
    einspul_outcome outcomes[2];
    struct probed_move move;
    size_t n_moves = 7;
    int plies = 0;
    cr_assert_eq(einspul_probe(handle, &nine, 0, &outcome, NULL, &error), EINSPUL_NO_TABLE);
    cr_assert_str_eq(error.text, "no table for 9 pieces (the tables have at most 8) (frisian)");
    cr_assert_eq(einspul_probe(handle, &nine, EINSPUL_CACHE_ONLY, &outcome, &plies, NULL),
                 EINSPUL_NO_TABLE);
    cr_assert_eq(probe_moves(handle, &quiet, &move, 1, &n_moves, &error), EINSPUL_NO_TABLE);
    cr_assert_eq(n_moves, 0);
    cr_assert_eq(einspul_probe_many(handle, both, 2, 0, outcomes, NULL, NULL), 1);
    cr_assert(outcomes[0] == EINSPUL_UNKNOWN && outcomes[1] != EINSPUL_UNKNOWN);
    cr_assert_eq(einspul_probe(handle, &over, 0, &outcome, &plies, &error), EINSPUL_OK);
    cr_assert(outcome == EINSPUL_LOSS && plies == 0);
    einspul_close(handle);
}
