/* Levels one after the other; the frames of a level in tasks, on threads. A task numbers the
 * patterns it meets for itself; when the level is done the tasks' dictionaries are merged in task
 * order and the numbers replaced, so that nothing depends on which thread did what. */
#include "gen/material_solve.h"

#include "gen/checkpoint.h"
#include "gen/levels.h"
#include "table/table_format.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

enum { TASK_PLACEMENTS = 65536, TASKS_PER_THREAD = 16, FEW_PLACEMENTS = 4096 };

struct task {
    uint64_t first, last;        /* positions in levels.frames, last excluded */
    struct patterns patterns[2]; /* by stored side */
    uint32_t *number[2];         /* by task pattern: the number in the material */
};

/* What one thread works with. */
struct worker {
    struct frame frame;
    struct seeder *seeders;
    struct solver *solver;
    struct block *block[2]; /* by side: the block decoded last, when loading */
    uint64_t block_number[2];
};

struct work {
    const struct material_job *job;
    const struct table *table; /* to load from, or NULL to solve */
    struct frame_context context;
    struct levels levels;
    struct solved *solved;
    struct worker *workers;
    int n_workers;
    int n_threads_inside; /* of a frame */
    struct task *tasks;
    int64_t n_tasks;
    enum status status; /* the first failure */
    struct error *error;
};

