/* Numbers of placements and rule states as docs/format.md defines them; generator and prober
 * compute them in parts. */
#ifndef EINSPUL_TESTS_SUPPORT_RANKS_H
#define EINSPUL_TESTS_SUPPORT_RANKS_H

#include "core/program/index.h"
#include "core/rank.h"

/* The index of a side's run: the inverse of run_from_index. */
static inline int run_index(squares_t kings, struct run run)
{
    return run_index_of(bits_count(kings & (square_bit(run.square) - 1)), run.count);
}

/* The index of a placement that has the shape's material: the inverse of shape_unrank. */
static inline uint64_t shape_rank(const struct shape *shape, const struct placement *placement)
{
    return shape_frame(shape, placement) * shape->frame_size + shape_kings(shape, placement);
}

/* The index of a state's runs, or its clock: the inverse of shape_set_runs. */
static inline int shape_run_index(const struct shape *shape, const struct state *state)
{
    int run[2] = {0, 0};
    if (shape->n_clocks > 1)
        return state->clock;
    for (int side = WHITE; side <= BLACK; side++)
        if (shape->n_runs[side] > 1)
            run[side] = run_index(state->at.kings[side], state->run[side]);
    return shape_rule_state(shape, run[WHITE], run[BLACK]);
}

#endif
