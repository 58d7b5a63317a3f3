/* Shared by the printers of a plan. */
#include "cli/plan_print.h"

#include "cli/print.h"
#include "cli/tables.h"

void plan_gib(uint64_t n_bytes, char text[PLAN_GIB_SIZE])
{
    const uint64_t thousandths = (n_bytes * 1000 + ((uint64_t)1 << 30) - 1) >> 30;
    snprintf(text, PLAN_GIB_SIZE, "%llu.%03u", (unsigned long long)(thousandths / 1000),
             (unsigned)(thousandths % 1000));
}

void plan_print_options(const struct plan *plan)
{
    const struct options *options = plan->options;
    char gib[PLAN_GIB_SIZE];
    printf("plan");
    if (options->pieces > 0)
        printf(" --pieces %d", options->pieces);
    else
        printf(" --material %s", material_name(&options->materials[0]).text);
    plan_gib(options->memory_bytes, gib);
    putchar(' ');
    plan_print_job_options(plan);
    printf(" --nodes %d --cores %d --memory %s --seconds %d", options->n_nodes, options->n_cores,
           gib, options->job_seconds);
}

void plan_print_job_options(const struct plan *plan)
{
    printf("--rules %s --metric %s", plan->options->rules.name,
           option_rows[OPTION_METRIC].words[plan->options->metrics - METRICS_WDL]);
}

void plan_print_origin(const struct plan *plan)
{
    const struct job_graph *graph = &plan->graph;
    char disk[32];
    char longest[32];
    int n_cores = 1;
    for (int i = 0; i < graph->n_jobs; i++)
        n_cores = graph->jobs[i].n_cores > n_cores ? graph->jobs[i].n_cores : n_cores;
    bytes_text(graph->disk_bytes, disk);
    seconds_text(graph->path_seconds, longest);
    printf("# Printed by %s: ", program_version());
    plan_print_options(plan);
    printf("\n# %d jobs of at most %d cores, %.1f core-hours, longest path %s, disk %s.\n",
           graph->n_jobs, n_cores, graph->core_seconds / 3600, longest, disk);
}