uint64_t material_work_bytes(const struct shape *shape, enum metric metric,
                             const struct solver_type *solver, int n_threads)
{
    const bool one_frame = shape->n_frames == 1;
    const uint64_t n_workers = one_frame ? 1 : (uint64_t)n_threads;
    const int n_threads_inside = one_frame ? n_threads : 1;
    return n_workers * (frame_bytes(shape) + solver->bytes(shape, metric, n_threads_inside)) +
           5 * shape->n_frames + frame_context_bytes(shape);
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

/* --- a frame's values into the solved material --------------------------------------------------
 */

static void put_number(struct solved *solved, int side, uint64_t index, uint32_t number)
{
    solved->low[side][index] = (uint16_t)(number & 0xffff);
    if (solved->high[side] != NULL)
        solved->high[side][index] = (uint8_t)(number >> 16);
}

/* Frames of different threads can share a word. */
static void put_quiet(struct solved *solved, int side, uint64_t word, uint64_t bits)
{
    if (bits != 0)
        __atomic_fetch_or(&solved->quiet[side][word], bits, __ATOMIC_RELAXED);
}

/* The quiet placements of a frame, whose first has index `base`. */
static void put_quiets(struct solved *solved, const struct frame *frame, int side, uint64_t base)
{
    const uint64_t end = base + solved->shape.frame_size;
    const uint8_t *class_of = frame->class_of[side];
    uint64_t bits = 0;
    for (uint64_t index = base; index < end; index++) {
        bits |= (uint64_t)(*class_of++ == CLASS_QUIET) << (index % 64);
        if (index % 64 == 63 || index + 1 == end) {
            put_quiet(solved, side, index / 64, bits);
            bits = 0;
        }
    }
}

static enum status add_pattern(const struct work *work, struct patterns *patterns,
                               const value_t *pattern, uint32_t *number)
{
    const enum status status = patterns_add(patterns, pattern, number);
    return status == STATUS_OK && *number >= solved_max_patterns(work->solved) ? STATUS_TOO_LONG
                                                                               : status;
}

static enum status store_side(struct work *work, struct task *task, const struct frame *frame,
                              int side, uint64_t base)
{
    const struct shape *shape = &work->context.shape;
    const size_t length = (size_t)shape->n_run_states;

    for (uint64_t kings = 0; kings < shape->frame_size; kings++) {
        uint32_t number = 0;
        if (frame->class_of[side][kings] == CLASS_IMPOSSIBLE)
            continue;
        const enum status status =
            add_pattern(work, &task->patterns[side], frame->value[side] + kings * length, &number);
        if (status != STATUS_OK)
            return status;
        put_number(work->solved, side, base + kings, number);
    }
    put_quiets(work->solved, frame, side, base);
    return STATUS_OK;
}

/* Black to move in a frame of symmetric material is White to move in its twin. */
static enum status store_twin(struct work *work, struct task *task, const struct frame *frame,
                              uint64_t base)
{
    const struct shape *shape = &work->context.shape;
    const size_t length = (size_t)shape->n_run_states;
    const int n_kings = shape->material.kings[WHITE];
    value_t turned[MAX_RUN_STATES];
    int source[MAX_RUN_STATES];

    for (int white = 0; white < shape->n_runs[WHITE]; white++)
        for (int black = 0; black < shape->n_runs[BLACK]; black++)
            source[shape_run_state(shape, white, black)] = shape_run_state(
                shape, run_index_turned(black, n_kings), run_index_turned(white, n_kings));
    for (uint64_t kings = 0; kings < shape->frame_size; kings++) {
        const uint64_t white = kings / shape->n_king_sets[BLACK];
        const uint64_t black = kings % shape->n_king_sets[BLACK];
        const uint64_t index =
            base + (uint64_t)work->context.king_turned[BLACK][black] * shape->n_king_sets[BLACK] +
            work->context.king_turned[WHITE][white];
        uint32_t number = 0;
        if (frame->class_of[BLACK][kings] == CLASS_IMPOSSIBLE)
            continue;
        for (size_t run = 0; run < length; run++)
            turned[run] = frame->value[BLACK][kings * length + (size_t)source[run]];
        const enum status status = add_pattern(work, &task->patterns[WHITE], turned, &number);
        if (status != STATUS_OK)
            return status;
        put_number(work->solved, WHITE, index, number);
        if (frame->class_of[BLACK][kings] == CLASS_QUIET)
            put_quiet(work->solved, WHITE, index / 64, (uint64_t)1 << (index % 64));
    }
    return STATUS_OK;
}

static enum status store_frame(struct work *work, struct task *task, const struct frame *frame,
                               uint64_t number)
{
    const struct shape *shape = &work->context.shape;
    enum status status = store_side(work, task, frame, WHITE, number * shape->frame_size);
    if (status != STATUS_OK)
        return status;
    if (shape->n_sides == 2)
        return store_side(work, task, frame, BLACK, number * shape->frame_size);
    if (work->table != NULL)
        return status; /* the twin is listed */
    const uint64_t twin = frame_twin(&work->context, number);
    return twin == number ? status : store_twin(work, task, frame, twin * shape->frame_size);
}

/* --- frames from a table ------------------------------------------------------------------------
 */

/* The pattern of a quiet placement of one stored side, valid until that side's next call. */
static enum status load_value(struct work *work, struct worker *worker, int side, uint64_t index,
                              const value_t **values, struct error *error)
{
    const uint64_t per_block = table_block_placements(work->table);
    const uint64_t number = table_first_block(work->table, (enum side)side) + index / per_block;
    if (worker->block[side] == NULL || worker->block_number[side] != number) {
        free(worker->block[side]);
        worker->block[side] = NULL;
        const enum status status =
            table_decode_block(work->table, number, &worker->block[side], error);
        if (status != STATUS_OK)
            return status;
        worker->block_number[side] = number;
    }
    const struct block *block = worker->block[side];
    const uint32_t pattern =
        block_pattern(block, block_is_wide(block), (uint32_t)(index % per_block));
    *values = block->patterns + (size_t)pattern * (size_t)work->context.shape.n_run_states;
    return STATUS_OK;
}

/* Fills the values of a frame whose classes and seeds are known; stored sides only. */
static enum status load_frame(struct work *work, struct worker *worker, uint64_t number,
                              struct error *error)
{
    const struct shape *shape = &work->context.shape;
    const size_t length = (size_t)shape->n_run_states;
    struct frame *frame = &worker->frame;

    frame_copy_captures(frame);
    for (int side = 0; side < shape->n_sides; side++) {
        for (uint64_t kings = 0; kings < shape->frame_size; kings++) {
            const value_t *values = NULL;
            if (frame->class_of[side][kings] != CLASS_QUIET)
                continue;
            const enum status status =
                load_value(work, worker, side, number * shape->frame_size + kings, &values, error);
            if (status != STATUS_OK)
                return status;
            memcpy(frame->value[side] + kings * length, values, length);
        }
    }
    return STATUS_OK;
}

/* --- tasks --------------------------------------------------------------------------------------
 */

static void task_free(struct task *task)
{
    for (int side = 0; side < 2; side++) {
        patterns_free(&task->patterns[side]);
        free(task->number[side]);
    }
}

static uint64_t possible_placements_of_frame(const struct shape *shape)
{
    const int men = shape->material.men[WHITE] + shape->material.men[BLACK];
    const int free_squares = shape->n_squares - men;
    const int white = shape->material.kings[WHITE];
    return (uint64_t)choose(free_squares, white) *
           choose(free_squares - white, shape->material.kings[BLACK]);
}

/* As progress counts them: both sides to move. */
static uint64_t states_of_frames(const struct shape *shape, uint64_t n_frames)
{
    return n_frames * possible_placements_of_frame(shape) * (uint64_t)shape->n_run_states * 2;
}

static void task_run(struct work *work, struct task *task, struct worker *worker)
{
    const struct material_job *job = work->job;
    const struct shape *shape = &work->context.shape;
    struct error error = {STATUS_OK, ""};

    for (int side = 0; side < shape->n_sides; side++) {
        if (patterns_init(&task->patterns[side], shape->n_run_states) != STATUS_OK) {
            work_fail(work, STATUS_NO_MEMORY, "not enough memory for patterns");
            return;
        }
    }
    for (uint64_t i = task->first; i < task->last; i++) {
        const uint64_t number = work->levels.frames[i];
        if (work_failed(work))
            return;
        frame_set(&worker->frame, number);
        enum status status = job->solver->seed(worker->seeders, &worker->frame, &error);
        if (status == STATUS_OK)
            status = work->table != NULL
                         ? load_frame(work, worker, number, &error)
                         : solver_solve(job->solver, worker->solver, &worker->frame, &error);
        if (status != STATUS_OK) {
            work_fail(work, status, error.text);
            return;
        }
        status = store_frame(work, task, &worker->frame, number);
        if (status != STATUS_OK) {
            work_fail(work, status,
                      status == STATUS_NO_MEMORY ? "not enough memory for patterns"
                                                 : "more patterns in a frame than have numbers");
            return;
        }
    }
    if (job->progress != NULL && work->table == NULL) {
        const uint64_t n_states = states_of_frames(shape, task->last - task->first);
#pragma omp critical(work_progress)
        job->progress(n_states, job->context);
    }
}

/* Merges a task's dictionary into the material's. */
static enum status task_merge(struct work *work, struct task *task)
{
    for (int side = 0; side < work->context.shape.n_sides; side++) {
        const struct patterns *patterns = &task->patterns[side];
        task->number[side] = malloc((patterns->n + 1) * sizeof *task->number[side]);
        if (task->number[side] == NULL)
            return STATUS_NO_MEMORY;
        for (uint32_t i = 0; i < patterns->n; i++) {
            const enum status status = add_pattern(
                work, &work->solved->patterns[side],
                patterns->values + (size_t)i * (size_t)patterns->length, &task->number[side][i]);
            if (status != STATUS_OK)
                return status;
        }
    }
    return STATUS_OK;
}

static void renumber(struct solved *solved, int side, uint64_t first, uint64_t n,
                     const uint32_t *number, uint32_t n_numbers)
{
    for (uint64_t index = first; index < first + n; index++) {
        const uint32_t old = solved_pattern(solved, side, index);
        if (old < n_numbers) /* impossible placements may hold anything */
            put_number(solved, side, index, number[old]);
    }
}

static void task_renumber(struct work *work, const struct task *task)
{
    const struct shape *shape = &work->context.shape;
    for (uint64_t i = task->first; i < task->last; i++) {
        const uint64_t frame = work->levels.frames[i];
        for (int side = 0; side < shape->n_sides; side++)
            renumber(work->solved, side, frame * shape->frame_size, shape->frame_size,
                     task->number[side], task->patterns[side].n);
        if (shape->n_sides == 1 && work->table == NULL) {
            const uint64_t twin = frame_twin(&work->context, frame);
            if (twin != frame)
                renumber(work->solved, WHITE, twin * shape->frame_size, shape->frame_size,
                         task->number[WHITE], task->patterns[WHITE].n);
        }
    }
}

static enum status make_tasks(struct work *work, uint64_t first, uint64_t last)
{
    const uint64_t frame_size = work->context.shape.frame_size;
    uint64_t per_task = (last - first) / (uint64_t)(work->n_workers * TASKS_PER_THREAD);
    if (per_task * frame_size > TASK_PLACEMENTS)
        per_task = TASK_PLACEMENTS / frame_size;
    if (per_task == 0)
        per_task = 1;
    work->n_tasks = (int64_t)((last - first + per_task - 1) / per_task);
    work->tasks = calloc((size_t)work->n_tasks + 1, sizeof *work->tasks);
    if (work->tasks == NULL)
        return STATUS_NO_MEMORY;
    for (int64_t t = 0; t < work->n_tasks; t++) {
        work->tasks[t].first = first + (uint64_t)t * per_task;
        work->tasks[t].last = work->tasks[t].first + per_task;
        if (work->tasks[t].last > last)
            work->tasks[t].last = last;
    }
    return STATUS_OK;
}

static void run_level(struct work *work, uint64_t first, uint64_t last)
{
    if (make_tasks(work, first, last) != STATUS_OK) {
        work_fail(work, STATUS_NO_MEMORY, "not enough memory for tasks");
        return;
    }
    /* Waking threads up costs more than a level of few placements. */
    const int n_threads =
        (last - first) * work->context.shape.frame_size < FEW_PLACEMENTS ? 1 : work->n_workers;
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads) if (n_threads > 1)
    for (int64_t t = 0; t < work->n_tasks; t++)
        task_run(work, &work->tasks[t], &work->workers[omp_get_thread_num()]);

    if (!work_failed(work) && work->context.shape.n_run_states > 1) {
        for (int64_t t = 0; t < work->n_tasks && !work_failed(work); t++) {
            const enum status status = task_merge(work, &work->tasks[t]);
            if (status != STATUS_OK)
                work_fail(work, status,
                          status == STATUS_NO_MEMORY
                              ? "not enough memory for patterns"
                              : "more patterns in a material than have numbers");
        }
        if (!work_failed(work)) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads) if (n_threads > 1)
            for (int64_t t = 0; t < work->n_tasks; t++)
                task_renumber(work, &work->tasks[t]);
        }
    }
    for (int64_t t = 0; t < work->n_tasks; t++)
        task_free(&work->tasks[t]);
    free(work->tasks);
    work->tasks = NULL;
}

