/* A plan as a Snakefile. Snakemake recognises a finished job by its output file. Such files could
 * be outdated later, so a run creates them in a temporary folder of its own, and the next run
 * checks every job again. */
#include "cli/plan_print.h"

#include <stdio.h>

/* A text of Python. */
static void print_text(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        if (*text == '"' || *text == '\\')
            putchar('\\');
        putchar(*text);
    }
    putchar('"');
}

static void print_job(const struct job_graph *graph, const struct graph_job *job)
{
    char id[JOB_ID_SIZE];
    char gib[PLAN_GIB_SIZE];
    job_write(&job->job, id);
    plan_gib(job->memory_bytes, gib);
    printf("    \"%s\": ([", id);
    for (int i = 0; i < job->n_needs; i++) {
        char need[JOB_ID_SIZE];
        job_write(&graph->jobs[job->needs[i]].job, need);
        printf("%s\"%s\"", i == 0 ? "" : ", ", need);
    }
    printf("], %d, \"%s\", %llu),\n", job->n_cores, gib,
           (unsigned long long)(job->memory_bytes >> 20) + 1);
}

void plan_print_snakemake(const struct plan *plan)
{
    const struct job_graph *graph = &plan->graph;
    plan_print_origin(plan);
    printf("#\n"
           "#   snakemake --cores N -s FILE     the same again after a stop goes on\n"
           "#\n"
           "# The files Snakemake looks for are made anew by each run, in a folder of their own: "
           "each job\n"
           "# looks itself whether it is done, which takes milliseconds.\n"
           "import os, shutil, uuid\n\n"
           "EINSPUL = ");
    print_text(plan->program);
    printf("\nTABLES = ");
    print_text(plan->tables);
    puts("\n\n# name: needs, threads, GiB, MiB\n"
         "JOBS = {");
    for (int i = 0; i < graph->n_jobs; i++)
        print_job(graph, &graph->jobs[i]);
    puts("}\n\n"
         "if \"EINSPUL_RUN\" not in os.environ:  # processes Snakemake starts are of the same run\n"
         "    os.environ[\"EINSPUL_RUN\"] = \".einspul-\" + uuid.uuid4().hex\n"
         "RUN = os.environ[\"EINSPUL_RUN\"]\n"
         "wildcard_constraints:\n"
         "    job=\"[A-Za-z0-9+.-]+\"\n\n"
         "onsuccess:\n"
         "    shutil.rmtree(RUN, ignore_errors=True)\n\n"
         "onerror:\n"
         "    shutil.rmtree(RUN, ignore_errors=True)\n\n"
         "rule all:\n"
         "    input: [os.path.join(RUN, job) for job in JOBS]\n\n"
         "rule job:\n"
         "    input: lambda one: [os.path.join(RUN, need) for need in JOBS[one.job][0]]\n"
         "    output: touch(os.path.join(RUN, \"{job}\"))\n"
         "    threads: lambda one: JOBS[one.job][1]\n"
         "    resources: mem_mb=lambda one: JOBS[one.job][3]\n"
         "    params:\n"
         "        einspul=lambda one: EINSPUL,\n"
         "        tables=lambda one: TABLES,\n"
         "        memory=lambda one: JOBS[one.job][2]\n"
         "    shell:");
    fputs("        \"{params.einspul:q} generate ", stdout);
    plan_print_job_options(plan);
    puts(" --tables {params.tables:q}\"\n"
         "        \" --job {wildcards.job:q} --threads {threads} --memory {params.memory}\"");
}
