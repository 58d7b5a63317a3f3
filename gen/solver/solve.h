/* Solvers: from classes and seeds of a frame to its values. All solvers give the same values. */
#ifndef EINSPUL_GEN_SOLVER_SOLVE_H
#define EINSPUL_GEN_SOLVER_SOLVE_H

#include "gen/seeds/seed.h"

/* A solver's functions for values of one size, and the seeds that go with it.
 *
 * A worker solves frames of a material one after the other, on `n_threads` threads: seeds->create and
 * `create` make what it needs for that, `bytes` is how much both take. For every frame comes first
 * seeds->make. Then `start` takes the seeds over, `decide` decides all that simple king moves decide,
 * and `read` fills frame->value for all possible placements; with METRIC_WDL only the signs are meant.
 * NO_MEMORY; TOO_LONG for a distance beyond most_plies of the frame's context. */
struct solver_functions {
    const struct seeds *seeds;
    enum status (*create)(const struct frame_context *context, int n_threads, void **solver);
    void (*destroy)(void *solver); /* NULL is allowed */
    uint64_t (*bytes)(const struct shape *shape, enum metric metric, int n_threads, bool large);
    enum status (*start)(void *solver, struct frame *frame, struct error *error);
    enum status (*decide)(void *solver, struct error *error);
    void (*read)(void *solver, struct frame *frame);
};

extern const struct solver_functions solver_plain_8, solver_plain_16;
extern const struct solver_functions solver_fast_8, solver_fast_16;
extern const struct solver_functions solver_clock_8, solver_clock_16;

struct solver_type {
    const char *name;
    uint64_t large_states; /* frames of more states for a side to move are large (frame.h) */
    const struct solver_functions *sized[2]; /* by bytes of a value - 1 */
};

static inline bool solver_is_large(const struct solver_type *type, const struct shape *shape)
{
    return shape->frame_size * (uint64_t)shape->n_run_states > type->large_states;
}

/* Start, decide and read. */
enum status solver_solve(const struct solver_functions *functions, void *solver,
                         struct frame *frame, struct error *error);

/* Squares a king on `square` reaches by simple moves over `empty` squares. */
static inline squares_t king_slides(const struct rules *rules, int square, squares_t empty)
{
    squares_t reach = 0;
    for (int direction = NORTH_WEST; direction <= SOUTH_EAST; direction++) {
        for (int to = rules->board.next[direction][square];
             to != NO_SQUARE && (empty & square_bit(to)) != 0;
             to = rules->board.next[direction][to]) {
            reach |= square_bit(to);
            if (!rules->flying_kings)
                break;
        }
    }
    return reach;
}

/* The one to read beside the rules: a state at a time, back from what is known. */
extern const struct solver_type solver_plain;

/* The one to use: words of states, back from what is known. */
extern const struct solver_type solver_fast;

/* The one of material that is stored with its clock, whichever of the others was chosen. */
extern const struct solver_type solver_clock;

static inline const struct solver_type *solver_of(const struct shape *shape,
                                                  const struct solver_type *chosen)
{
    return shape->n_clocks > 1 ? &solver_clock : chosen;
}

#endif