/* --- a material ---------------------------------------------------------------------------------
 */

static enum status work_prepare(struct work *work)
{
    const struct material_job *job = work->job;
    enum status status =
        frame_context_init(&work->context, job->store, &job->material, job->metric);
    if (status == STATUS_OK)
        status = levels_create(&work->levels, &work->context);
    if (status == STATUS_OK && work->table != NULL)
        levels_list_all(&work->levels, &work->context); /* blocks are read one after the other */
    if (status == STATUS_OK)
        status = solved_create(job->store->rules, &job->material, job->metric, &work->solved);
    if (status != STATUS_OK)
        return status;
    const bool one_frame = work->context.shape.n_frames == 1;
    work->n_workers = one_frame ? 1 : job->n_threads;
    work->n_threads_inside = one_frame ? job->n_threads : 1;
    work->workers = calloc((size_t)work->n_workers, sizeof *work->workers);
    if (work->workers == NULL)
        return STATUS_NO_MEMORY;
    for (int i = 0; i < work->n_workers && status == STATUS_OK; i++) {
        status = frame_create(&work->workers[i].frame, &work->context, work->n_threads_inside);
        work->workers[i].frame.captures_only = work->table != NULL;
        if (status == STATUS_OK)
            status = job->solver->seeders(&work->context, work->n_threads_inside,
                                          &work->workers[i].seeders);
        if (status == STATUS_OK && work->table == NULL)
            status = job->solver->create(&work->context, work->n_threads_inside,
                                         &work->workers[i].solver);
    }
    return status;
}

