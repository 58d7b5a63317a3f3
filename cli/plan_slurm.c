/* A plan as a shell script that submits it to Slurm.
 *
 * Jobs of one stage with the same cores and about the same memory form one array, which Slurm
 * schedules as one entry, however many tasks it has. An array depends on the arrays that contain
 * the needs of its jobs. The script skips finished jobs, so that running it again repairs a run.
 * The fixed text of the script is below; the plan itself is a series of calls of `array` with the
 * names of the jobs. */
#include "cli/plan_print.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print.h"

/* Jobs of a stage that are one array. */
struct class_of_jobs {
    int stage;
    int n_cores;
    int memory_class; /* the power of two that holds its memory, in MiB */
};

static struct class_of_jobs class_of(const struct graph_job *job)
{
    struct class_of_jobs class = {job->stage, job->n_cores, 6};
    while (((uint64_t)1 << (20 + class.memory_class)) < job->memory_bytes)
        class.memory_class++;
    return class;
}

static bool same_class(const struct class_of_jobs *a, const struct class_of_jobs *b)
{
    return a->stage == b->stage && a->n_cores == b->n_cores && a->memory_class == b->memory_class;
}

struct classes {
    const struct job_graph *graph;
    struct class_of_jobs *list;
    int *of_job; /* number in the list */
    int n;
};

static void class_name(const struct classes *classes, int number, char name[48])
{
    const struct class_of_jobs *class = &classes->list[number];
    snprintf(name, 48, "s%dc%dm%d", class->stage, class->n_cores, class->memory_class);
}

