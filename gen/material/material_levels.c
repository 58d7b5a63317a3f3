/* Distributes a material's frames among threads.
 *
 * Levels are done one after the other. The pages of a level (frame_order.h) are tasks for threads:
 * a task fills the frames of its page one by one and creates their chunks, which never change after
 * that. A frame larger than a page is a task; several threads share it if memory or the level does
 * not allow a frame for each. */

#include "gen/material/material_levels.h"

#include "gen/material/material_chunks.h"

#include <omp.h>

enum { SMALL_LEVEL_PLACEMENTS = 4096 };

static uint64_t possible_placements_of_frame(const struct shape *shape)
{
    const int men = shape->material.men[WHITE] + shape->material.men[BLACK];
    const int free_squares = shape->n_squares - men;
    const int white = shape->material.kings[WHITE];
    return (uint64_t)choose(free_squares, white) *
           choose(free_squares - white, shape->material.kings[BLACK]);
}

/* Reports frames that are done, or were taken over from a part file. */
static void report(struct work *work, uint64_t n_frames, bool found)
{
    const struct material_params *params = work->params;
    const struct shape *shape = &work->context.shape;
    const uint64_t n_states = n_frames * possible_placements_of_frame(shape) *
                              (uint64_t)shape->n_rule_states * 2; /* both sides to move */
    if (work->loading || params->progress == NULL || n_frames == 0)
        return;
#pragma omp critical(work_progress)
    params->progress(n_states, found, params->context);
}

/* True if the run is to stop, which then fails the work. */
static bool is_stopped(struct work *work)
{
    if (work->params->stop == NULL ||
        atomic_load_explicit(work->params->stop, memory_order_relaxed) == 0)
        return false;
    work_fail(work, EINSPUL_STOPPED, "stopped");
    return true;
}

static bool men_are_apart(const struct work *work, const struct frame_cursor *cursor)
{
    const struct frame_context *context = &work->context;
    return (context->men_sets[WHITE][cursor->rank[WHITE]] &
            context->men_sets[BLACK][cursor->rank[BLACK]]) == 0;
}

/* True if all chunks of `n` pages were taken over. */
static bool has_pages(const struct work *work, uint64_t page, uint64_t n)
{
    const struct frame_order *order = &work->solved->order;
    bool has = work->saves_part;
    for (int side = 0; has && side < order->n_sides; side++)
        for (uint64_t i = page; has && i < page + n; i++)
            has = pages_have(work->solved->pages, (uint64_t)side * order->n_pages + i);
    return has;
}

static einspul_status fill_frame(struct work *work, struct worker *worker, uint64_t number,
                                 einspul_error *error)
{
    frame_set(&worker->frame, number);
    const einspul_status status = work->solver->seeds->make(worker->seeders, &worker->frame, error);
    return status == EINSPUL_OK ? work->fill(work, worker, number, error) : status;
}

/* Fills the `n` frames of a page, from the cursor's on, and the numbers of its chunks if these are
 * kept. */
static einspul_status fill_frames(struct work *work, struct worker *worker,
                                  struct frame_cursor *cursor, uint64_t n, uint64_t *n_frames,
                                  einspul_error *error)
{
    const struct frame_order *order = &work->solved->order;
    const int n_sides = work->makes_chunks ? order->n_sides : 0;
    const uint32_t size = (uint32_t)order->frame_size;
    einspul_status status = EINSPUL_OK;
    for (uint64_t i = 0; i < n && status == EINSPUL_OK; i++, frame_cursor_next(cursor)) {
        if (!men_are_apart(work, cursor))
            continue;
        if (work_failed(work) || is_stopped(work))
            return EINSPUL_STOPPED; /* the chunk is incomplete; work->error has the reason */
        ++*n_frames;
        status = fill_frame(work, worker, cursor->frame, error);
        for (int side = 0; side < n_sides && status == EINSPUL_OK; side++) {
            status = work_put_frame(work, worker->builders[side], (uint32_t)i * size,
                                    &worker->frame, side, 0, size);
            if (status != EINSPUL_OK)
                error_set(error, status, "not enough memory for patterns");
        }
    }
    return status;
}

/* The same where a frame is one placement. */
static einspul_status fill_men(struct work *work, struct worker *worker,
                               struct frame_cursor *cursor, uint64_t n, uint64_t *n_frames,
                               einspul_error *error)
{
    struct men_page page = {
        .cursor = cursor,
        .n = (uint32_t)n,
        .number = {worker->builders[WHITE]->number, worker->builders[BLACK]->number},
    };
    const einspul_status status =
        work->solver->seeds->make_men(worker->seeders, &worker->frame, &page, error);
    *n_frames = page.n_frames;
    return status;
}

