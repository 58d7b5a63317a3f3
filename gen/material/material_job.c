/* A material's frames to a solved material: from its seeds by a solver, or from its table.
 *
 * Levels are done one after the other. The pages of a level (levels.h) are tasks for threads: a task
 * fills the frames of its page one by one and makes their chunks, which never change after that. A
 * frame larger than a page is a task, with several threads inside where memory has no room for one
 * each. */
#include "gen/material/material_work.h"

#include "table/bytes.h"
#include "table/table_format.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { FEW_PLACEMENTS = 4096 };

/* --- threads and memory ----------------------------------------------------------------------- */

/* With distances about every second placement has a pattern of its own, at worst. */
static uint64_t builder_bytes(const struct shape *shape, enum metric metric)
{
    const uint64_t n = shape->n_placements < PAGE_ROOM ? shape->n_placements : PAGE_ROOM;
    const uint64_t n_patterns = metric == METRIC_DTW ? n / 2 : n / 16;
    return sizeof(struct builder) +
           (shape->n_run_states == 1 ? 0 : n_patterns * (12 + (uint64_t)shape->n_run_states));
}

static uint64_t worker_bytes(const struct shape *shape, enum metric metric,
                             const struct solver_type *solver, bool loading, int n_inside)
{
    const bool large = solver_is_large(solver, shape);
    return frame_bytes(shape, large, 1) +
           (loading ? 0 : solver->sized[0]->bytes(shape, metric, n_inside, large)) +
           2 * (uint64_t)n_inside * builder_bytes(shape, metric);
}

void material_threads(const struct shape *shape, enum metric metric,
                      const struct solver_type *solver, bool loading, int n_threads,
                      uint64_t work_bytes, int *n_workers, int *n_inside)
{
    const uint64_t each = worker_bytes(shape, metric, solver, loading, 1);
    uint64_t n = work_bytes == 0 ? (uint64_t)n_threads : work_bytes / each;
    if (shape->n_frames == 1 || n < 1)
        n = 1;
    if (n > (uint64_t)n_threads)
        n = (uint64_t)n_threads;
    *n_workers = (int)n;
    *n_inside = shape->frame_size > PAGE_ROOM || shape->n_frames == 1 ? n_threads / (int)n : 1;
}

uint64_t material_work_bytes(const struct shape *shape, enum metric metric,
                             const struct solver_type *solver, bool loading, int n_workers,
                             int n_inside)
{
    return (uint64_t)n_workers * worker_bytes(shape, metric, solver, loading, n_inside) +
           frame_context_bytes(shape) + solved_bytes(shape);
}

static void work_fail(struct work *work, enum status status, const char *text)
{
#pragma omp critical(work_error)
    if (work->status == STATUS_OK) {
        work->status = status;
        error_set(work->error, status, "%s", text);
    }
}

static bool work_failed(const struct work *work)
{
    enum status status;
#pragma omp atomic read
    status = work->status;
    return status != STATUS_OK;
}

/* --- tasks ------------------------------------------------------------------------------------ */

static uint64_t possible_placements_of_frame(const struct shape *shape)
{
    const int men = shape->material.men[WHITE] + shape->material.men[BLACK];
    const int free_squares = shape->n_squares - men;
    const int white = shape->material.kings[WHITE];
    return (uint64_t)choose(free_squares, white) *
           choose(free_squares - white, shape->material.kings[BLACK]);
}

static void report(const struct work *work, uint64_t n_frames, bool found)
{
    const struct material_job *job = work->job;
    const struct shape *shape = &work->context.shape;
    const uint64_t n_states = n_frames * possible_placements_of_frame(shape) *
                              (uint64_t)shape->n_run_states * 2; /* both sides to move */
    void (*tell)(uint64_t, void *) = found ? job->resumed : job->progress;
    if (tell == NULL || work->table != NULL || n_frames == 0)
        return;
#pragma omp critical(work_progress)
    tell(n_states, job->context);
}

/* Whether the run was asked to stop; that is the work's failure then. */
static bool is_stopped(struct work *work)
{
    if (work->job->stop == NULL || atomic_load_explicit(work->job->stop, memory_order_relaxed) == 0)
        return false;
    work_fail(work, STATUS_STOPPED, "stopped");
    return true;
}

static bool is_wanted(const struct work *work, uint64_t frame)
{
    const uint8_t *wanted = work->job->wanted;
    return wanted == NULL || (wanted[frame / 8] >> (frame % 8) & 1) != 0;
}

/* Whether any of the cursor's next `n` frames is. */
static bool is_any_wanted(const struct work *work, struct levels_cursor cursor, uint64_t n)
{
    bool any = work->job->wanted == NULL;
    for (uint64_t i = 0; !any && i < n; i++, levels_next(&cursor))
        any = is_wanted(work, cursor.frame);
    return any;
}

