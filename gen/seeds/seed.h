/* Seeds: what the states of a frame get from captures, promotions and man moves.
 *
 * Both functions fill frame->class_of and frame->seed, and give the same. The store must hold all
 * materials that one move leads to, the frames of this material with fewer steps to go included.
 * NO_MEMORY; NO_TABLE names a material that is not in the store; TOO_LONG for a distance beyond
 * most_plies of the frame's context. They use frame->n_threads threads. */
#ifndef EINSPUL_GEN_SEEDS_SEED_H
#define EINSPUL_GEN_SEEDS_SEED_H

#include "gen/frame/frame.h"
#include "gen/seeds/wide_names.h"

/* What a worker keeps from frame to frame to make seeds with: one for each thread and side to
 * move. */
struct seeder;

/* Through the mover, to read beside the rules. Without seeders: they are NULL. */
enum status seed_plain(struct seeder *seeders, struct frame *frame, struct error *error);
enum status seeders_plain(const struct frame_context *context, int n_threads,
                          struct seeder **seeders);

/* Through tables of what can jump over what, with neighbouring frames read as streams. */
enum status seed_fast(struct seeder *seeders, struct frame *frame, struct error *error);

/* Makes the seeders of a worker for frames of `n_threads` threads. NO_MEMORY. To be freed with
 * free(). */
enum status seeders_fast(const struct frame_context *context, int n_threads,
                         struct seeder **seeders);

/* Bytes seeders_fast needs. */
uint64_t seeders_fast_bytes(int n_threads);

#endif
