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

/* The frames of a level of a single man: the squares of a row. A board has twice as many rows as
 * squares in a row. */
static uint64_t frames_of_row(const struct shape *shape)
{
    uint64_t row = 1;
    while (2 * row * row < (uint64_t)shape->n_squares)
        row++;
    return row;
}

/* The number of workers, up to `n`, with which all threads finish a level of `n_frames` equal frames
 * first, of those that fit `n_bytes` (0: all): 8 threads finish 5 frames in 5/8 of the time of a frame
 * if they share each frame, but in the time of a frame if each has its own. Each further thread inside
 * a frame is assumed to cost 3 %. */
static uint64_t best_workers(const struct frame_params *work, uint64_t n_frames, uint64_t n,
                             int n_threads, uint64_t n_bytes)
{
    uint64_t best = n;
    double min = 0;
    for (uint64_t i = n; i >= 1; i--) {
        const int n_each = n_threads / (int)i;
        const uint64_t rounds = (n_frames + i - 1) / i;
        const double time = (double)rounds / n_each * (1 + 0.03 * (n_each - 1));
        const bool fits = n_bytes == 0 || i * worker_bytes(work, n_each) <= n_bytes;
        if (i == n || (fits && time < min)) {
            min = time;
            best = i;
        }
    }
    return best;
}

void material_threads(const struct frame_params *work, int n_threads, uint64_t n_bytes,
                      int *n_workers, int *n_threads_per_frame)
{
    const struct shape *shape = work->shape;
    const int n_men = shape->material.men[WHITE] + shape->material.men[BLACK];
    uint64_t n = n_bytes == 0 ? (uint64_t)n_threads : n_bytes / worker_bytes(work, 1);
    const bool shared = shape->frame_size > PAGE_CAPACITY || shape->n_frames == 1;
    const bool one_row = shared && !work->loading && n_men == 1; /* loading is one level */
    const uint64_t n_frames = one_row ? frames_of_row(shape) : shape->n_frames;
    if (shared && n > n_frames)
        n = n_frames;
    if (n > (uint64_t)n_threads)
        n = (uint64_t)n_threads;
    if (n < 1)
        n = 1;
    if (one_row)
        n = best_workers(work, n_frames, n, n_threads, n_bytes);
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
           frame_context_bytes(work->shape, form_of(work)) + seed_tables_bytes(work->shape) +
           solved_bytes(work->shape);
}
