/* Solvers: from classes and seeds of a frame to its values. All solvers give the same values. */
#ifndef EINSPUL_GEN_SOLVER_SOLVE_H
#define EINSPUL_GEN_SOLVER_SOLVE_H

#include "gen/seeds/seed.h"

struct solver;

/* A solver's functions, and those of the seeds that go with it.
 *
 * A worker solves frames of a material one after the other, on `n_threads` threads: `seeders` and
 * `create` make what it needs for that, `bytes` is how much that is. For every frame comes first
 * `seed` (seed.h). Then `start` takes the seeds over, `decide` decides all that simple king moves
 * decide, and `read` fills frame->value for all possible placements; with METRIC_WDL only the signs
 * are meant. NO_MEMORY; TOO_LONG for a distance beyond most_plies of the frame's context. */
struct solver_type {
    const char *name;
    const struct solver_type *wide; /* the same with values of two bytes; NULL: it is that one */
    uint64_t large_states; /* frames of more states for a side to move are large (frame.h) */
    enum status (*seeders)(const struct frame_context *context, int n_threads,
                           struct seeder **seeders);
    enum status (*seed)(struct seeder *seeders, struct frame *frame, struct error *error);
    enum status (*create)(const struct frame_context *context, int n_threads,
                          struct solver **solver);
    void (*destroy)(struct solver *solver);
    uint64_t (*bytes)(const struct shape *shape, enum metric metric, int n_threads, bool large);
    enum status (*start)(struct solver *solver, struct frame *frame, struct error *error);
    enum status (*decide)(struct solver *solver, struct error *error);
    void (*read)(struct solver *solver, struct frame *frame);
};

static inline bool solver_is_large(const struct solver_type *type, const struct shape *shape)
{
    return shape->frame_size * (uint64_t)shape->n_run_states > type->large_states;
}

/* Start, decide and read. */
enum status solver_solve(const struct solver_type *type, struct solver *solver, struct frame *frame,
                         struct error *error);

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

/* Solvers and seeds are compiled twice, for values of one byte and of two (value.h). Frames are solved
 * with bytes first, as half the memory is moved; few distances are longer than a byte can tell. */

/* The one to read beside the rules: a state at a time, back from what is known. */
extern const struct solver_type solver_plain, wide_solver_plain;

/* The one to use: words of states, back from what is known. */
extern const struct solver_type solver_fast, wide_solver_fast;

/* The one of material that is stored with its clock, whichever of the others was chosen. */
extern const struct solver_type solver_clock, wide_solver_clock;

static inline const struct solver_type *solver_of(const struct shape *shape,
                                                  const struct solver_type *chosen)
{
    return shape->n_clocks > 1 ? &solver_clock : chosen;
}

#endif
