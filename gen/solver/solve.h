/* Solvers: from classes and seeds of a frame to its values. All solvers give the same values. */
#ifndef EINSPUL_GEN_SOLVER_SOLVE_H
#define EINSPUL_GEN_SOLVER_SOLVE_H

#include "gen/seeds/seed.h"

/* A solver, and the seeds that go with it.
 *
 * A worker solves frames of a material one after the other, on `n_threads` threads: seeds->create
 * and `create` make what it needs for that, `bytes` is how much both take; they are NULL if nothing
 * is needed. For each frame, whose form is solver_form's, seeds->make comes first. Then `solve`
 * finds what simple king moves decide and fills frame->value, or frame->key, for all possible
 * placements; with EINSPUL_WDL as outcomes. NO_MEMORY; TOO_LONG for a loss in more than
 * MAX_LOSS_PLIES. */
struct solver_type {
    uint64_t large_states; /* frames of more states for a side to move are large (frame.h) */
    bool has_keys;         /* it writes outcomes as keys */
    const struct seeds *seeds;
    einspul_status (*create)(const struct frame_context *context, int n_threads, void **solver);
    void (*destroy)(void *solver); /* NULL is allowed */
    uint64_t (*bytes)(const struct shape *shape, einspul_metric metric, int n_threads,
                      enum frame_form form);
    einspul_status (*solve)(void *solver, struct frame *frame, einspul_error *error);
};

/* From this number of rule states on, words and keys of outcomes need less memory than the values of
 * a large frame. */
enum { MANY_RUN_STATES = 16 };

/* The form of the frames that are solved; or `loading`, filled from a table. */
static inline enum frame_form solver_form(const struct solver_type *type, const struct shape *shape,
                                          einspul_metric metric, bool loading)
{
    const bool large = shape->frame_size * (uint64_t)shape->n_rule_states > type->large_states;
    if (type->has_keys && metric == EINSPUL_WDL && !loading && shape->n_rule_states > 1 &&
        (!large || shape->n_rule_states >= MANY_RUN_STATES))
        return FRAME_KEYS;
    return large ? FRAME_LARGE : FRAME_VALUES;
}

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

/* The fast solver: retrograde analysis, a word of states at a time. */
extern const struct solver_type solver_fast;

/* The solver for material that is stored by clock; overrides the caller's choice. */
extern const struct solver_type solver_clock;

static inline const struct solver_type *solver_of(const struct shape *shape,
                                                  const struct solver_type *chosen)
{
    return shape->n_clocks > 1 ? &solver_clock : chosen;
}

#endif
