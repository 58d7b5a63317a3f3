/* A plan as a shell script that submits it to Slurm: plan_slurm.sh, with the plan in the place
 * of its line `@plan@`, as variables and as calls of `array` with the names of the jobs.
 *
 * Jobs of the same stage, needs and users, with the same cores and about the same memory, form
 * one array, which Slurm schedules as one entry. An array depends on the arrays that contain the
 * needs of its jobs, and waits for all of their jobs; as these are needed together, it waits for
 * none in vain. */
#include "cli/plan_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const char plan_slurm_script[]; /* written by embed.cmake */

/* Jobs that are one array. */
struct class_of_jobs {
    int stage;
    int n_cores;
    int memory_class;   /* the power of two that holds its memory, in MiB */
    uint64_t relations; /* a hash of their needs and users */
};

static struct class_of_jobs class_of(const struct graph_job *job, uint64_t relations)
{
    struct class_of_jobs class = {job->stage, job->n_cores, 6, relations};
    while (((uint64_t)1 << (20 + class.memory_class)) < job->memory_bytes)
        class.memory_class++;
    return class;
}

static bool same_class(const struct class_of_jobs *a, const struct class_of_jobs *b)
{
    return a->stage == b->stage && a->n_cores == b->n_cores && a->memory_class == b->memory_class &&
           a->relations == b->relations;
}

struct classes {
    const struct job_graph *graph;
    struct class_of_jobs *list;
    uint64_t *relations; /* by job */
    int *of_job;         /* number in the list */
    int n;
};

static void class_name(const struct classes *classes, int number, char name[48])
{
    snprintf(name, 48, "s%da%d", classes->list[number].stage, number);
}

static uint64_t mix(uint64_t hash, int number)
{
    return (hash ^ (uint64_t)number) * UINT64_C(0x9e3779b97f4a7c15) ^ hash >> 29;
}

/* Needs and users of each job, in the order of their numbers. */
static void find_relations(const struct job_graph *graph, uint64_t *relations)
{
    for (int i = 0; i < graph->n_jobs; i++) {
        const struct graph_job *job = &graph->jobs[i];
        for (int j = 0; j < job->n_needs; j++) {
            const int need = job->needs[j]; /* lower than i: its own needs are entered */
            relations[i] = mix(relations[i], need);
            relations[need] = mix(relations[need], -1 - i);
        }
    }
}

/* Jobs are in order of depth, not of stage: arrays are listed stage by stage. */
static bool find_classes(const struct job_graph *graph, struct classes *classes)
{
    const size_t n = (size_t)graph->n_jobs + 1;
    *classes = (struct classes){.graph = graph};
    classes->list = calloc(n, sizeof *classes->list);
    classes->of_job = calloc(n, sizeof *classes->of_job);
    classes->relations = calloc(n, sizeof *classes->relations);
    if (classes->list == NULL || classes->of_job == NULL || classes->relations == NULL)
        return false;
    find_relations(graph, classes->relations);
    for (int stage = 0; stage < graph->n_stages; stage++) {
        const int first = classes->n;
        for (int i = 0; i < graph->n_jobs; i++) {
            if (graph->jobs[i].stage != stage)
                continue;
            const struct class_of_jobs class = class_of(&graph->jobs[i], classes->relations[i]);
            int number = first;
            while (number < classes->n && !same_class(&classes->list[number], &class))
                number++;
            if (number == classes->n)
                classes->list[classes->n++] = class;
            classes->of_job[i] = number;
        }
    }
    return true;
}

/* The largest memory and time of an array's jobs, and the arrays they need. */
static void print_array(const struct classes *classes, int number, bool *needed)
{
    const struct job_graph *graph = classes->graph;
    char name[48];
    uint64_t memory = 0;
    double seconds = 0;
    memset(needed, 0, (size_t)classes->n * sizeof *needed);
    for (int i = 0; i < graph->n_jobs; i++) {
        const struct graph_job *job = &graph->jobs[i];
        if (classes->of_job[i] != number)
            continue;
        memory = job->memory_bytes > memory ? job->memory_bytes : memory;
        seconds = job->seconds > seconds ? job->seconds : seconds;
        for (int j = 0; j < job->n_needs; j++)
            needed[classes->of_job[job->needs[j]]] = true;
    }
    class_name(classes, number, name);
    printf("array %s %d %s %llu %.0f \"", name, classes->list[number].n_cores,
           plan_gib(memory).text, (unsigned long long)(graph_request(memory) >> 20),
           30 + seconds / 60 * 4);
    for (int i = 0, n = 0; i < classes->n; i++) {
        if (!needed[i])
            continue;
        class_name(classes, i, name);
        printf("%s%s", n++ == 0 ? "" : " ", name);
    }
    puts("\" <<'END'");
    for (int i = 0; i < graph->n_jobs; i++)
        if (classes->of_job[i] == number)
            puts(job_name(&graph->jobs[i].job).text);
    puts("END");
}

static void print_arrays(const struct job_graph *graph)
{
    struct classes classes;
    bool *needed = NULL;
    if (find_classes(graph, &classes))
        needed = calloc((size_t)classes.n + 1, sizeof *needed);
    for (int i = 0; needed != NULL && i < classes.n; i++)
        print_array(&classes, i, needed);
    if (needed == NULL)
        message("einspul plan", "not enough memory for the arrays");
    free(needed);
    free(classes.list);
    free(classes.relations);
    free(classes.of_job);
}

/* A name for the result of the plan, the same each time it is printed: FNV-1a of all it depends
 * on. */
static unsigned plan_tag(const struct plan *plan)
{
    const struct options *options = plan->options;
    char text[PLAN_PATH_SIZE + 128];
    unsigned hash = 2166136261u;
    snprintf(text, sizeof text, "%d %d %u %s", options->pieces, (int)options->rules.id,
             options->metrics, plan->tables);
    for (const char *at = text; *at != '\0'; at++)
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    return hash;
}

/* A text as one word of a shell. */
static void print_quoted(const char *text)
{
    putchar('\'');
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*text);
    }
    putchar('\'');
}

/* The lines of the script in which the plan is. */
static void print_contents(const struct plan *plan)
{
    const struct options *options = plan->options;
    printf("EINSPUL=${EINSPUL:-");
    print_quoted(plan->program);
    printf("}\nTABLES=${TABLES:-");
    print_quoted(plan->tables);
    printf("}\nLOGS=${LOGS:-$TABLES/.slurm-%08x}\n", plan_tag(plan));
    printf("name=einspul-%08x\nversion='%s'\nnode_mib=%llu", plan_tag(plan), program_version(),
           (unsigned long long)(options->memory_bytes >> 20));
    printf("\nplan='");
    plan_print_options(plan);
    printf("'\njob_options='");
    plan_print_job_options(plan);
    puts("'\narrays() {");
    print_arrays(&plan->graph);
    puts("}");
}

void plan_print_slurm(const struct plan *plan)
{
    static const char mark[] = "@plan@\n";
    const char *rest = strstr(plan_slurm_script, mark);
    puts("#!/bin/sh");
    plan_print_origin(plan);
    printf("%.*s", (int)(rest - plan_slurm_script), plan_slurm_script);
    print_contents(plan);
    fputs(rest + strlen(mark), stdout);
}