static void work_release(struct work *work)
{
    for (int i = 0; work->workers != NULL && i < work->n_workers; i++) {
        frame_free(&work->workers[i].frame);
        free(work->workers[i].seeders);
        if (work->workers[i].solver != NULL)
            work->job->solver->destroy(work->workers[i].solver);
        free(work->workers[i].block[WHITE]);
        free(work->workers[i].block[BLACK]);
    }
    free(work->workers);
    levels_free(&work->levels);
    frame_context_free(&work->context);
    solved_destroy(work->solved);
}

static void solve_levels(struct work *work)
{
    const struct material_job *job = work->job;
    const struct levels *levels = &work->levels;
    const bool keep = job->checkpoint != NULL && job->checkpoint_seconds >= 0;
    struct error error;
    int level = 0;

    const enum status status =
        keep ? checkpoint_read(job->checkpoint, job->store->rules, job->metric, levels->n_levels,
                               work->solved, &level, &error)
             : STATUS_OK;
    if (status != STATUS_OK)
        work_fail(work, status, error.text);
    if (level > 0 && job->resumed != NULL)
        job->resumed(states_of_frames(&work->context.shape, levels->start[level]), job->context);
    double last = omp_get_wtime();
    for (; level < levels->n_levels && !work_failed(work); level++) {
        if (levels->start[level] == levels->start[level + 1])
            continue;
        run_level(work, levels->start[level], levels->start[level + 1]);
        if (keep && !work_failed(work) && omp_get_wtime() - last >= job->checkpoint_seconds) {
            /* What cannot be written costs no more than the time since the one before. */
            (void)checkpoint_write(job->checkpoint, job->store->rules, job->metric, work->solved,
                                   level + 1, NULL);
            last = omp_get_wtime();
        }
    }
}