static bool men_are_apart(const struct work *work, uint64_t frame)
{
    const struct frame_context *context = &work->context;
    const uint64_t n_black = context->shape.n_men_sets[BLACK];
    return (context->men_sets[WHITE][frame / n_black] &
            context->men_sets[BLACK][frame % n_black]) == 0;
}

/* Whether the file had all chunks of `n` pages. */
static bool has_pages(const struct work *work, uint64_t page, uint64_t n)
{
    const struct levels *levels = &work->solved->levels;
    bool has = work->job->path != NULL;
    for (int side = 0; has && side < levels->n_sides; side++)
        for (uint64_t i = page; has && i < page + n; i++)
            has = pages_have(work->solved->pages, (uint64_t)side * levels->n_pages + i);
    return has;
}

/* The frames from the cursor's on, as many as make up a page. */
static enum status fill_page(struct work *work, struct worker *worker, struct levels_cursor *cursor,
                             uint64_t n, uint64_t *n_frames, struct error *error)
{
    const struct levels *levels = &work->solved->levels;
    const uint32_t size = (uint32_t)levels->frame_size;
    const uint64_t page = cursor->position >> levels->frames_shift;
    enum status status = STATUS_OK;
    for (int side = 0; side < levels->n_sides; side++)
        builder_begin(worker->builders[side], (uint32_t)n * size);
    for (uint64_t i = 0; i < n && status == STATUS_OK; i++, levels_next(cursor)) {
        if (!men_are_apart(work, cursor->frame))
            continue;
        if (work_failed(work) || is_stopped(work))
            return STATUS_OK;
        ++*n_frames;
        status = work_fill_frame(work, worker, cursor->frame, error);
        for (int side = 0; side < levels->n_sides && status == STATUS_OK; side++) {
            status = work_put_frame(work, worker->builders[side], (uint32_t)i * size, worker->frame,
                                    side, 0, size);
            if (status != STATUS_OK)
                error_set(error, status, "not enough memory for patterns");
        }
    }
    frame_end(&worker->narrow.frame);
    for (int side = 0; side < levels->n_sides && status == STATUS_OK; side++)
        status = work_finish_chunk(work, worker->builders[side], side, page, NULL, error);
    return status;
}

/* The next frames from the cursor's on, of which nothing is kept. */
static enum status count_frames(struct work *work, struct worker *worker,
                                struct levels_cursor *cursor, uint64_t n, struct error *error)
{
    enum status status = STATUS_OK;
    for (uint64_t i = 0; i < n && status == STATUS_OK; i++, levels_next(cursor))
        if (men_are_apart(work, cursor->frame) && !work_failed(work))
            status = work_fill_frame(work, worker, cursor->frame, error);
    frame_end(&worker->narrow.frame);
    return status;
}

static enum status fill_large_frame(struct work *work, struct worker *worker,
                                    const struct levels_cursor *cursor, uint64_t *n_frames,
                                    struct error *error)
{
    if (!men_are_apart(work, cursor->frame))
        return STATUS_OK;
    enum status status = work_fill_frame(work, worker, cursor->frame, error);
    frame_end(&worker->narrow.frame);
    if (status == STATUS_OK)
        status = work_finish_large_frame(work, worker,
                                         cursor->position * work->solved->levels.slices, error);
    *n_frames = 1;
    return status;
}

/* Positions first .. of a level: a page of them, or one large frame. */
static void task_run(struct work *work, struct worker *worker, int level, uint64_t first)
{
    const struct levels *levels = &work->solved->levels;
    const uint64_t left = levels->end[level] - first;
    const uint64_t per_task = (uint64_t)1 << levels->frames_shift;
    const uint64_t n = left < per_task ? left : per_task;
    const uint64_t page = levels->slices > 1 ? first * levels->slices : first / per_task;
    struct levels_cursor cursor;
    struct error error = {STATUS_OK, ""};
    uint64_t n_frames = 0;
    enum status status = STATUS_OK;

    if (work_failed(work) || is_stopped(work))
        return;
    levels_seek(&cursor, levels, level, first);
    if (!is_any_wanted(work, cursor, n))
        return;
    const bool found = has_pages(work, page, levels->slices);
    if (work->counters != NULL) {
        status = count_frames(work, worker, &cursor, n, &error);
    } else if (found) {
        for (uint64_t i = 0; i < n; i++, levels_next(&cursor))
            n_frames += men_are_apart(work, cursor.frame);
    } else if (levels->slices > 1) {
        status = fill_large_frame(work, worker, &cursor, &n_frames, &error);
    } else {
        status = fill_page(work, worker, &cursor, n, &n_frames, &error);
    }
    if (status != STATUS_OK)
        work_fail(work, status, error.text);
    else
        report(work, n_frames, found);
}

