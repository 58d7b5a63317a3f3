/* List scheduling by the longest path, event by event. Ready jobs are kept in the order of their
 * paths. A job that no node has room for stops all others that want as much, so that thousands of
 * equal slices are not each tried on a thousand nodes. */
#include "gen/jobs/simulate.h"

#include <stdlib.h>
#include <string.h>

struct node {
    int n_cores; /* free */
    uint64_t memory_bytes;
};

struct running {
    double end;
    int job;
    int node;
};

struct replay {
    const struct job_graph *graph;
    const struct cluster *cluster;
    struct node *nodes;
    int *n_waiting;          /* by job: needs that are not done */
    int *first_user, *users; /* by job: those that need it, users[first_user[i]] .. */
    int *ready;
    int n_ready;
    struct running *running; /* a heap, the one that ends first on top */
    int n_running;
    int n_free_cores;
    double now;
};

/* --- heap of running jobs --------------------------------------------------------------------- */

static bool ends_before(const struct running *a, const struct running *b)
{
    return a->end < b->end || (a->end <= b->end && a->job < b->job);
}

static void heap_push(struct replay *run, struct running entry)
{
    int at = run->n_running++;
    for (; at > 0 && ends_before(&entry, &run->running[(at - 1) / 2]); at = (at - 1) / 2)
        run->running[at] = run->running[(at - 1) / 2];
    run->running[at] = entry;
}

static struct running heap_pop(struct replay *run)
{
    const struct running top = run->running[0];
    const struct running last = run->running[--run->n_running];
    int at = 0;
    for (int child = 1; child < run->n_running; child = 2 * at + 1) {
        if (child + 1 < run->n_running &&
            ends_before(&run->running[child + 1], &run->running[child]))
            child++;
        if (!ends_before(&run->running[child], &last))
            break;
        run->running[at] = run->running[child];
        at = child;
    }
    run->running[at] = last;
    return top;
}

/* --- ready jobs ------------------------------------------------------------------------------- */

static bool goes_first(const struct replay *run, int a, int b)
{
    const double path_a = run->graph->jobs[a].path_seconds;
    const double path_b = run->graph->jobs[b].path_seconds;
    return path_a > path_b || (path_a >= path_b && a < b);
}

static void add_ready(struct replay *run, int job)
{
    int low = 0;
    int high = run->n_ready;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (goes_first(run, run->ready[middle], job))
            low = middle + 1;
        else
            high = middle;
    }
    memmove(run->ready + low + 1, run->ready + low,
            (size_t)(run->n_ready - low) * sizeof *run->ready);
    run->ready[low] = job;
    run->n_ready++;
}

static int find_node(const struct replay *run, const struct graph_job *job)
{
    for (int i = 0; i < run->cluster->n_nodes; i++)
        if (run->nodes[i].n_cores >= job->n_cores &&
            run->nodes[i].memory_bytes >= job->memory_bytes)
            return i;
    return -1;
}

static void start(struct replay *run, int number, int node)
{
    const struct graph_job *job = &run->graph->jobs[number];
    const struct running entry = {run->now + run->cluster->start_seconds + job->seconds, number,
                                  node};
    run->nodes[node].n_cores -= job->n_cores;
    run->nodes[node].memory_bytes -= job->memory_bytes;
    run->n_free_cores -= job->n_cores;
    heap_push(run, entry);
}

static void start_ready(struct replay *run)
{
    const struct graph_job *refused = NULL; /* the one that wanted least */
    int n_left = 0;
    for (int i = 0; i < run->n_ready; i++) {
        const int number = run->ready[i];
        const struct graph_job *job = &run->graph->jobs[number];
        const bool hopeless = run->n_free_cores < job->n_cores ||
                              (refused != NULL && job->n_cores >= refused->n_cores &&
                               job->memory_bytes >= refused->memory_bytes);
        const int node = hopeless ? -1 : find_node(run, job);
        if (node >= 0) {
            start(run, number, node);
            continue;
        }
        if (!hopeless)
            refused = job;
        run->ready[n_left++] = number;
    }
    run->n_ready = n_left;
}

static void end_one(struct replay *run)
{
    const struct running ended = heap_pop(run);
    const struct graph_job *job = &run->graph->jobs[ended.job];
    run->now = ended.end;
    run->nodes[ended.node].n_cores += job->n_cores;
    run->nodes[ended.node].memory_bytes += job->memory_bytes;
    run->n_free_cores += job->n_cores;
    for (int i = run->first_user[ended.job]; i < run->first_user[ended.job + 1]; i++)
        if (--run->n_waiting[run->users[i]] == 0)
            add_ready(run, run->users[i]);
}

/* --- all of it -------------------------------------------------------------------------------- */

