/* Probes for engines that keep no king runs and no clock: the worst and the best a position can be.
 *
 * More run never helps its owner (docs/rules.md), so the worst for a side is one of its kings
 * having moved three times in a row, whichever that is, and the other side's run fresh; the best is
 * the other way round. More clock never helps the side it limits: the two ends are a fresh clock
 * and the last ply on which that side can still win. */
#include "probe/handle.h"

/* The lowest value over all own kings at the limit (`side` to move), the other side fresh; or the
 * highest over those of the other side. */
static enum status extreme(einspul *handle, const struct state *fresh, enum side runner,
                           unsigned flags, value_t *value, struct error *error)
{
    const struct rules *rules = &handle->rules;
    struct state state = *fresh;
    enum status status = probe_state(handle, &state, METRIC_WDL, flags, value, error);
    if (!placement_has_runs(rules, &state.at, runner))
        return status;
    for (squares_t left = state.at.kings[runner]; left != 0 && status == STATUS_OK;
         left &= left - 1) {
        value_t found = VALUE_DRAW;
        state.run[runner] =
            (struct run){(uint8_t)squares_first(left), (uint8_t)rules->king_run_limit};
        status = probe_state(handle, &state, METRIC_WDL, flags, &found, error);
        if (runner == state.at.side ? found < *value : found > *value)
            *value = found;
    }
    return status;
}

/* Values with the limit of one side as late as it can be. In 2K v 1K that is known; one king each
 * may have come from there, with either side's moves all made. */
static enum status clock_bounds(einspul *handle, const struct state *fresh, unsigned flags,
                                value_t *worst, value_t *best, struct error *error)
{
    const enum side mover = fresh->at.side;
    struct state late = *fresh;
    enum status status = probe_state(handle, fresh, METRIC_WDL, flags, worst, error);
    *best = *worst;
    if (status != STATUS_OK)
        return status;
    if (!placement_has_clock(&handle->rules, &fresh->at)) {
        if (value_outcome(*worst) == OUTCOME_WIN)
            *worst = VALUE_DRAW;
        if (value_outcome(*best) == OUTCOME_LOSS)
            *best = VALUE_DRAW;
        return STATUS_OK;
    }
    late.clock = (uint8_t)(2 * handle->rules.two_kings_limit - 1);
    return probe_state(handle, &late, METRIC_WDL, flags,
                       state_limited_side(fresh) == mover ? worst : best, error);
}

static enum status bounds(einspul *handle, const einspul_position *position, unsigned flags,
                          value_t *worst, value_t *best, struct error *error)
{
    struct state state;
    enum status status = probe_state_from_position(handle, position, &state, error);
    if (status != STATUS_OK)
        return status;
    const struct state fresh = {.at = state.at};
    const bool kings_only = (fresh.at.men[WHITE] | fresh.at.men[BLACK]) == 0;
    const int n_pieces = squares_count(placement_occupied(&fresh.at));
    if (handle->rules.two_kings_limit > 0 && kings_only && n_pieces <= 3 &&
        placement_own(&fresh.at, fresh.at.side) != 0)
        return clock_bounds(handle, &fresh, flags, worst, best, error);
    status = extreme(handle, &fresh, fresh.at.side, flags, worst, error);
    if (status == STATUS_OK)
        status = extreme(handle, &fresh, side_other(fresh.at.side), flags, best, error);
    return status;
}

einspul_status einspul_probe_bounds(einspul *handle, const einspul_position *position,
                                    unsigned flags, einspul_outcome *worst, einspul_outcome *best,
                                    einspul_error *error)
{
    struct error own = {STATUS_OK, ""};
    struct error *inner = error == NULL ? NULL : &own;
    einspul_position unknown = *position;
    value_t lowest = VALUE_DRAW;
    value_t highest = VALUE_DRAW;
    for (int side = WHITE; side <= BLACK; side++)
        unknown.run_count[side] = 0;
    unknown.clock = 0;
    unknown.limited = 0;
    const enum status status = bounds(handle, &unknown, flags, &lowest, &highest, inner);
    if (status == STATUS_OK) {
        *worst = (einspul_outcome)value_outcome(lowest);
        *best = (einspul_outcome)value_outcome(highest);
    }
    return public_error(status, &own, error);
}