static enum status make_solved(const struct material_job *job, const struct table *table,
                               struct error *error)
{
    struct work work = {.job = job, .table = table, .error = error};

    if (work_prepare(&work) != STATUS_OK) {
        char name[MATERIAL_NAME_SIZE];
        material_write(&job->material, name);
        work.status = error_set(error, STATUS_NO_MEMORY, "not enough memory for %s", name);
    }
    if (work.status == STATUS_OK) {
        /* Frames of other materials' men moves are read while a level runs: those of this material
         * must be found as soon as their level is done. */
        store_set(job->store, &job->material, work.solved);
        if (table != NULL)
            run_level(&work, 0, work.levels.start[work.levels.n_levels]);
        else
            solve_levels(&work);
        if (!work_failed(&work) &&
            solved_set_entry(work.solved, job->store->rules, job->metric) != STATUS_OK)
            work_fail(&work, STATUS_NO_MEMORY, "not enough memory for patterns");
        if (work_failed(&work))
            store_set(job->store, &job->material, NULL);
        else
            work.solved = NULL; /* the store's now */
    }
    work_release(&work);
    return work.status;
}

enum status material_solve(const struct material_job *job, struct error *error)
{
    return make_solved(job, NULL, error);
}

enum status material_load(const struct material_job *job, const struct table *table,
                          struct error *error)
{
    if (!table_is_whole(table))
        return error_set(error, STATUS_NO_TABLE, "%s: it leaves out values that are needed",
                         path_text(table_path(table)));
    return make_solved(job, table, error);
}
