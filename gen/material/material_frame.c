/* The values of a material's frames, one after the other: with values of one byte, and where those
 * cannot tell a distance, again with values of two. Of such frames there are few, so what they take is
 * made when the first of them comes, and the memory for it is taken from that for chunks. */
#include "gen/material/material_work.h"

#include <stdlib.h>

static enum status engine_create(struct engine *engine, const struct solver_functions *type,
                                 const struct frame_context *context, bool loading,
                                 bool after_promotion, int n_threads)
{
    engine->type = type;
    enum status status = frame_create(&engine->frame, context, n_threads);
    engine->frame.captures_only = loading;
    engine->frame.after_promotion = after_promotion;
    if (status == STATUS_OK)
        status = type->seeds->create(context, n_threads, &engine->seeders);
    if (status == STATUS_OK && !loading)
        status = type->create(context, n_threads, &engine->solver);
    return status;
}

static void engine_free(struct engine *engine)
{
    if (engine->type == NULL)
        return;
    frame_free(&engine->frame);
    free(engine->seeders);
    if (engine->solver != NULL)
        engine->type->destroy(engine->solver);
    *engine = (struct engine){0};
}

enum status work_start_engine(struct work *work, struct worker *worker)
{
    return engine_create(&worker->narrow, work->job->solver->sized[0], &work->context,
                         work->table != NULL, work->job->after_promotion, work->n_inside);
}

void work_free_engines(struct worker *worker)
{
    engine_free(&worker->narrow);
    engine_free(&worker->wide);
}

/* What all wide engines share, by the first of them. */
static enum status start_wide_context(struct work *work)
{
    const struct frame_context *narrow = &work->context;
    if (work->wide_context.value_bytes > 0)
        return STATUS_OK;
    return frame_context_init(&work->wide_context, narrow->store, &narrow->shape.material,
                              narrow->metric, narrow->large, 2);
}

static enum status start_wide(struct work *work, struct worker *worker, struct error *error)
{
    const struct solver_functions *type = work->job->solver->sized[1];
    const struct frame_context *narrow = &work->context;
    const bool loading = work->table != NULL;
    enum status status = STATUS_OK;
    if (worker->wide.type != NULL)
        return STATUS_OK;
#pragma omp critical(start_wide)
    status = start_wide_context(work);
    if (status == STATUS_OK && narrow->store->pager != NULL)
        pager_take(narrow->store->pager,
                   frame_bytes(&narrow->shape, narrow->large, 2) +
                       (loading ? 0
                                : type->bytes(&narrow->shape, narrow->metric, work->n_inside,
                                              narrow->large)));
    if (status == STATUS_OK)
        status = engine_create(&worker->wide, type, &work->wide_context, loading,
                               work->job->after_promotion, work->n_inside);
    if (status == STATUS_OK)
        return STATUS_OK;
    engine_free(&worker->wide);
    return error_set(error, status, "not enough memory for distances beyond %d plies",
                     narrow->most_plies);
}

static enum status engine_fill(struct work *work, struct worker *worker, struct engine *engine,
                               uint64_t number, struct error *error)
{
    worker->frame = &engine->frame;
    frame_set(&engine->frame, number);
    const enum status status = engine->type->seeds->make(engine->seeders, &engine->frame, error);
    if (status != STATUS_OK)
        return status;
    if (work->counters != NULL)
        return work_count_frame(work, worker, number, error);
    return work->table != NULL ? work_load_frame(work, worker, number, error)
                               : solver_solve(engine->type, engine->solver, &engine->frame, error);
}

enum status work_fill_frame(struct work *work, struct worker *worker, uint64_t number,
                            struct error *error)
{
    enum status status = STATUS_TOO_LONG;
    if (work->table == NULL || table_value_bytes(work->table) == 1)
        status = engine_fill(work, worker, &worker->narrow, number, error);
    if (status != STATUS_TOO_LONG)
        return status;
    frame_end(&worker->narrow.frame);
    status = start_wide(work, worker, error);
    if (status == STATUS_OK)
        status = engine_fill(work, worker, &worker->wide, number, error);
    if (worker->wide.type != NULL)
        frame_end(&worker->wide.frame);
    return status;
}