static einspul_status fill_page(struct work *work, struct worker *worker,
                                struct frame_cursor *cursor, uint64_t n, uint64_t *n_frames,
                                einspul_error *error)
{
    const struct frame_order *order = &work->solved->order;
    const int n_sides = work->makes_chunks ? order->n_sides : 0;
    const uint64_t page = cursor->position >> order->frames_shift;
    const bool men_alone = !work->context.has_kings && !work->loading;
    for (int side = 0; side < n_sides; side++)
        chunk_builder_begin(worker->builders[side], (uint32_t)(n * order->frame_size));
    einspul_status status = men_alone && work->solver->seeds->make_men != NULL
                                ? fill_men(work, worker, cursor, n, n_frames, error)
                                : fill_frames(work, worker, cursor, n, n_frames, error);
    for (int side = 0; side < n_sides && status == EINSPUL_OK; side++)
        status = work_finish_chunk(work, worker->builders[side], side, page, error);
    return status;
}

static einspul_status fill_large_frame(struct work *work, struct worker *worker,
                                       const struct frame_cursor *cursor, uint64_t *n_frames,
                                       einspul_error *error)
{
    if (!men_are_apart(work, cursor))
        return EINSPUL_OK;
    einspul_status status = fill_frame(work, worker, cursor->frame, error);
    if (status == EINSPUL_OK && work->makes_chunks)
        status = work_finish_large_frame(work, worker,
                                         cursor->position * work->solved->order.frame_pages, error);
    *n_frames = 1;
    return status;
}

/* Positions first .. of a level: a page of them, or one large frame. */
static void task_run(struct work *work, struct worker *worker, int level, uint64_t first)
{
    const struct frame_order *order = &work->solved->order;
    const uint64_t left = order->end[level] - first;
    const uint64_t per_task = (uint64_t)1 << order->frames_shift;
    const uint64_t n = left < per_task ? left : per_task;
    const uint64_t page = order->frame_pages > 1 ? first * order->frame_pages : first / per_task;
    struct frame_cursor cursor;
    einspul_error error = {EINSPUL_OK, ""};
    uint64_t n_frames = 0;
    einspul_status status = EINSPUL_OK;

    if (work_failed(work) || is_stopped(work))
        return;
    frame_cursor_seek(&cursor, order, level, first);
    const bool found = has_pages(work, page, order->frame_pages);
    if (found) {
        for (uint64_t i = 0; i < n; i++, frame_cursor_next(&cursor))
            n_frames += men_are_apart(work, &cursor);
    } else if (order->frame_pages > 1) {
        status = fill_large_frame(work, worker, &cursor, &n_frames, &error);
    } else {
        status = fill_page(work, worker, &cursor, n, &n_frames, &error);
    }
    if (status != EINSPUL_OK)
        work_fail(work, status, error.text);
    else
        report(work, n_frames, found);
}

static void run_level(struct work *work, int level)
{
    const struct frame_order *order = &work->solved->order;
    const uint64_t per_task = (uint64_t)1 << order->frames_shift;
    const uint64_t n_frames = order->end[level] - order->start[level];
    const uint64_t n_tasks = (n_frames + per_task - 1) / per_task;
    /* Waking threads up costs more than a level of few placements. */
    const int n_threads =
        n_frames * order->frame_size < SMALL_LEVEL_PLACEMENTS ? 1 : work->n_workers;
    if (n_threads == 1) { /* no parallel region: one inside a frame would be nested in it */
        for (uint64_t task = 0; task < n_tasks; task++)
            task_run(work, &work->workers[0], level, order->start[level] + task * per_task);
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (int64_t task = 0; task < (int64_t)n_tasks; task++)
        task_run(work, &work->workers[omp_get_thread_num()], level,
                 order->start[level] + (uint64_t)task * per_task);
}

static void run_levels(struct work *work)
{
    const int nested = omp_get_max_active_levels();
    if (work->n_workers > 1 && work->n_threads_per_frame > 1)
        omp_set_max_active_levels(2);
    for (int level = 0; level < work->solved->order.n_levels && !work_failed(work); level++)
        run_level(work, level);
    omp_set_max_active_levels(nested);
}

void work_run(struct work *work, bool keep_in_store)
{
    const struct material_params *params = work->params;
    struct solved *before = store_get(params->store, &params->material);
    store_set(params->store, &params->material, work->solved);
    run_levels(work);
    if (keep_in_store && !work_failed(work))
        work->solved = NULL; /* the store's now */
    else
        store_set(params->store, &params->material, before);
}
