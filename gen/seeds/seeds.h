/* Seeds: the values that captures, promotions and man moves give to the states of a frame. */
#ifndef EINSPUL_GEN_SEEDS_SEEDS_H
#define EINSPUL_GEN_SEEDS_SEEDS_H

#include "gen/frame/frame.h"

/* A page of frames without kings: `n` of them from the cursor's on, which moves past them. */
struct men_page {
    struct frame_cursor *cursor;
    uint32_t n;
    uint16_t *number[2]; /* by side to move, frame: gets the value */
    uint64_t n_frames;   /* raised by those whose men do not share a square */
};

/* A seed generator.
 *
 * `make` fills frame->class_of and frame->seed. The store must hold all materials that one move
 * leads to, the frames of this material with fewer steps to go included. It uses frame->n_threads
 * threads. NO_MEMORY; NO_TABLE names a material that is not in the store; TOO_LONG for a loss in
 * more than MAX_LOSS_PLIES; errors of pages_fetch. */
struct seed_ops {
    /* Creates a worker's state for frames of `n_threads` threads; release with free(). NO_MEMORY.
     * NULL if the generator has no state. */
    einspul_status (*create)(const struct frame_context *context, int n_threads, void **seeders);
    uint64_t (*bytes)(int n_threads); /* of that state */
    einspul_status (*make)(void *seeders, struct frame *frame, einspul_error *error);
    /* The values of a page of frames, which are the seeds; errors of `make`. May be NULL. */
    einspul_status (*make_men)(void *seeders, struct frame *frame, struct men_page *page,
                               einspul_error *error);
};

extern const struct seed_ops line_seeds;

#endif