/* The tasks of a level, or of the slice's part of it. */
static void run_level(struct work *work, int level)
{
    const struct levels *levels = &work->solved->levels;
    const struct material_slice *slice = work->job->slice;
    const uint64_t per_task = (uint64_t)1 << levels->frames_shift;
    const uint64_t n_tasks = levels_tasks(levels, level);
    const struct task_range range = slice == NULL
                                        ? (struct task_range){0, n_tasks}
                                        : tasks_part(n_tasks, slice->part, slice->n_parts);
    /* Waking threads up costs more than a level of few placements. */
    const int n_threads =
        levels->n_frames[level] * levels->frame_size < FEW_PLACEMENTS ? 1 : work->n_workers;
    if (n_threads == 1) { /* no parallel region: one inside a frame would be nested in it */
        for (uint64_t task = range.first; task < range.end; task++)
            task_run(work, &work->workers[0], level, levels->start[level] + task * per_task);
        return;
    }
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads)
    for (int64_t task = (int64_t)range.first; task < (int64_t)range.end; task++)
        task_run(work, &work->workers[omp_get_thread_num()], level,
                 levels->start[level] + (uint64_t)task * per_task);
}

/* --- a material ------------------------------------------------------------------------------- */

static enum status worker_create(struct work *work, struct worker *worker)
{
    enum status status = work_start_engine(work, worker);
    if (work->counters != NULL) /* no chunks are made */
        return status;
    worker->builders = calloc(2 * (size_t)work->n_inside, sizeof(struct builder *));
    if (worker->builders == NULL)
        return STATUS_NO_MEMORY;
    for (int i = 0; i < 2 * work->n_inside && status == STATUS_OK; i++)
        status = builder_create(&worker->builders[i], work->context.shape.n_run_states);
    return status;
}

static void worker_release(struct work *work, struct worker *worker)
{
    work_free_engines(worker);
    for (int i = 0; worker->builders != NULL && i < 2 * work->n_inside; i++)
        builder_free(worker->builders[i]);
    free(worker->builders);
    block_cursor_free(&worker->at[WHITE]);
    block_cursor_free(&worker->at[BLACK]);
}

static enum status work_prepare(struct work *work)
{
    const struct material_job *job = work->job;
    struct shape shape;
    shape_init(&shape, job->store->rules, &job->material);
    enum status status = frame_context_init(&work->context, job->store, &job->material, job->metric,
                                            solver_is_large(job->solver, &shape), 1);
    if (status == STATUS_OK && job->byte_plies > 0)
        work->context.most_plies = job->byte_plies;
    if (status == STATUS_OK)
        status = solved_create(job->store->rules, &job->material, job->metric,
                               work->table != NULL ? LEVELS_AS_STORED : LEVELS_TO_SOLVE,
                               job->store->pager, &work->solved);
    if (status != STATUS_OK)
        return status;
    work->solved->stop = job->stop;
    work_fill_source(work);
    material_threads(&shape, job->metric, job->solver, work->table != NULL, job->n_threads,
                     job->work_bytes, &work->n_workers, &work->n_inside);
    work->workers = calloc((size_t)work->n_workers, sizeof *work->workers);
    if (work->workers == NULL)
        return STATUS_NO_MEMORY;
    for (int i = 0; i < work->n_workers && status == STATUS_OK; i++)
        status = worker_create(work, &work->workers[i]);
    return status;
}

static void work_release(struct work *work)
{
    for (int i = 0; work->workers != NULL && i < work->n_workers; i++)
        worker_release(work, &work->workers[i]);
    free(work->workers);
    frame_context_free(&work->context);
    frame_context_free(&work->wide_context);
    solved_destroy(work->solved);
}

static enum status chunk_was_found(void *context, uint64_t page, const struct chunk *chunk,
                                   const uint32_t *count, struct chunk_record record)
{
    struct work *work = context;
    struct solved *solved = work->solved;
    const enum side stored =
        work->context.shape.n_sides == 2 && page >= solved->levels.n_pages ? BLACK : WHITE;
    if (page >= solved->pages->n || solved->pages->records[page].n_bytes > 0)
        return STATUS_OK;
    solved->pages->records[page] = record;
    return work->job->tally == NULL ? STATUS_OK
                                    : tally_add(work->job->tally, stored, chunk->values,
                                                chunk->value_bytes, count, chunk->n_patterns);
}