static void list_users(struct replay *run)
{
    const struct job_graph *graph = run->graph;
    for (int i = 0; i < graph->n_jobs; i++)
        for (int j = 0; j < graph->jobs[i].n_needs; j++)
            run->first_user[graph->jobs[i].needs[j] + 1]++;
    for (int i = 0; i < graph->n_jobs; i++)
        run->first_user[i + 1] += run->first_user[i];
    for (int i = graph->n_jobs - 1; i >= 0; i--)
        for (int j = 0; j < graph->jobs[i].n_needs; j++) /* n_waiting counts what is filled in */
            run->users[run->first_user[graph->jobs[i].needs[j]] +
                       run->n_waiting[graph->jobs[i].needs[j]]++] = i;
    for (int i = 0; i < graph->n_jobs; i++)
        run->n_waiting[i] = graph->jobs[i].n_needs;
}

static bool run_create(struct replay *run)
{
    const size_t n_jobs = (size_t)run->graph->n_jobs;
    size_t n_needs = 0;
    for (size_t i = 0; i < n_jobs; i++)
        n_needs += (size_t)run->graph->jobs[i].n_needs;
    run->nodes = calloc((size_t)run->cluster->n_nodes, sizeof *run->nodes);
    run->n_waiting = calloc(n_jobs + 1, sizeof *run->n_waiting);
    run->first_user = calloc(n_jobs + 2, sizeof *run->first_user);
    run->users = calloc(n_needs + 1, sizeof *run->users);
    run->ready = calloc(n_jobs + 1, sizeof *run->ready);
    run->running = calloc(n_jobs + 1, sizeof *run->running);
    return run->nodes != NULL && run->n_waiting != NULL && run->first_user != NULL &&
           run->users != NULL && run->ready != NULL && run->running != NULL;
}

static void run_free(struct replay *run)
{
    free(run->nodes);
    free(run->n_waiting);
    free(run->first_user);
    free(run->users);
    free(run->ready);
    free(run->running);
}

/* The longest path when every job on it waits for its start. */
static double path_with_starts(const struct replay *run, double *path)
{
    double longest = 0;
    for (int i = 0; i < run->graph->n_jobs; i++) {
        const struct graph_job *job = &run->graph->jobs[i];
        path[i] = 0;
        for (int j = 0; j < job->n_needs; j++)
            if (path[job->needs[j]] > path[i])
                path[i] = path[job->needs[j]];
        path[i] += run->cluster->start_seconds + job->seconds;
        longest = path[i] > longest ? path[i] : longest;
    }
    return longest;
}

static void play(struct replay *run, struct simulation *simulation)
{
    for (int i = 0; i < run->cluster->n_nodes; i++)
        run->nodes[i] = (struct node){run->cluster->n_cores, run->cluster->memory_bytes};
    run->n_free_cores = run->cluster->n_nodes * run->cluster->n_cores;
    list_users(run);
    for (int i = 0; i < run->graph->n_jobs; i++)
        if (run->n_waiting[i] == 0)
            add_ready(run, i);
    start_ready(run);
    while (run->n_running > 0) {
        if (run->n_running > simulation->most_running)
            simulation->most_running = run->n_running;
        const double end = run->running[0].end;
        while (run->n_running > 0 && run->running[0].end <= end)
            end_one(run);
        start_ready(run);
    }
}

static enum status check(const struct job_graph *graph, const struct cluster *cluster,
                         struct error *error)
{
    if (cluster->n_nodes < 1 || cluster->n_cores < 1)
        return error_set(error, STATUS_BAD_ARGUMENT, "no node, or no core, to simulate");
    for (int i = 0; i < graph->n_jobs; i++) {
        const struct graph_job *job = &graph->jobs[i];
        char id[JOB_ID_SIZE];
        if (job->n_cores <= cluster->n_cores && job->memory_bytes <= cluster->memory_bytes)
            continue;
        job_write(&job->job, id);
        return error_set(error, STATUS_BAD_ARGUMENT, "%s: no node has room for it", id);
    }
    return STATUS_OK;
}

enum status simulate(const struct job_graph *graph, const struct cluster *cluster,
                     struct simulation *simulation, struct error *error)
{
    struct replay run = {.graph = graph, .cluster = cluster};
    memset(simulation, 0, sizeof *simulation);
    enum status status = check(graph, cluster, error);
    double *path = status == STATUS_OK ? calloc((size_t)graph->n_jobs + 1, sizeof *path) : NULL;
    if (status == STATUS_OK && (path == NULL || !run_create(&run)))
        status = error_set(error, STATUS_NO_MEMORY, "not enough memory to simulate");
    if (status == STATUS_OK) {
        play(&run, simulation);
        simulation->makespan = run.now;
        simulation->path_seconds = path_with_starts(&run, path);
        const double all = run.now * cluster->n_nodes * cluster->n_cores;
        simulation->idle_share = all > 0 ? 1 - graph->core_seconds / all : 0;
    }
    run_free(&run);
    free(path);
    return status;
}
