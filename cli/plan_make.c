/* A plan as a makefile. Its targets are names of jobs, not files: an existing file may be damaged
 * or of another rule set, and a finished job finds out in milliseconds. */
#include "cli/plan_print.h"

#include <stdio.h>
#include <stdlib.h>

/* Prints the value of a variable. `$` and `#` are special in make, and so is a backslash before a
 * `#` or at the end of a line; so `#` is written as a variable, and the line ends with an empty
 * one. */
static void print_value(const char *text)
{
    for (; *text != '\0'; text++) {
        if (*text == '$')
            fputs("$$", stdout);
        else if (*text == '#')
            fputs("$(hash)", stdout);
        else
            putchar(*text);
    }
    puts("$()");
}

static void print_job(const struct job_graph *graph, const struct graph_job *job)
{
    const struct job_name name = job_name(&job->job);
    printf("\n.PHONY: %s\n%s:", name.text, name.text);
    for (int i = 0; i < job->n_needs; i++)
        printf(" %s", job_name(&graph->jobs[job->needs[i]].job).text);
    printf("\n\t$(JOB) $@ --threads %d --memory %s\n", job->n_cores,
           plan_gib(job->memory_bytes).text);
}

static const struct job_graph *sorted_graph; /* for qsort, in the program's one thread */

static int by_path(const void *a, const void *b)
{
    const int x = *(const int *)a;
    const int y = *(const int *)b;
    const double path_x = sorted_graph->jobs[x].path_seconds;
    const double path_y = sorted_graph->jobs[y].path_seconds;
    if (path_x < path_y || path_x > path_y)
        return path_x > path_y ? -1 : 1;
    return (x > y) - (x < y);
}

/* The numbers of all jobs, the longest path first, in memory to be freed; NULL without memory.
 * Programs that start jobs in the order of the file then start the most urgent ones first. */
static int *plan_by_path(const struct job_graph *graph)
{
    int *order = malloc(((size_t)graph->n_jobs + 1) * sizeof *order);
    if (order == NULL)
        return NULL;
    for (int i = 0; i < graph->n_jobs; i++)
        order[i] = i;
    sorted_graph = graph;
    qsort(order, (size_t)graph->n_jobs, sizeof *order, by_path);
    return order;
}

void plan_print_make(const struct plan *plan)
{
    const struct job_graph *graph = &plan->graph;
    int *order = plan_by_path(graph);
    plan_print_origin(plan);
    puts("#\n"
         "#   make -j N -f FILE      N jobs at once; the same again after a stop goes on\n"
         "#   make -n -f FILE        shows what would be run\n"
         "#\n"
         "# No target is a file. Each job looks itself whether it is done, which takes\n"
         "# milliseconds. EINSPUL=... and TABLES=... on the command line replace these:");
    printf("hash = \\#\nEINSPUL = ");
    print_value(plan->program);
    printf("TABLES = ");
    print_value(plan->tables);
    printf("quoted = '$(subst ','\\'',$(1))'\n"
           "JOB = $(call quoted,$(EINSPUL)) generate ");
    plan_print_job_options(plan);
    printf(" --tables $(call quoted,$(TABLES)) --job\n\n.PHONY: all\nall:");
    for (int i = 0; order != NULL && i < graph->n_jobs; i++)
        printf(" %s", job_name(&graph->jobs[order[i]].job).text);
    puts("");
    for (int i = 0; i < graph->n_jobs; i++)
        print_job(graph, &graph->jobs[i]);
    free(order);
}
