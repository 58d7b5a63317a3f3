/* Checks made by every probe, with a few bitboard operations: is there a capture, and is the state
 * legal? */
#include "core/placement.h"

/* Fast because few enemy pieces are within reach of a piece, and one mask test decides each. */
static bool any_capture(const struct board *board, const squares_t *reach, squares_t own,
                        squares_t enemy, squares_t occupied)
{
    for (; own != 0; own &= own - 1) {
        const int from = bits_first(own);
        for (squares_t left = reach[from] & enemy; left != 0; left &= left - 1)
            if ((board->jump[from][bits_first(left)] & occupied) == 0)
                return true;
    }
    return false;
}

bool placement_has_capture(const struct rules *rules, const struct placement *placement)
{
    const enum side side = placement->side;
    const squares_t enemy = placement_own(placement, side_other(side));
    const squares_t occupied = placement_occupied(placement);

    return any_capture(&rules->board, rules->king_reach, placement->kings[side], enemy, occupied) ||
           any_capture(&rules->board, rules->man_reach[side], placement->men[side], enemy,
                       occupied);
}

/* True if the clock, and the side it limits, are possible. */
static bool clock_is_legal(const struct rules *rules, const struct state *state)
{
    const struct placement *at = &state->at;
    if (state->limited == 0)
        return state->clock == 0 || placement_limit(rules, at) > 0;
    return state->limited <= 1 + BLACK && state->clock > 0 && rules->two_kings_limit > 0 &&
           (at->men[WHITE] | at->men[BLACK]) == 0 &&
           bits_count(at->kings[WHITE] | at->kings[BLACK]) <= 2;
}

/* Reports the error in a side's pieces: squares off the board or used twice, no pieces, or
 * men on their promotion row. */
static einspul_status bad_pieces(const struct board *board, const struct placement *at,
                                 enum side side, squares_t seen, einspul_error *error)
{
    const squares_t men = at->men[side];
    const squares_t own = placement_own(at, side);
    const squares_t beyond = own & ~board->all;
    const squares_t twice = (own & seen) | (men & at->kings[side]);
    if (beyond != 0)
        return error_set(error, EINSPUL_BAD_POSITION, "square %d is not on the board",
                         bits_first(beyond) + 1);
    if (twice != 0)
        return error_set(error, EINSPUL_BAD_POSITION, "square %d is used twice",
                         bits_first(twice) + 1);
    if (own == 0)
        return error_set(error, EINSPUL_BAD_POSITION, "%s has no pieces", side_name(side));
    return error_set(error, EINSPUL_BAD_POSITION,
                     "a %s man cannot stand on %d: it would have been promoted", side_word(side),
                     bits_first(men & board->promotion[side]) + 1);
}

/* Reports the error in a side's run. */
static einspul_status bad_run(const struct rules *rules, const struct state *state, enum side side,
                              einspul_error *error)
{
    const struct run run = state->run[side];
    const char *name = side_name(side);
    if (rules->king_run_limit == 0)
        return error_set(error, EINSPUL_BAD_POSITION, "the rule set '%s' has no king runs",
                         rules->name);
    if (run.count > rules->king_run_limit)
        return error_set(error, EINSPUL_BAD_POSITION, "%s's king run is %d (at most %d)", name,
                         run.count, rules->king_run_limit);
    if (run.square >= rules->board.n_squares ||
        (state->at.kings[side] & square_bit(run.square)) == 0)
        return error_set(error, EINSPUL_BAD_POSITION,
                         "%s's king run names %d, but there is no %s king there", name,
                         run.square + 1, name);
    return error_set(error, EINSPUL_BAD_POSITION,
                     "%s has a king run but no man (only a side with a man has one)", name);
}

einspul_status state_check(const struct rules *rules, const struct state *state,
                           einspul_error *error)
{
    const struct board *board = &rules->board;
    const struct placement *at = &state->at;
    squares_t seen = 0;

    if (state_is_simple(rules, state))
        return EINSPUL_OK;
    if (at->side != WHITE && at->side != BLACK)
        return error_set(error, EINSPUL_BAD_POSITION,
                         "the side to move is neither White nor Black");
    for (int i = WHITE; i <= BLACK; i++) {
        const enum side side = (enum side)i;
        const squares_t own = placement_own(at, side);
        const squares_t wrong = (own & seen) | wrong_squares(board, at, side);
        const bool is_empty = own == 0 && !(side == at->side && placement_occupied(at) != 0);
        if (wrong != 0 || is_empty)
            return bad_pieces(board, at, side, seen, error);
        seen |= own;
        if (!run_is_legal(rules, state, side))
            return bad_run(rules, state, side, error);
    }
    if ((state->clock == 0 && state->limited == 0) || clock_is_legal(rules, state))
        return EINSPUL_OK;
    return error_set(error, EINSPUL_BAD_POSITION,
                     state->limited == 0
                         ? "a clock is given, but this material has no move limit"
                         : "a limit that continues after the capture (L) requires at most two "
                           "kings and a clock");
}
