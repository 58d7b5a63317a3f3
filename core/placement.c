/* The check of a position: a few set operations, as every probe makes it. */
#include "core/placement.h"

/* Whether the clock, and the side it limits, are possible. */
static bool clock_is_legal(const struct rules *rules, const struct state *state)
{
    const struct placement *at = &state->at;
    if (state->limited == 0)
        return state->clock == 0 || placement_has_clock(rules, at);
    return state->limited <= 1 + BLACK && state->clock > 0 && rules->two_kings_limit > 0 &&
           (at->men[WHITE] | at->men[BLACK]) == 0 &&
           squares_count(at->kings[WHITE] | at->kings[BLACK]) <= 2;
}

einspul_status state_check(const struct rules *rules, const struct state *state, bool may_be_over,
                           einspul_error *error)
{
    const struct board *board = &rules->board;
    const struct placement *at = &state->at;
    squares_t seen = 0;

    if (at->side != WHITE && at->side != BLACK)
        return error_set(error, EINSPUL_BAD_POSITION,
                         "the side to move is neither White nor Black");
    for (int side = WHITE; side <= BLACK; side++) {
        const squares_t sets[2] = {at->men[side], at->kings[side]};
        for (int kind = 0; kind < 2; kind++) {
            if ((sets[kind] & ~board->all) != 0)
                return error_set(error, EINSPUL_BAD_POSITION, "square %d is not on the board",
                                 squares_first(sets[kind] & ~board->all) + 1);
            if ((sets[kind] & seen) != 0)
                return error_set(error, EINSPUL_BAD_POSITION, "square %d is used twice",
                                 squares_first(sets[kind] & seen) + 1);
            seen |= sets[kind];
        }
        if ((at->men[side] & board->promotion[side]) != 0)
            return error_set(error, EINSPUL_BAD_POSITION,
                             "the %s man on %d stands on its promotion row",
                             side_word((enum side)side),
                             squares_first(at->men[side] & board->promotion[side]) + 1);
        if (placement_own(at, (enum side)side) == 0 &&
            !(may_be_over && side == (int)at->side && placement_occupied(at) != 0))
            return error_set(error, EINSPUL_BAD_POSITION, "%s has no pieces",
                             side_name((enum side)side));
    }
    for (int side = WHITE; side <= BLACK; side++) {
        const struct run run = state->run[side];
        if (run.count == 0)
            continue;
        if (rules->king_run_limit == 0)
            return error_set(error, EINSPUL_BAD_POSITION, "a king run under the rule set '%s'",
                             rules->name);
        if (run.count > rules->king_run_limit)
            return error_set(error, EINSPUL_BAD_POSITION, "%s's king run counts %d, at most %d",
                             side_name((enum side)side), run.count, rules->king_run_limit);
        if (run.square >= board->n_squares || (at->kings[side] & square_bit(run.square)) == 0)
            return error_set(
                error, EINSPUL_BAD_POSITION, "%s's king run is on %d, where no king of %s stands",
                side_name((enum side)side), run.square + 1, side_name((enum side)side));
        if (at->men[side] == 0)
            return error_set(error, EINSPUL_BAD_POSITION, "%s has a king run but no man",
                             side_name((enum side)side));
    }
    if (clock_is_legal(rules, state))
        return EINSPUL_OK;
    if (state->limited != 0)
        return error_set(error, EINSPUL_BAD_POSITION,
                         "a limit that outlasted two kings against one, but more than two "
                         "kings, or no clock");
    return error_set(error, EINSPUL_BAD_POSITION,
                     "a clock of %d plies, but the material is not limited", state->clock);
}
