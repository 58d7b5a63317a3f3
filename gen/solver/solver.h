/* Solvers: from classes and seeds of a frame to its values. All solvers give the same values. */
#ifndef EINSPUL_GEN_SOLVER_SOLVER_H
#define EINSPUL_GEN_SOLVER_SOLVER_H

#include "gen/seeds/seeds.h"

/* A solver, and the seeds that go with it.
 *
 * A worker solves frames of a material one after the other, on `n_threads` threads: seeds->create
 * and `create` make its work space, `bytes` is the size of that of `create`; they are NULL if none is
 * needed. For each frame, whose form is solver_form's, seeds->make comes first. Then `solve` applies
 * simple king moves and fills frame->value, or frame->key, for all possible placements, except
 * captures if frame_keeps_seeds; with EINSPUL_WDL as outcomes. NO_MEMORY; TOO_LONG for a loss in more
 * than MAX_LOSS_PLIES. */
struct solver_ops {
    uint64_t large_states;   /* frames of more states for a side to move are large (frame.h) */
    uint64_t key_placements; /* outcomes with runs are keys in frames of at most so many placements,
                                and of MANY_RUN_STATES; 0: never */
    const struct seed_ops *seeds;
    einspul_status (*create)(const struct frame_context *context, int n_threads, void **solver);
    void (*destroy)(void *solver); /* NULL is allowed */
    uint64_t (*bytes)(const struct shape *shape, einspul_metric metric, int n_threads,
                      enum frame_form form);
    einspul_status (*solve)(void *solver, struct frame *frame, einspul_error *error);
};

/* From this number of rule states on, words and keys of outcomes need less memory than the values
 * of a large frame. */
enum { MANY_RUN_STATES = 16 };

/* The form of the frames that are solved; or `loading`, filled from a table. */
static inline enum frame_form solver_form(const struct solver_ops *type, const struct shape *shape,
                                          einspul_metric metric, bool loading)
{
    const bool large = shape->frame_size * (uint64_t)shape->n_rule_states > type->large_states;
    if (type->key_placements > 0 && metric == EINSPUL_WDL && !loading && shape->n_rule_states > 1 &&
        (shape->frame_size <= type->key_placements || shape->n_rule_states >= MANY_RUN_STATES))
        return FRAME_KEYS;
    return large ? FRAME_LARGE : FRAME_VALUES;
}

#endif
