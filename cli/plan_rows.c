/* A plan as data, a line or a JSON object a job; and its progress, a line per material, with a bar
 * on a terminal. */
#include "cli/plan_print.h"

#include <stdlib.h>
#include <string.h>

#include "cli/system.h"

/* The names of needs, with commas between them; in memory to be freed. */
static char *needs_text(const struct job_graph *graph, const struct graph_job *job)
{
    char *text = malloc((size_t)job->n_needs * (JOB_ID_SIZE + 1) + 1);
    size_t n_chars = 0;
    if (text == NULL)
        return NULL;
    text[0] = '\0';
    for (int i = 0; i < job->n_needs; i++) {
        const struct job_name name = job_name(&graph->jobs[job->needs[i]].job);
        if (i > 0)
            text[n_chars++] = ',';
        strcpy(text + n_chars, name.text);
        n_chars += strlen(name.text);
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
        if (plan->done != NULL && plan->done[i])
            continue;
        char *needs = needs_text(graph, job);
        row_text("job", job_name(&job->job).text);
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

/* --- progress --------------------------------------------------------------------------------- */

enum { BAR = 40 };

/* What is left in words; with a bar where a terminal shows it. */
static void print_sum(const struct plan *plan, const struct graph_status *status)
{
    const double share = status->seconds > 0 ? 1 - status->seconds_left / status->seconds : 1;
    const bool all = status->n_done == plan->graph.n_materials;
    const int n_filled = all ? BAR : (int)(share * (BAR - 1));
    if (system_is_terminal(stderr)) {
        fputc('[', stderr);
        for (int i = 0; i < BAR; i++)
            fputc(i < n_filled ? '#' : '.', stderr);
        fputs("] ", stderr);
    }
    fprintf(stderr, "%.0f %%, %d of %d materials done, %d running, %.1f core-hours left\n",
            all                ? 100.0
            : 100 * share < 99 ? 100 * share
                               : 99.0,
            status->n_done, plan->graph.n_materials, status->n_running,
            status->seconds_left / 3600);
}

void plan_print_status(const struct plan *plan, const struct graph_status *status)
{
    static const char *const states[] = {"missing", "running", "partly", "done"};
    row_header("material\tstate\tjobs\tjobs-done\tcore-hours\tcore-hours-left");
    for (int i = 0; i < plan->graph.n_materials; i++) {
        const struct material_status *material = &status->materials[i];
        row_text("material", material_name(&plan->graph.materials[i]).text);
        row_text("state", states[material->state]);
        row_count("jobs", (uint64_t)material->n_jobs);
        row_count("jobs-done", (uint64_t)material->n_done);
        row_real("core-hours", material->seconds / 3600);
        row_real("core-hours-left", material->seconds_left / 3600);
        row_end();
    }
    output_flush();
    print_sum(plan, status);
}
