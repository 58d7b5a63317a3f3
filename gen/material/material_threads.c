/* A worker has a frame, a solver and a builder of chunks for each of its threads and sides. */

#include "gen/material/material_threads.h"

#include "gen/seeds/seed_tables.h"
#include "gen/values/store.h"

static enum frame_form form_of(const struct frame_params *work)
{
    return solver_form(work->solver, work->shape, work->metric, work->loading);
}

/* With distances about every second placement has a pattern of its own, at worst. */
static uint64_t builder_bytes(const struct frame_params *work)
{
    const struct shape *shape = work->shape;
    const uint64_t n = shape->n_placements < PAGE_CAPACITY ? shape->n_placements : PAGE_CAPACITY;
    const uint64_t n_patterns = work->metric == EINSPUL_DTW ? n / 2 : n / 16;
    const uint64_t n_bytes = pattern_bytes(form_of(work) == FRAME_KEYS, shape->n_rule_states);
    return sizeof(struct chunk_builder) + (n_bytes == 1 ? 0 : n_patterns * (12 + n_bytes));
}

static uint64_t worker_bytes(const struct frame_params *work, int n_threads_per_frame)
{
    const enum frame_form form = form_of(work);
    const struct seed_ops *seeds = work->solver->seeds;
    const bool solves = !work->loading && work->solver->bytes != NULL;
    return frame_bytes(work->shape, form) +
           (seeds->bytes != NULL ? seeds->bytes(n_threads_per_frame) : 0) +
           (solves ? work->solver->bytes(work->shape, work->metric, n_threads_per_frame, form)
                   : 0) +
           2 * (uint64_t)n_threads_per_frame * builder_bytes(work);
}

/* The most frames of a level. With a single man, the squares of a row; a board has twice as many
 * rows as squares in a row. When loading, all frames are one level. */
static uint64_t max_frames(const struct frame_params *work)
{
    const struct shape *shape = work->shape;
    uint64_t row = 1;
    if (work->loading || shape->material.men[WHITE] + shape->material.men[BLACK] != 1)
        return shape->n_frames;
    while (2 * row * row < (uint64_t)shape->n_squares)
        row++;
    return row;
}

void material_threads(const struct frame_params *work, int n_threads, uint64_t n_bytes,
                      int *n_workers, int *n_threads_per_frame)
{
    const struct shape *shape = work->shape;
    uint64_t n = n_bytes == 0 ? (uint64_t)n_threads : n_bytes / worker_bytes(work, 1);
    const bool shared = shape->frame_size > PAGE_CAPACITY || shape->n_frames == 1;
    if (shared && n > max_frames(work))
        n = max_frames(work);
    if (n > (uint64_t)n_threads)
        n = (uint64_t)n_threads;
    if (n < 1)
        n = 1;
    *n_workers = (int)n;
    *n_threads_per_frame = shared ? n_threads / (int)n : 1;
    while (n > 1 && *n_threads_per_frame > 1 && n_bytes > 0 &&
           n * worker_bytes(work, *n_threads_per_frame) > n_bytes)
        --*n_threads_per_frame;
}

uint64_t material_work_bytes(const struct frame_params *work, int n_workers,
                             int n_threads_per_frame)
{
    return (uint64_t)n_workers * worker_bytes(work, n_threads_per_frame) +
           frame_context_bytes(work->shape) + seed_tables_bytes(work->shape) +
           solved_bytes(work->shape);
}
