/* A plan as data: a line or a JSON object a job. */
#include "cli/plan_print.h"

#include <stdlib.h>
#include <string.h>

#include "cli/print.h"

/* The names of needs, with commas between them; in memory to be freed. */
static char *needs_text(const struct job_graph *graph, const struct graph_job *job)
{
    char *text = malloc((size_t)job->n_needs * (JOB_ID_SIZE + 1) + 1);
    size_t n_chars = 0;
    if (text == NULL)
        return NULL;
    text[0] = '\0';
    for (int i = 0; i < job->n_needs; i++) {
        if (i > 0)
            text[n_chars++] = ',';
        job_write(&graph->jobs[job->needs[i]].job, text + n_chars);
        n_chars += strlen(text + n_chars);
    }
    return text;
}

void plan_print_rows(const struct plan *plan)
{
    static const char *const kinds[] = {"whole", "slice", "table"};
    const struct job_graph *graph = &plan->graph;
    row_header("job\tkind\tstage\tcores\tmemory\tdisk\tcore-seconds\tpriority\tneeds");
    for (int i = 0; i < graph->n_jobs && output_works(); i++) {
        const struct graph_job *job = &graph->jobs[i];
        char id[JOB_ID_SIZE];
        if (plan->done != NULL && plan->done[i])
            continue;
        char *needs = needs_text(graph, job);
        job_write(&job->job, id);
        row_text("job", id);
        row_text("kind", kinds[job->job.kind]);
        row_count("stage", (uint64_t)job->stage);
        row_count("cores", (uint64_t)job->n_cores);
        row_count("memory", job->memory_bytes);
        row_count("disk", job->disk_bytes);
        row_real("core-seconds", job->core_seconds);
        row_real("priority", job->path_seconds);
        row_text("needs", needs == NULL || needs[0] == '\0' ? NULL : needs);
        row_end();
        free(needs);
    }
}
