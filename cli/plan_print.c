/* Shared by the printers of a plan. */
#include "cli/plan_print.h"

#include "cli/tables.h"

struct short_text plan_gib(uint64_t n_bytes)
{
    struct short_text gib;
    const uint64_t thousandths = (n_bytes * 1000 + ((uint64_t)1 << 30) - 1) >> 30;
    snprintf(gib.text, sizeof gib.text, "%llu.%03u", (unsigned long long)(thousandths / 1000),
             (unsigned)(thousandths % 1000));
    return gib;
}

void plan_print_options(const struct plan *plan)
{
    const struct options *options = plan->options;
    printf("plan");
    if (options->pieces > 0)
        printf(" --pieces %d", options->pieces);
    else
        printf(" --material %s", material_name(&options->materials[0]).text);
    putchar(' ');
    plan_print_job_options(plan);
    printf(" --nodes %d --cores %d --memory %s --seconds %d", options->n_nodes, options->n_cores,
           plan_gib(options->memory_bytes).text, options->job_seconds);
}

void plan_print_job_options(const struct plan *plan)
{
    printf("--rules %s --metric %s", plan->options->rules.name,
           option_rows[OPTION_METRIC].words[plan->options->metrics - METRICS_WDL]);
}

void plan_print_origin(const struct plan *plan)
{
    const struct job_graph *graph = &plan->graph;
    int n_cores = 1;
    for (int i = 0; i < graph->n_jobs; i++)
        n_cores = graph->jobs[i].n_cores > n_cores ? graph->jobs[i].n_cores : n_cores;
    printf("# Printed by %s: ", program_version());
    plan_print_options(plan);
    printf("\n# %d jobs of at most %d cores, %.1f core-hours, longest path %s, disk %s.\n",
           graph->n_jobs, n_cores, graph->core_seconds / 3600,
           seconds_text(graph->path_seconds).text, bytes_text(graph->disk_bytes).text);
}
