/* A plan as a file for ninja. As in the makefile, outputs are not files; a file with the name of a
 * job makes no difference, because every job also needs `always`, which never exists. */
#include "cli/plan_print.h"

#include <stdio.h>

/* A shell's word as the value of a variable: only `$` means something to ninja. */
static void print_value(const char *text)
{
    putchar('\'');
    for (; *text != '\0'; text++) {
        if (*text == '$')
            putchar('$');
        if (*text == '\'')
            fputs("'\\'", stdout);
        putchar(*text);
    }
    puts("'");
}

void plan_print_ninja(const struct plan *plan)
{
    const struct job_graph *graph = &plan->graph;
    plan_print_origin(plan);
    puts("#\n"
         "#   ninja -j N -f FILE     N jobs at once; the same again after a stop goes on\n"
         "#\n"
         "# No output is a file. Each job looks itself whether it is done, which takes\n"
         "# milliseconds.");
    printf("ninja_required_version = 1.5\neinspul = ");
    print_value(plan->program);
    printf("tables = ");
    print_value(plan->tables);
    printf("\nrule job\n  command = $einspul generate ");
    plan_print_job_options(plan);
    puts(" --tables $tables --job $out --threads $threads --memory $memory\n"
         "  description = $out\n\n"
         "build always: phony");
    for (int i = 0; i < graph->n_jobs; i++) {
        const struct graph_job *job = &graph->jobs[i];
        char id[JOB_ID_SIZE];
        char gib[PLAN_GIB_SIZE];
        job_write(&job->job, id);
        plan_gib(job->memory_bytes, gib);
        printf("\nbuild %s: job always", id);
        for (int j = 0; j < job->n_needs; j++) {
            char need[JOB_ID_SIZE];
            job_write(&graph->jobs[job->needs[j]].job, need);
            printf(" %s", need);
        }
        printf("\n  threads = %d\n  memory = %s\n", job->n_cores, gib);
    }
}
