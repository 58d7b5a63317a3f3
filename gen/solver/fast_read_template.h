/* What the fast solver found, into the frame: a placement's values for all its run states, from the
 * seeds of a capture, or gathered from the planes through tables of where each run stands. */
#ifndef EINSPUL_GEN_SOLVER_FAST_READ_TEMPLATE_H
#define EINSPUL_GEN_SOLVER_FAST_READ_TEMPLATE_H

#include "gen/solver/fast_template.h"

#include <string.h>

/* Draws are what is still open. No state is open and won. */
static inline value_t outcome_at(const cells_t *won, const cells_t *open, size_t at)
{
    const unsigned is_won = (unsigned)(won[at / WORD_CELLS] >> (at % WORD_CELLS) & 1);
    const unsigned is_open = (unsigned)(open[at / WORD_CELLS] >> (at % WORD_CELLS) & 1);
    return (value_t)(VALUE_LOST + is_open * VALUE_DRAW + is_won * VALUE_WIN_IN_1);
}

/* The values of a placement by White's run and Black's; a state stands at white_at + black_at. */
static inline void read_quiet(const struct fast_side *side, const size_t n_runs[2],
                              const size_t *white_at, const size_t *black_at, value_t *value)
{
    const value_t *distance = side->value;
    const cells_t *won = side->won;
    const cells_t *open = side->open;

    for (size_t white_run = 0; distance != NULL && white_run < n_runs[WHITE]; white_run++)
        for (size_t black_run = 0; black_run < n_runs[BLACK]; black_run++)
            *value++ = distance[white_at[white_run] + black_at[black_run]];
    for (size_t white_run = 0; distance == NULL && white_run < n_runs[WHITE]; white_run++)
        for (size_t black_run = 0; black_run < n_runs[BLACK]; black_run++)
            *value++ = outcome_at(won, open, white_at[white_run] + black_at[black_run]);
}

/* A capture has its seed for its value, by the run of the side not to move. */
static inline void read_seed(int to_move, const size_t n_runs[2], const value_t *seed,
                             value_t *value)
{
    for (size_t white_run = 0; white_run < n_runs[WHITE]; white_run++)
        for (size_t black_run = 0; black_run < n_runs[BLACK]; black_run++)
            *value++ = seed[to_move == WHITE ? black_run : white_run];
}

/* The placements of one side to move with sets of White's kings of ranks first .. last - 1. */
static void read_white_sets(const struct solver *solver, struct frame *frame, int to_move,
                            uint32_t first, uint32_t last)
{
    const struct shape *shape = &solver->context->shape;
    const struct fast_side *side = &solver->side[to_move];
    const bool has_kings = side->own->n_kings > 0;
    const size_t n_black = shape->n_king_sets[BLACK];
    const size_t n_runs[2] = {(size_t)shape->n_runs[WHITE], (size_t)shape->n_runs[BLACK]};
    const size_t n_other_runs = n_runs[!to_move];
    const size_t n_run_states = n_runs[WHITE] * n_runs[BLACK];
    const size_t *white_at = to_move == WHITE ? side->own_at : side->other_at;
    const size_t *black_at = to_move == WHITE ? side->other_at : side->own_at;
    const uint8_t *class_of = frame->class_of[to_move] + first * n_black;
    const value_t *seed = (const value_t *)frame->seed[to_move] + first * n_black * n_other_runs;
    value_t *value = (value_t *)frame->value[to_move] + first * n_black * n_run_states;

    for (size_t white = first; white < last; white++) {
        for (size_t black = 0; black < n_black; black++) {
            if (*class_of == CLASS_QUIET && has_kings)
                read_quiet(side, n_runs, white_at + white * n_runs[WHITE],
                           black_at + black * n_runs[BLACK], value);
            else if (*class_of != CLASS_IMPOSSIBLE)
                read_seed(to_move, n_runs, seed, value);
            class_of++;
            seed += n_other_runs;
            value += n_run_states;
        }
    }
}

/* Without kings nothing moves inside the frame: a placement is worth its seed. */
static void copy_seeds(struct frame *frame)
{
    const struct shape *shape = &frame->context->shape;
    for (int to_move = WHITE; to_move <= BLACK; to_move++)
        memcpy(frame->value[to_move], frame->seed[to_move],
               (size_t)shape->frame_size * sizeof(value_t));
}

/* Fills frame->value from the seeds of captures and from what waves decided. */
static void fast_read(void *self, struct frame *frame)
{
    struct solver *solver = self;
    const struct shape *shape = &solver->context->shape;
    const uint32_t n_white = shape->n_king_sets[WHITE];
    if (solver->large)
        return; /* values were entered there */
    if (!solver->has_kings) {
        copy_seeds(frame);
        return;
    }
    if (solver->n_threads == 1) {
        for (int to_move = WHITE; to_move <= BLACK; to_move++)
            read_white_sets(solver, frame, to_move, 0, n_white);
        return;
    }
#pragma omp parallel for num_threads(solver->n_threads)
    for (uint32_t white = 0; white < n_white; white++)
        for (int to_move = WHITE; to_move <= BLACK; to_move++)
            read_white_sets(solver, frame, to_move, white, white + 1);
}

#endif
