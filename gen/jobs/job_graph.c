/* What every plan of jobs has: jobs in a list, each with the numbers of those it needs. Needs have
 * lower numbers, so a graph without a cycle is what comes out, and one pass backwards finds the
 * longest paths. */
#include "gen/jobs/job_graph.h"

#include "core/array.h"

#include <stdlib.h>

static einspul_status no_memory(einspul_error *error)
{
    return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a plan of jobs");
}

einspul_status graph_add(struct job_graph *graph, const struct graph_job *job, einspul_error *error)
{
    struct graph_job *jobs =
        array_room(graph->jobs, (size_t)graph->n_jobs, &graph->room, 64, sizeof *jobs);
    if (jobs == NULL)
        return no_memory(error);
    graph->jobs = jobs;
    struct graph_job *added = &graph->jobs[graph->n_jobs];
    *added = *job;
    added->needs = malloc(((size_t)job->n_needs + 1) * sizeof *added->needs);
    if (added->needs == NULL)
        return no_memory(error);
    added->stage = 0;
    for (int i = 0; i < job->n_needs; i++) {
        const struct graph_job *need = &graph->jobs[job->needs[i]];
        added->needs[i] = job->needs[i];
        if (need->stage >= added->stage)
            added->stage = need->stage + 1;
    }
    added->seconds = graph_seconds(added->core_seconds, added->n_cores);
    graph->n_jobs++;
    return EINSPUL_OK;
}

void graph_finish(struct job_graph *graph)
{
    graph->core_seconds = 0;
    graph->path_seconds = 0;
    graph->n_stages = 0;
    for (int i = 0; i < graph->n_jobs; i++)
        graph->jobs[i].path_seconds = 0;
    for (int i = graph->n_jobs - 1; i >= 0; i--) {
        struct graph_job *job = &graph->jobs[i];
        job->path_seconds += job->seconds; /* it held the longest of those behind it */
        for (int j = 0; j < job->n_needs; j++) {
            struct graph_job *need = &graph->jobs[job->needs[j]];
            if (job->path_seconds > need->path_seconds)
                need->path_seconds = job->path_seconds;
        }
        graph->core_seconds += job->core_seconds;
        if (job->path_seconds > graph->path_seconds)
            graph->path_seconds = job->path_seconds;
        if (job->stage >= graph->n_stages)
            graph->n_stages = job->stage + 1;
    }
}

void graph_free(struct job_graph *graph)
{
    for (int i = 0; i < graph->n_jobs; i++)
        free(graph->jobs[i].needs);
    free(graph->jobs);
    graph->jobs = NULL;
    graph->n_jobs = 0;
    graph->room = 0;
}
