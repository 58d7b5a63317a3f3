/* Bounds for engines that keep no king runs and no clock.
 *
 * A longer run never helps its owner (docs/rules.md), so the worst case for a side is that one of
 * its kings has moved three times in a row and the other side has no run; the best case is the
 * opposite. A later clock never helps the side it limits: the two extremes are a fresh clock and
 * one that has run out, with which that side cannot win. */
#include "probe/query.h"

/* The extreme over the fresh state and all states in which a king of `runner` is at the limit: the
 * lowest value if `runner` is to move, otherwise the highest. */
static einspul_status extreme(struct query *query, const struct state *fresh, enum side runner,
                              value_t *value)
{
    const struct rules *rules = &query->handle->rules;
    struct state state = *fresh;
    einspul_status status = query_state(query, &state, value);
    if (!placement_has_runs(rules, &state.at, runner))
        return status;
    for (squares_t left = state.at.kings[runner]; left != 0 && status == EINSPUL_OK;
         left &= left - 1) {
        value_t found = VALUE_DRAW;
        state.run[runner] =
            (struct run){(uint8_t)squares_first(left), (uint8_t)rules->king_run_limit};
        status = query_state(query, &state, &found);
        if (runner == state.at.side ? found < *value : found > *value)
            *value = found;
    }
    return status;
}

/* Values in material whose clock may have run out: for the two kings in 2K v 1K, and for either
 * side in K v K, which may have come from there. */
static einspul_status clock_bounds(struct query *query, const struct state *fresh, value_t *worst,
                                   value_t *best)
{
    const enum side mover = fresh->at.side;
    const bool one_each = !placement_has_clock(&query->handle->rules, &fresh->at);
    const einspul_status status = query_state(query, fresh, worst);
    *best = *worst;
    if (status != EINSPUL_OK)
        return status;
    if (value_outcome(*worst) == EINSPUL_WIN && (one_each || state_limited_side(fresh) == mover))
        *worst = VALUE_DRAW;
    if (value_outcome(*best) == EINSPUL_LOSS && (one_each || state_limited_side(fresh) != mover))
        *best = VALUE_DRAW;
    return EINSPUL_OK;
}

/* Values with a fresh clock and one that has run out, where a lone king has a draw after so many
 * plies: that takes the win from either side. */
static einspul_status lone_king_bounds(struct query *query, const struct state *fresh, int limit,
                                       value_t *worst, value_t *best)
{
    struct state late = *fresh;
    value_t last = VALUE_DRAW;
    late.clock = (uint8_t)limit;
    einspul_status status = query_state(query, fresh, worst);
    *best = *worst;
    if (status == EINSPUL_OK)
        status = query_state(query, &late, &last);
    *worst = last < *worst ? last : *worst;
    *best = last > *best ? last : *best;
    return status;
}

static einspul_status bounds(struct query *query, const struct state *fresh, value_t *worst,
                             value_t *best)
{
    const struct rules *rules = &query->handle->rules;
    if (rules->two_kings_limit == 0 && placement_has_clock(rules, &fresh->at) &&
        placement_own(&fresh->at, fresh->at.side) != 0)
        return lone_king_bounds(query, fresh, placement_limit(rules, &fresh->at), worst, best);
    const bool kings_only = (fresh->at.men[WHITE] | fresh->at.men[BLACK]) == 0;
    const int n_pieces = squares_count(placement_occupied(&fresh->at));
    if (query->handle->rules.two_kings_limit > 0 && kings_only && n_pieces <= 3 &&
        placement_own(&fresh->at, fresh->at.side) != 0)
        return clock_bounds(query, fresh, worst, best);
    const einspul_status status = extreme(query, fresh, fresh->at.side, worst);
    return status == EINSPUL_OK ? extreme(query, fresh, side_other(fresh->at.side), best) : status;
}

einspul_status probe_bounds(einspul *handle, const einspul_position *position, unsigned flags,
                            einspul_outcome *worst, einspul_outcome *best, einspul_error *error)
{
    einspul_position unknown = *position;
    value_t lowest = VALUE_DRAW;
    value_t highest = VALUE_DRAW;
    for (int side = WHITE; side <= BLACK; side++)
        unknown.run_count[side] = 0;
    if (handle->rules.quiet_limit == 0)
        unknown.clock = 0;
    unknown.limited = 0;
    struct query query = {.handle = handle,
                          .metric = EINSPUL_WDL,
                          .cached_only = (flags & EINSPUL_CACHE_ONLY) != 0,
                          .error = error};
    struct state state;
    einspul_status status = state_from_position(&handle->rules, &unknown, &state, error);
    if (status == EINSPUL_OK)
        status = handle->rules.quiet_limit > 0
                     ? query_both(&query, &state, &lowest, &highest)
                     : bounds(&query, &(struct state){.at = state.at}, &lowest, &highest);
    query_finish(&query);
    if (status == EINSPUL_OK) {
        *worst = value_outcome(lowest);
        *best = value_outcome(highest);
    }
    return status;
}
