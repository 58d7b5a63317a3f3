/* Seeds: what the states of a frame get from captures, promotions and man moves.
 *
 * Both functions fill frame->class_of and frame->seed, and give the same. The store must hold all
 * materials that one move leads to, the frames of this material with fewer steps to go included.
 * NO_MEMORY; NO_TABLE names a material that is not in the store; TOO_LONG for a distance beyond
 * VALUE_MAX_PLIES. They use frame->n_threads threads. */
#ifndef EINSPUL_GEN_SEED_H
#define EINSPUL_GEN_SEED_H

#include "gen/frame.h"

/* Through the mover, to read beside the rules. */
enum status seed_plain(struct frame *frame, struct error *error);

/* Through tables of what can jump over what, with neighbouring frames read as streams. */
enum status seed_fast(struct frame *frame, struct error *error);

/* What seed_fast keeps from frame to frame for each of a frame's threads. NO_MEMORY. Freed with
 * free(). */
enum status seeders_create(const struct frame_context *context, int n_threads,
                           struct seeder **seeders);

#endif