/* Jobs are in order of depth, not of stage: arrays are listed stage by stage. */
static bool find_classes(const struct job_graph *graph, struct classes *classes)
{
    *classes = (struct classes){.graph = graph};
    classes->list = calloc((size_t)graph->n_jobs + 1, sizeof *classes->list);
    classes->of_job = calloc((size_t)graph->n_jobs + 1, sizeof *classes->of_job);
    if (classes->list == NULL || classes->of_job == NULL)
        return false;
    for (int stage = 0; stage < graph->n_stages; stage++) {
        const int first = classes->n;
        for (int i = 0; i < graph->n_jobs; i++) {
            if (graph->jobs[i].stage != stage)
                continue;
            const struct class_of_jobs class = class_of(&graph->jobs[i]);
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
    char gib[PLAN_GIB_SIZE];
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
    plan_gib(memory, gib);
    /* A process takes a little more than planned, and Slurm kills jobs beyond their limit. */
    printf("\narray %s %d %s %llu %.0f \"", name, classes->list[number].n_cores, gib,
           (unsigned long long)((memory + memory / 8) >> 20) + 64, 30 + seconds / 60 * 4);
    for (int i = 0, n = 0; i < classes->n; i++) {
        if (!needed[i])
            continue;
        class_name(classes, i, name);
        printf("%s%s", n++ == 0 ? "" : " ", name);
    }
    puts("\" <<'END'");
    for (int i = 0; i < graph->n_jobs; i++) {
        char id[JOB_ID_SIZE];
        if (classes->of_job[i] != number)
            continue;
        job_write(&graph->jobs[i].job, id);
        puts(id);
    }
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
    free(classes.of_job);
}

/* Lines of the script, one after the other. */
static void print_lines(const char *const *lines)
{
    for (; *lines != NULL; lines++)
        puts(*lines);
}

static const char *const usage[] = {
    "#",
    "#   sh FILE            submits what is not done; again after a fault, to repair the run",
    "#   sh FILE status     what Slurm has of it, and how far the tables are",
    "#   sh FILE cancel     takes it out of the queue; what is finished stays",
    "#",
    "# Partition, account and the like: sbatch reads SBATCH_PARTITION, SBATCH_ACCOUNT, ...",
    "# Logs, one for each job, are in $LOGS; a log of an array that could not begin, beside them.",
    "set -eu",
    NULL};

static const char *const preparation[] = {
    "",
    "queued() { squeue -h -r -u \"$(id -un)\" -n \"$name\" -o %T 2>/dev/null || :; }",
    "",
    "# What an earlier call submitted: its tasks keep what they finished, and end.",
    "cancel() {",
    "    scancel -u \"$(id -un)\" -n \"$name\" || :",
    "    tries=0",
    "    while [ -n \"$(queued)\" ] && [ \"$tries\" -lt 120 ]; do",
    "        sleep 1",
    "        tries=$((tries + 1))",
    "    done",
    "    [ -z \"$(queued)\" ] || { echo \"$name: still in the queue\" >&2; exit 1; }",
    "}",
    "",
    "case ${1-submit} in",
    "submit) ;;",
    "status)",
    "    queued | sort | uniq -c",
    "    exec \"$EINSPUL\" $plan --status --tables \"$TABLES\"",
    "    ;;",
    "cancel)",
    "    cancel",
    "    exit",
    "    ;;",
    "*)",
    "    echo \"usage: $0 [submit|status|cancel]\" >&2",
    "    exit 2",
    "    ;;",
    "esac",
    "",
    "if [ \"$(\"$EINSPUL\" --version)\" != \"einspul $version\" ]; then",
    "    echo \"$EINSPUL is not einspul $version, which made this plan: make it anew\" >&2",
    "    exit 2",
    "fi",
    "cancel",
    "[ ! -L \"$LOGS\" ] || { echo \"$LOGS: a symbolic link\" >&2; exit 2; }",
    "mkdir -p \"$LOGS\"",
    "\"$EINSPUL\" $plan --left --tables \"$TABLES\" >\"$LOGS/left.tsv\"",
    "cut -f 1 \"$LOGS/left.tsv\" | sed 1d >\"$LOGS/left\"",
    "most=$(scontrol show config | sed -n 's/^MaxArraySize *= *//p')",
    "[ -n \"$most\" ] || most=1001",
    "",
    "# A task of an array: the job whose name is on the line of LIST with the task's number.",
    "cat >\"$LOGS/task\" <<'TASK'",
    "#!/bin/sh",
    "# task LIST LOGS MEMORY EINSPUL OPTION...",
    "id=$(sed -n \"$((SLURM_ARRAY_TASK_ID + 1))p\" \"$1\")",
    "[ -n \"$id\" ] || { echo \"no job $SLURM_ARRAY_TASK_ID in $1\"; exit 2; }",
    "# A folder for every hundred tasks: file systems suffer from thousands in one.",
    "folder=$2/$((SLURM_ARRAY_TASK_ID / 100))",
    "memory=$3",
    "shift 3",
    "mkdir -p \"$folder\"",
    "exec >>\"$folder/$id.log\" 2>&1",
    "task=${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID",
    "echo \"$id: task $task on $(hostname), $(date), start ${SLURM_RESTART_COUNT:-0}\"",
    "child=",
    "trap '[ -z \"$child\" ] || kill -TERM \"$child\"' TERM INT",
    "\"$@\" --job \"$id\" --memory \"$memory\" --threads \"$SLURM_CPUS_PER_TASK\" \\",
    "    ${EINSPUL_SCRATCH:+--scratch \"$EINSPUL_SCRATCH\"} &",
    "child=$!",
    "status=0",
    "wait \"$child\" || status=$?",
    "# A signal ends `wait` before the program has kept what it finished: wait for that, too.",
    "while kill -0 \"$child\" 2>/dev/null; do",
    "    status=0",
    "    wait \"$child\" || status=$?",
    "done",
    "echo \"$id: status $status; processor time, user and system, of this shell and of the job:\"",
    "times",
    "# Stopped before the end of its time, not by scancel: it goes on in another turn.",
    "if [ \"$status\" -eq 75 ] && [ \"$(squeue -h -j \"$task\" -o %T)\" = RUNNING ]; then",
    "    scontrol requeue \"$task\" && sleep 60",
    "fi",
    "exit \"$status\"",
    "TASK",
    "",
    "# array NAME CORES GIB MIB MINUTES NEEDS: submits what is named on standard input and not",
    "# done, after the arrays NEEDS; in as many arrays as Slurm's limit takes.",
    "array() {",
    "    list=$LOGS/$1",
    "    rm -rf \"$list.ids\" \"$list.part\".*",
    "    grep -F -x -f \"$LOGS/left\" >\"$list.ids\" || :",
    "    [ -s \"$list.ids\" ] || { rm -f \"$list.ids\"; return 0; }",
    "    after=",
    "    for need in $6; do",
    "        eval \"after=\\$after\\${jobs_$need-}\"",
    "    done",
    "    split -a 4 -l \"$most\" \"$list.ids\" \"$list.part.\"",
    "    for part in \"$list.part\".*; do",
    "        n=$(wc -l <\"$part\")",
    "        job=$(sbatch --parsable --job-name=\"$name\" --comment=\"$1\" \\",
    "            --array=0-$((n - 1)) --cpus-per-task=\"$2\" --mem=\"$4M\" --time=\"$5\" \\",
    "            --requeue --signal=B:TERM@300 --kill-on-invalid-dep=yes \\",
    "            ${after:+--dependency=afterok$after} \\",
    "            --open-mode=append --output=\"$LOGS/$1.slurm.log\" \\",
    "            \"$LOGS/task\" \"$part\" \"$list\" \"$3\" \"$EINSPUL\" generate \\",
    "            $job_options --tables \"$TABLES\")",
    "        eval \"jobs_$1=\\${jobs_$1-}:${job%%;*}\"",
    "        total=$((total + n))",
    "    done",
    "}",
    "total=0",
    NULL};

static const char *const ending[] = {"", "echo \"$total jobs are submitted as $name; logs: $LOGS\"",
                                     "[ \"$total\" -gt 0 ] || echo \"all is done\"", NULL};

/* A name for the result of the plan, the same each time it is printed: FNV-1a of all it depends on. */
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

void plan_print_slurm(const struct plan *plan)
{
    puts("#!/bin/sh");
    plan_print_origin(plan);
    print_lines(usage);
    printf("EINSPUL=${EINSPUL:-");
    plan_print_quoted(plan->program);
    printf("}\nTABLES=${TABLES:-");
    plan_print_quoted(plan->tables);
    printf("}\nLOGS=${LOGS:-$TABLES/.slurm-%08x}\n", plan_tag(plan));
    printf("name=einspul-%08x\nversion=%s\nplan='", plan_tag(plan), einspul_version());
    plan_print_options(plan);
    printf("'\njob_options='");
    plan_print_job_options(plan);
    puts("'");
    print_lines(preparation);
    print_arrays(&plan->graph);
    print_lines(ending);
}