void material_key(const struct rules *rules, const struct solved *solved, uint64_t fingerprint,
                  uint8_t key[CHUNK_FILE_KEY_SIZE])
{
    const struct shape *shape = &solved->shape;
    memset(key, 0, CHUNK_FILE_KEY_SIZE);
    store_u32(key, (uint32_t)rules->id);
    store_u32(key + 4, (uint32_t)solved->metric);
    for (int side = WHITE; side <= BLACK; side++) {
        key[8 + 2 * side] = shape->material.men[side];
        key[9 + 2 * side] = shape->material.kings[side];
    }
    store_u64(key + 16, shape->n_placements);
    store_u64(key + 24, solved->pages->n);
    store_u32(key + 32, (uint32_t)solved->levels.frames_shift);
    store_u32(key + 36, (uint32_t)shape->n_run_states);
    store_u64(key + 40, fingerprint);
    memcpy(key + 48, &(uint16_t){0x1234}, 2); /* the machine's order of bytes */
}

/* Opens the material's file, which holds what a run that was stopped has solved of it. Where
 * none can be made, there is none. */
static void open_file(struct work *work)
{
    const struct material_job *job = work->job;
    struct solved *solved = work->solved;
    uint8_t key[CHUNK_FILE_KEY_SIZE];
    struct error error;

    material_key(job->store->rules, solved, job->fingerprint, key);
    const enum status status =
        job->path_is_shared ? chunk_file_adopt(job->path, key, &solved->pages->form,
                                               chunk_was_found, work, &solved->pages->file, &error)
                            : chunk_file_open(job->path, key, &solved->pages->form, chunk_was_found,
                                              work, &solved->pages->file, &error);
    if (status != STATUS_OK)
        work_fail(work, status, error.text);
}

static void attach_slices(struct work *work)
{
    const struct material_slice *slice = work->job->slice;
    struct error error = {STATUS_OK, ""};
    const enum status status = slice->attach(slice->context, work->solved, &error);
    if (status != STATUS_OK)
        work_fail(work, status, error.text);
}

static void run_levels(struct work *work)
{
    const struct material_slice *slice = work->job->slice;
    const int first = slice == NULL ? 0 : slice->first_level;
    const int last = slice == NULL ? work->solved->levels.n_levels - 1 : slice->last_level;
    for (int level = first; level <= last && !work_failed(work); level++)
        run_level(work, level);
    if (slice == NULL || work_failed(work))
        return;
    struct error error = {STATUS_OK, ""};
    const enum status status = slice->finish(slice->context, work->solved, &error);
    if (status != STATUS_OK)
        work_fail(work, status, error.text);
}

static enum status make_solved(const struct material_job *given, const struct table *table,
                               struct counters *counters, struct error *error)
{
    struct material_job own = *given;
    const struct material_job *job = &own;
    struct work work = {.job = job, .table = table, .counters = counters, .error = error};
    struct shape shape;
    shape_init(&shape, given->store->rules, &given->material);
    own.solver = solver_of(&shape, given->solver);

    if (work_prepare(&work) != STATUS_OK) {
        char name[MATERIAL_NAME_SIZE];
        material_write(&job->material, name);
        work.status = error_set(error, STATUS_NO_MEMORY, "not enough memory for %s", name);
    }
    if (work.status == STATUS_OK && job->slice != NULL)
        attach_slices(&work);
    if (work.status == STATUS_OK && job->path != NULL)
        open_file(&work);
    if (work.status == STATUS_OK) {
        /* Frames of other levels are read while a level runs. */
        struct solved *before = store_get(job->store, &job->material);
        store_set(job->store, &job->material, work.solved);
        run_levels(&work);
        if (work_failed(&work) || job->slice != NULL || counters != NULL)
            store_set(job->store, &job->material, before);
        else
            work.solved = NULL; /* the store's now */
    }
    work_release(&work);
    return work.status;
}

enum status material_solve(const struct material_job *job, struct error *error)
{
    return make_solved(job, NULL, NULL, error);
}

enum status material_solve_slice(const struct material_job *job, struct error *error)
{
    return make_solved(job, NULL, NULL, error);
}

/* Whether a table's values can be brought in as they are. */
static enum status check_whole(const struct table *table, struct error *error)
{
    if (table_is_whole(table))
        return STATUS_OK;
    return error_set(error, STATUS_NO_TABLE, "%s: it leaves out values that are needed",
                     path_text(table_path(table)));
}

enum status material_load(const struct material_job *job, const struct table *table,
                          struct error *error)
{
    const enum status status = check_whole(table, error);
    return status == STATUS_OK ? make_solved(job, table, NULL, error) : status;
}

enum status material_count(const struct material_job *job, const struct table *table,
                           struct counters *counters, struct error *error)
{
    const enum status status = check_whole(table, error);
    return status == STATUS_OK ? make_solved(job, table, counters, error) : status;
}
