/* Creates and frees workers; collects the first error of their threads. */

#include "gen/material/material_work.h"

#include "gen/material/material_chunks.h"
#include "gen/material/material_threads.h"
#include "gen/seeds/seed_tables.h"
#include "gen/solver/clock_solver.h"

#include <stdlib.h>

void work_fail(struct work *work, einspul_status status, const char *text)
{
#pragma omp critical(work_error)
    if (work->status == EINSPUL_OK) {
        work->status = status;
        error_set(work->error, status, "%s", text);
    }
}

bool work_failed(const struct work *work)
{
    einspul_status status;
#pragma omp atomic read
    status = work->status;
    return status != EINSPUL_OK;
}

static einspul_status worker_create(struct work *work, struct worker *worker)
{
    const struct frame_context *context = &work->context;
    einspul_status status = frame_create(&worker->frame, context, work->n_threads_per_frame);
    worker->frame.stop = work->params->stop;
    worker->frame.captures_only = work->loading;
    worker->frame.only_after_promotion = work->loading && work->params->only_after_promotion;
    if (status == EINSPUL_OK && work->solver->seeds->create != NULL)
        status = work->solver->seeds->create(context, work->n_threads_per_frame, &worker->seeders);
    if (status == EINSPUL_OK && !work->loading && work->solver->create != NULL)
        status = work->solver->create(context, work->n_threads_per_frame, &worker->solver);
    if (status == EINSPUL_OK && work->loading) {
        worker->cursors = calloc(2 * (size_t)work->n_threads_per_frame, sizeof *worker->cursors);
        status = worker->cursors == NULL ? EINSPUL_NO_MEMORY : EINSPUL_OK;
    }
    if (status != EINSPUL_OK || !work->makes_chunks)
        return status;
    worker->builders =
        calloc(2 * (size_t)work->n_threads_per_frame, sizeof(struct chunk_builder *));
    if (worker->builders == NULL)
        return EINSPUL_NO_MEMORY;
    for (int i = 0; i < 2 * work->n_threads_per_frame && status == EINSPUL_OK; i++)
        status = chunk_builder_create(&worker->builders[i], context->shape.n_rule_states,
                                      context->has_keys);
    return status;
}

static void worker_release(struct work *work, struct worker *worker)
{
    frame_free(&worker->frame);
    free(worker->seeders);
    if (worker->solver != NULL)
        work->solver->destroy(worker->solver);
    for (int i = 0; worker->builders != NULL && i < 2 * work->n_threads_per_frame; i++)
        chunk_builder_free(worker->builders[i]);
    free(worker->builders);
    for (int i = 0; worker->cursors != NULL && i < 2 * work->n_threads_per_frame; i++)
        block_cursor_free(&worker->cursors[i]);
    free(worker->cursors);
}

/* Sets the number of workers and of threads in each, unless the caller has. */
static void find_threads(struct work *work)
{
    const struct material_params *params = work->params;
    const struct frame_params frames = {&work->context.shape, params->metric, work->solver,
                                        work->loading};
    work->n_workers = params->n_workers;
    work->n_threads_per_frame = params->n_threads_per_frame;
    if (params->n_workers == 0)
        material_threads(&frames, params->n_threads, 0, &work->n_workers,
                         &work->n_threads_per_frame);
}

static einspul_status prepare(struct work *work)
{
    const struct material_params *params = work->params;
    struct shape shape;
    shape_init(&shape, params->store->rules, &params->material);
    work->solver = solver_of(&shape, params->solver);
    const enum frame_form form = solver_form(work->solver, &shape, params->metric, work->loading);
    einspul_status status =
        frame_context_init(&work->context, params->store, &params->material, params->metric, form);
    if (status == EINSPUL_OK)
        status = seed_tables_create(&work->context);
    if (status == EINSPUL_OK)
        status = solved_create(params->store->rules, &params->material, params->metric,
                               work->loading ? ORDER_AS_STORED : ORDER_TO_SOLVE,
                               params->store->pager, &work->solved);
    if (status != EINSPUL_OK)
        return status;
    work->solved->stop = params->stop;
    work_fill_twin_states(work);
    find_threads(work);
    work->workers = calloc((size_t)work->n_workers, sizeof *work->workers);
    if (work->workers == NULL)
        return EINSPUL_NO_MEMORY;
    for (int i = 0; i < work->n_workers && status == EINSPUL_OK; i++)
        status = worker_create(work, &work->workers[i]);
    return status;
}

bool work_prepare(struct work *work)
{
    if (prepare(work) == EINSPUL_OK)
        return true;
    work->status = error_set(work->error, EINSPUL_NO_MEMORY, "not enough memory for %s",
                             material_name(&work->params->material).text);
    return false;
}

void work_release(struct work *work)
{
    for (int i = 0; work->workers != NULL && i < work->n_workers; i++)
        worker_release(work, &work->workers[i]);
    free(work->workers);
    frame_context_free(&work->context);
    solved_destroy(work->solved);
}
