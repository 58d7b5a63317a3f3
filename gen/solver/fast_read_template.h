/* What the fast solver found, into the frame: a placement's values from the seeds of a capture, or
 * gathered from the planes through tables of where each run stands. Outcomes with runs are read as
 * keys (fast_keys_template.h), those without runs a word at a time. */
#ifndef EINSPUL_GEN_SOLVER_FAST_READ_TEMPLATE_H
#define EINSPUL_GEN_SOLVER_FAST_READ_TEMPLATE_H

#include "gen/solver/fast_keys_template.h"

#include <string.h>

/* The values of a placement by White's run and Black's; a state stands at white_at + black_at. */
static inline void read_quiet(const value_t *distance, const size_t n_runs[2],
                              const size_t *white_at, const size_t *black_at, value_t *value)
{
    for (size_t white_run = 0; white_run < n_runs[WHITE]; white_run++)
        for (size_t black_run = 0; black_run < n_runs[BLACK]; black_run++)
            *value++ = distance[white_at[white_run] + black_at[black_run]];
}

/* A capture has its seed for its value, by the run of the side not to move. */
static inline void read_seed(int to_move, const size_t n_runs[2], const value_t *seed,
                             value_t *value)
{
    for (size_t white_run = 0; white_run < n_runs[WHITE]; white_run++)
        for (size_t black_run = 0; black_run < n_runs[BLACK]; black_run++)
            *value++ = seed[to_move == WHITE ? black_run : white_run];
}

/* Distances of the placements with a set of White's kings. */
static void read_distances(struct solver *solver, const struct frame *frame, int to_move,
                           uint32_t white, cells_t *room)
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
    const uint8_t *class_of = frame->class_of[to_move] + white * n_black;
    const value_t *seed = frame->seed[to_move] + white * n_black * n_other_runs;
    value_t *value = frame->value[to_move] + white * n_black * n_run_states;

    (void)room;
    if (n_run_states == 1 && has_kings) {
        /* Which placements are quiet cannot be foreseen: no branch. */
        for (size_t black = 0; black < n_black; black++) {
            const value_t quiet = side->value[white_at[white] + black_at[black]];
            value[black] = class_of[black] == CLASS_QUIET ? quiet : seed[black];
        }
        return;
    }
    for (size_t black = 0; black < n_black; black++) {
        if (*class_of == CLASS_QUIET && has_kings)
            read_quiet(side->value, n_runs, white_at + white * n_runs[WHITE],
                       black_at + black * n_runs[BLACK], value);
        else if (*class_of != CLASS_IMPOSSIBLE)
            read_seed(to_move, n_runs, seed, value);
        class_of++;
        seed += n_other_runs;
        value += n_run_states;
    }
}

/* Outcomes without runs: those of the quiet placements with one king set of the side not to move.
 * Draws are what is still open. */
static void read_outcomes(struct solver *solver, const struct frame *frame, int to_move,
                          uint32_t other_set, cells_t *room)
{
    const struct fast_side *side = &solver->side[to_move];
    const struct layout *own = side->own;
    const size_t n_black = solver->context->shape.n_king_sets[BLACK];
    const size_t own_stride = to_move == WHITE ? n_black : 1;
    value_t *values = frame->value[to_move] + other_set * (to_move == WHITE ? 1 : n_black);
    (void)room;
    for (uint32_t rest = 0; rest < own->n_others; rest++) {
        const size_t at = (size_t)other_set * own->n_others + rest;
        const uint32_t *set_of = own->set_of + (size_t)rest * own->n_squares;
        for (cells_t left = side->quiet[at] & lowest_cells(own, rest); left != 0;
             left &= left - 1) {
            const int cell = squares_first(left);
            const unsigned won = (unsigned)(side->won[at] >> cell & 1);
            const unsigned open = (unsigned)(side->open[at] >> cell & 1);
            values[set_of[solver->square_of_cell[cell]] * own_stride] =
                (value_t)(VALUE_LOST + open * VALUE_DRAW + won * VALUE_WIN_IN_1);
        }
    }
}

static void read_values(struct solver *solver, const struct frame *frame, int to_move)
{
    const struct shape *shape = &solver->context->shape;
    if (solver->distances && solver->has_kings) {
        for_sets(solver, frame, to_move, shape->n_king_sets[WHITE], read_distances);
        return;
    }
    /* What does not move inside the frame is worth its seed. */
    memcpy(frame->value[to_move], frame->seed[to_move],
           (size_t)shape->frame_size * sizeof(value_t));
    if (solver->side[to_move].own->n_kings > 0)
        for_sets(solver, frame, to_move, shape->n_king_sets[!to_move], read_outcomes);
}

/* Fills frame->value from the seeds of captures and from what waves decided. */
static void fast_read(void *self, struct frame *frame)
{
    struct solver *solver = self;
    if (solver->large)
        return; /* values were entered there */
    for (int to_move = WHITE; to_move <= BLACK; to_move++) {
        if (solver->context->has_keys)
            fast_keys_read(solver, frame, to_move);
        else
            read_values(solver, frame, to_move);
    }
}

#endif
