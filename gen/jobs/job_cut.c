/* Cutting a set into jobs.
 *
 * Materials are taken by depth, the longest chain of captures and promotions below them: those of
 * one depth do not need each other. Small ones of a depth are bundled. One that takes too long is
 * cut by level: short levels follow each other in one job, a long one is shared out in parts that
 * can run at the same time. Every slice needs the tables of all materials the material leads to,
 * and, as a man move leads one level down, all slices of the levels just before its own.
 *
 * A job takes as many cores as its share of a node's memory: a core whose memory is taken cannot be
 * used by anything else. It takes more where bringing in what it needs would otherwise be too much
 * of its time.
 *
 * Few jobs stand beside each other on the longest path, so that narrow ones would leave most cores
 * idle; wide ones use a core less well. So the set is cut for every width, 1, 2, 4.. cores at least
 * up to a whole node, and the plan is that of the width with the shortest run, as its longest
 * path and its work shared out among all cores of the nodes tell. */
#include "gen/jobs/job_graph.h"
#include "gen/run/plan_size.h"

#include "gen/jobs/job_cost.h"
#include "gen/run/budget.h"
#include "gen/run/estimate.h"

#include <stdlib.h>
#include <string.h>

enum {
    BUNDLES_OF_A_JOB = 30, /* a job of a thirtieth of the longest time is bundled: under a minute */
    LEAST_MEMORY = 128 << 20
};

/* Bringing in what a material leads to is work every one of its slices does anew. Slices get so
 * many cores that it takes no more than this of their time; where a node has not so many, they are
 * longer, until it takes half of it. */
static const double SHARE_OF_LOADING = 0.15;

struct piece_of_work {
    int depth;
    int n_cores;
    uint64_t memory_bytes;
    uint64_t least_bytes; /* of memory, with as many threads as were tried last */
    double core_seconds;  /* of one job that makes it, without what is brought in */
    double loading_seconds;
    uint64_t file_bytes;
    uint64_t slice_bytes; /* of what is solved of it, in files */
};

struct cut {
    const struct graph_options *options;
    int width; /* cores of a job, at least */
    struct job_graph *graph;
    struct piece_of_work work[MAX_MATERIALS];
    int *list; /* of needs, while they are collected */
    einspul_error *error;
};

/* --- what a material takes -------------------------------------------------------------------- */

static struct generate_options as_generate(const struct graph_options *options, int n_threads)
{
    const struct generate_options generate = {
        .rules = options->rules, .metrics = options->metrics, .n_threads = n_threads};
    return generate;
}

static uint64_t share_of_node(const struct graph_options *options, int n_cores)
{
    return graph_within(n_cores == options->n_cores
                            ? options->memory_bytes
                            : options->memory_bytes / (uint64_t)options->n_cores *
                                  (uint64_t)n_cores);
}

static einspul_status does_not_fit(struct cut *cut, int index, uint64_t least)
{
    return error_set(cut->error, EINSPUL_NO_MEMORY,
                     "%s needs a node with %.1f GiB of memory, or fewer cores on one",
                     material_name(&cut->graph->materials[index]).text,
                     (double)least / 1073741824.0);
}

/* Of the memory of a node's cores what a job can use, and no less than what costs nothing: figures
 * for a few megabytes are too near to what the C library takes. 0 where they have less than it must
 * have. */
static uint64_t memory_of_cores(const struct graph_options *options, int n_cores,
                                struct budget_need bytes)
{
    const uint64_t share = share_of_node(options, n_cores);
    const uint64_t used = bytes.wanted_bytes / 4 * 3; /* of that at most: bench/README.md, "Jobs" */
    const uint64_t most = used > bytes.least_bytes ? used : bytes.least_bytes;
    const uint64_t enough = most > LEAST_MEMORY ? most : LEAST_MEMORY;
    if (bytes.least_bytes > share)
        return 0;
    return enough < share ? enough : share;
}

/* Gives a material's jobs so many cores, and of memory what they can use up to their share of a
 * node. False, and nothing changes, when that is less than they must have. */
static bool set_cores(struct cut *cut, int index, int n_cores)
{
    const struct generate_options generate = as_generate(cut->options, n_cores);
    struct piece_of_work *work = &cut->work[index];
    const struct budget_need bytes = budget_together(&generate, &cut->graph->materials[index], 1);
    const uint64_t n_bytes = memory_of_cores(cut->options, n_cores, bytes);
    work->least_bytes = bytes.least_bytes;
    if (n_bytes == 0)
        return false;
    work->n_cores = n_cores;
    work->memory_bytes = n_bytes;
    return true;
}

/* The fewest cores whose share of a node's memory is enough. */
static einspul_status find_memory(struct cut *cut, int index)
{
    for (int n_cores = cut->width; n_cores <= cut->options->n_cores; n_cores++)
        if (set_cores(cut, index, n_cores))
            return EINSPUL_OK;
    return does_not_fit(cut, index, cut->work[index].least_bytes);
}

/* The numbers of the materials that one leads to and that have jobs; returns how many there are. */
static int find_needs(const struct cut *cut, int index, int needs[MAX_MATERIALS])
{
    const struct job_graph *graph = cut->graph;
    struct material list[MAX_MATERIALS];
    const int n = material_successors(&graph->materials[index], BY_CAPTURE_OR_PROMOTION, list);
    int n_needs = 0;
    for (int i = 0; i < n; i++) {
        needs[n_needs] = material_number(graph->materials, graph->n_materials, &list[i]);
        n_needs += needs[n_needs] < graph->n_materials;
    }
    return n_needs;
}

/* The longest chain of moves to other materials below one. */
static int find_depth(const struct cut *cut, int index)
{
    int needs[MAX_MATERIALS];
    int depth = 0;
    for (int i = find_needs(cut, index, needs) - 1; i >= 0; i--)
        if (cut->work[needs[i]].depth >= depth)
            depth = cut->work[needs[i]].depth + 1;
    return depth;
}

static einspul_status find_work(struct cut *cut, int index)
{
    const struct graph_options *options = cut->options;
    const struct material *material = &cut->graph->materials[index];
    const struct generate_options generate = as_generate(options, 1);
    struct piece_of_work *work = &cut->work[index];
    struct shape shape;
    shape_init(&shape, options->rules, material);
    work->depth = find_depth(cut, index);
    work->core_seconds = estimate_seconds(options->rules, material, options->metrics, 1, 1.0);
    work->loading_seconds = job_loading_seconds(options->rules, material);
    work->file_bytes = plan_file_bytes(options->rules, &shape, options->metrics);
    work->slice_bytes = budget_values(&generate, material) / 3;
    return find_memory(cut, index);
}

/* --- jobs ------------------------------------------------------------------------------------- */

static int by_number(const void *a, const void *b)
{
    const int x = *(const int *)a;
    const int y = *(const int *)b;
    return (x > y) - (x < y);
}

/* Adds the jobs after which the materials a material leads to are there. */
static int list_needs(struct cut *cut, int index, int n)
{
    int needs[MAX_MATERIALS];
    for (int i = find_needs(cut, index, needs) - 1; i >= 0; i--)
        cut->list[n++] = cut->graph->job_of[needs[i]];
    return n;
}

static int sort_needs(int *list, int n)
{
    int n_kept = 0;
    if (n > 0)
        qsort(list, (size_t)n, sizeof *list, by_number);
    for (int i = 0; i < n; i++)
        if (n_kept == 0 || list[n_kept - 1] != list[i])
            list[n_kept++] = list[i];
    return n_kept;
}

static einspul_status add_job(struct cut *cut, struct graph_job *job, int n_needs)
{
    job->n_needs = sort_needs(cut->list, n_needs);
    job->needs = cut->list;
    return graph_add(cut->graph, job, cut->error);
}

/* Makes room for the numbers of `n` slices besides those of whole materials. */
static einspul_status room_for_needs(struct cut *cut, int n)
{
    int *list =
        realloc(cut->list, ((size_t)MAX_MATERIALS * JOB_MATERIALS + (size_t)n) * sizeof *list);
    if (list == NULL)
        return error_set(cut->error, EINSPUL_NO_MEMORY, "not enough memory for a plan of jobs");
    cut->list = list;
    return EINSPUL_OK;
}

/* Gives a job over whole materials the fewest cores from its own on whose share of a node's memory
 * is enough, and of that what it can use. False when a node has too little. */
static bool set_memory(const struct graph_options *options, struct graph_job *job)
{
    for (; job->n_cores <= options->n_cores; job->n_cores++) {
        const struct generate_options generate = as_generate(options, job->n_cores);
        job->memory_bytes =
            memory_of_cores(options, job->n_cores,
                            budget_together(&generate, job->job.materials, job->job.n_materials));
        if (job->memory_bytes > 0)
            return true;
    }
    return false;
}

/* Materials of one depth in one job, or, where they do not fit a node together, in several; each
 * alone does. `members` are their numbers. */
static einspul_status add_whole(struct cut *cut, const int *members, int n)
{
    struct job_graph *graph = cut->graph;
    struct graph_job job = {.job = {.kind = JOB_WHOLE, .n_materials = n}, .n_cores = 1};
    int n_needs = 0;
    for (int i = 0; i < n; i++) {
        const struct piece_of_work *work = &cut->work[members[i]];
        job.job.materials[i] = graph->materials[members[i]];
        job.n_cores = work->n_cores > job.n_cores ? work->n_cores : job.n_cores;
        job.disk_bytes += work->file_bytes;
        job.core_seconds += work->core_seconds + work->loading_seconds;
        n_needs = list_needs(cut, members[i], n_needs);
    }
    if (!set_memory(cut->options, &job)) {
        const einspul_status first = add_whole(cut, members, n / 2);
        return first == EINSPUL_OK ? add_whole(cut, members + n / 2, n - n / 2) : first;
    }
    const einspul_status status = add_job(cut, &job, n_needs);
    for (int i = 0; i < n && status == EINSPUL_OK; i++)
        graph->job_of[members[i]] = graph->n_jobs - 1;
    return status;
}

/* --- slices ----------------------------------------------------------------------------------- */

/* Levels that are jobs: first..last in one, or, with parts, one level in several. */
struct run_of_levels {
    int first, last;
    int n_parts; /* 1: the range is one job */
    double share;
};

/* The next run of levels from `from` on. */
static struct run_of_levels next_run(const struct level_sizes *sizes, int from, double most_share)
{
    struct run_of_levels run = {from, from, 1, 0};
    const double share = (double)sizes->n_frames[from] / (double)sizes->total;
    if (share > most_share) {
        const double parts = share / most_share;
        run.n_parts = (int)parts + ((double)(int)parts < parts);
        if (run.n_parts > JOB_MOST_PARTS)
            run.n_parts = JOB_MOST_PARTS;
        if ((uint64_t)run.n_parts > sizes->n_frames[from])
            run.n_parts = (int)sizes->n_frames[from];
        run.share = share;
        return run;
    }
    for (int level = from; level < sizes->n_levels; level++) {
        const double with = run.share + (double)sizes->n_frames[level] / (double)sizes->total;
        if (with > most_share)
            break;
        run.share = with;
        run.last = level;
    }
    return run;
}

/* Adds the jobs of a run of levels; `first_before` .. are those of the run before it. */
static einspul_status add_run(struct cut *cut, int index, const struct run_of_levels *run,
                              int first_before)
{
    const struct piece_of_work *work = &cut->work[index];
    const int n_before = cut->graph->n_jobs - first_before;
    einspul_status status = EINSPUL_OK;
    for (int part = 1; part <= run->n_parts && status == EINSPUL_OK; part++) {
        struct graph_job job = {.job = {.kind = JOB_SLICE,
                                        .n_materials = 1,
                                        .materials = {cut->graph->materials[index]},
                                        .first_level = run->first,
                                        .last_level = run->last,
                                        .part = part,
                                        .n_parts = run->n_parts},
                                .n_cores = work->n_cores,
                                .memory_bytes = work->memory_bytes};
        job.core_seconds = work->core_seconds * JOB_SLICES_SHARE * run->share / run->n_parts +
                           work->loading_seconds;
        job.disk_bytes = (uint64_t)((double)work->slice_bytes * run->share / run->n_parts);
        const int n_needs = list_needs(cut, index, 0);
        for (int i = 0; i < n_before; i++)
            cut->list[n_needs + i] = first_before + i;
        status = add_job(cut, &job, n_needs + n_before);
    }
    return status;
}

/* The job that makes the table, with as many cores as it takes to be done in time. */
static einspul_status add_table(struct cut *cut, int index, int first_slice)
{
    const struct graph_options *options = cut->options;
    const struct piece_of_work *work = &cut->work[index];
    struct job_graph *graph = cut->graph;
    struct graph_job job = {
        .job = {.kind = JOB_TABLE, .n_materials = 1, .materials = {graph->materials[index]}},
        .n_cores = work->n_cores,
        .disk_bytes = work->file_bytes,
        .core_seconds = work->core_seconds * JOB_TABLE_SHARE};
    int n_needs = 0;
    while (job.n_cores < options->n_cores &&
           job.core_seconds > (double)options->job_seconds * job.n_cores)
        job.n_cores++;
    const struct generate_options generate = as_generate(options, job.n_cores);
    uint64_t chunks;
    const struct budget_need bytes = budget_table(&generate, &graph->materials[index], &chunks);
    job.memory_bytes = memory_of_cores(options, job.n_cores, bytes);
    if (job.memory_bytes == 0)
        return does_not_fit(cut, index, bytes.least_bytes);
    for (int i = first_slice; i < graph->n_jobs; i++)
        cut->list[n_needs++] = i;
    const einspul_status status = add_job(cut, &job, n_needs);
    graph->job_of[index] = graph->n_jobs - 1;
    return status;
}

/* Of the states of a material, what one of its slices may have; sets the cores of each. */
static double most_share_of_slice(struct cut *cut, int index)
{
    const struct piece_of_work *work = &cut->work[index];
    const double seconds = cut->options->job_seconds;
    while (work->n_cores < cut->options->n_cores &&
           work->loading_seconds > SHARE_OF_LOADING * seconds * work->n_cores &&
           set_cores(cut, index, work->n_cores + 1))
        continue;
    double room = seconds * work->n_cores - work->loading_seconds;
    if (room < work->loading_seconds)
        room = work->loading_seconds;
    return room / (work->core_seconds * JOB_SLICES_SHARE);
}

static einspul_status add_slices(struct cut *cut, int index, double most_share)
{
    const int first_slice = cut->graph->n_jobs;
    int first_before = first_slice;
    struct level_sizes sizes;
    einspul_status status = EINSPUL_OK;
    level_sizes_init(&sizes, cut->options->rules, &cut->graph->materials[index]);
    for (int level = 0; level < sizes.n_levels && status == EINSPUL_OK;) {
        const struct run_of_levels run = next_run(&sizes, level, most_share);
        const int first = cut->graph->n_jobs;
        status = room_for_needs(cut, first - first_slice + 1);
        if (status == EINSPUL_OK)
            status = add_run(cut, index, &run, first_before);
        first_before = first;
        level = run.last + 1;
    }
    if (status == EINSPUL_OK)
        status = room_for_needs(cut, cut->graph->n_jobs - first_slice);
    return status == EINSPUL_OK ? add_table(cut, index, first_slice) : status;
}

/* --- all of it -------------------------------------------------------------------------------- */

/* Seconds of one job that makes a material. */
static double whole_seconds(const struct piece_of_work *work)
{
    return graph_seconds(work->core_seconds + work->loading_seconds, work->n_cores);
}

/* Whether a material is bundled with others. */
static bool is_small(const struct cut *cut, int index)
{
    const struct piece_of_work *work = &cut->work[index];
    return whole_seconds(work) * BUNDLES_OF_A_JOB < cut->options->job_seconds;
}

/* Without men a material is one frame, which cannot be shared out: then it takes more cores. */
static einspul_status add_large(struct cut *cut, int index)
{
    const struct piece_of_work *work = &cut->work[index];
    const struct material *material = &cut->graph->materials[index];
    const int most = cut->options->job_seconds;
    const bool one_frame = material->men[WHITE] + material->men[BLACK] == 0;
    while (one_frame && work->n_cores < cut->options->n_cores && whole_seconds(work) > most &&
           set_cores(cut, index, work->n_cores + 1))
        continue;
    if (one_frame || whole_seconds(work) <= most)
        return add_whole(cut, &index, 1);
    const double most_share = most_share_of_slice(cut, index);
    return most_share >= 1 ? add_whole(cut, &index, 1) : add_slices(cut, index, most_share);
}

static einspul_status cut_depth(struct cut *cut, int depth)
{
    int members[JOB_MATERIALS];
    int n = 0;
    double seconds = 0;
    einspul_status status = EINSPUL_OK;
    for (int i = 0; i < cut->graph->n_materials && status == EINSPUL_OK; i++) {
        if (cut->work[i].depth != depth || !is_small(cut, i))
            continue;
        members[n++] = i;
        seconds += whole_seconds(&cut->work[i]);
        if (n < JOB_MATERIALS && seconds * BUNDLES_OF_A_JOB < cut->options->job_seconds)
            continue;
        status = add_whole(cut, members, n);
        n = 0;
        seconds = 0;
    }
    if (n > 0 && status == EINSPUL_OK)
        status = add_whole(cut, members, n);
    for (int i = 0; i < cut->graph->n_materials && status == EINSPUL_OK; i++)
        if (cut->work[i].depth == depth && !is_small(cut, i))
            status = add_large(cut, i);
    return status;
}

/* Slices go when their table is there: at worst all of one depth lie there at once. */
static void sum_disk(struct cut *cut, int n_depths)
{
    struct job_graph *graph = cut->graph;
    uint64_t most = 0;
    for (int depth = 0; depth < n_depths; depth++) {
        uint64_t slices = 0;
        for (int i = 0; i < graph->n_materials; i++)
            if (cut->work[i].depth == depth && graph->jobs[graph->job_of[i]].job.kind == JOB_TABLE)
                slices += cut->work[i].slice_bytes;
        most = slices > most ? slices : most;
    }
    graph->disk_bytes = most;
    for (int i = 0; i < graph->n_materials; i++)
        graph->disk_bytes += cut->work[i].file_bytes;
}

/* The materials of a plan: those whose tables are another rule set's are left out. */
static void list_materials(const struct graph_options *options, struct job_graph *graph)
{
    struct material list[MAX_MATERIALS];
    const int n = options->pieces > 0 ? material_list(2, options->pieces, list)
                                      : material_closure(&options->material, list);
    graph->n_materials = 0;
    for (int i = 0; i < n; i++)
        if (!material_is_borrowed(options->rules, &list[i]))
            graph->materials[graph->n_materials++] = list[i];
}

static einspul_status cut_all(const struct graph_options *options, int width,
                              struct job_graph *graph, einspul_error *error)
{
    struct cut cut = {.options = options, .width = width, .graph = graph, .error = error};
    int n_depths = 0;
    memset(graph, 0, sizeof *graph);
    if (options->pieces != 0 && (options->pieces < 2 || options->pieces > MAX_PIECES))
        return error_set(error, EINSPUL_BAD_ARGUMENT, "%d pieces: 2..%d can be planned",
                         options->pieces, MAX_PIECES);
    if (options->metrics == 0 || options->metrics > METRICS_BOTH || options->n_cores < 1 ||
        options->n_nodes < 1 || options->job_seconds < 1)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "no metric, core or time to plan with");
    list_materials(options, graph);
    einspul_status status = room_for_needs(&cut, 0);
    for (int i = 0; i < graph->n_materials && status == EINSPUL_OK; i++) {
        status = find_work(&cut, i);
        n_depths = cut.work[i].depth >= n_depths ? cut.work[i].depth + 1 : n_depths;
    }
    for (int depth = 0; depth < n_depths && status == EINSPUL_OK; depth++)
        status = cut_depth(&cut, depth);
    if (status == EINSPUL_OK) {
        graph_finish(graph);
        sum_disk(&cut, n_depths);
    }
    free(cut.list);
    return status;
}

/* Seconds of a run on the nodes. It takes the larger of the longest path and the shared out work at
 * least, and their sum at most if no core waits while a job could run: the mean of these bounds. */
static double run_seconds(const struct graph_options *options, const struct job_graph *graph)
{
    const double n_cores = (double)options->n_cores * options->n_nodes;
    const double path = graph->path_seconds;
    double work = 0;
    for (int i = 0; i < graph->n_jobs; i++)
        work += graph->jobs[i].seconds * graph->jobs[i].n_cores / n_cores;
    return ((path > work ? path : work) + path + work) / 2;
}

einspul_status graph_create(const struct graph_options *options, struct job_graph *graph,
                            einspul_error *error)
{
    einspul_status status = cut_all(options, 1, graph, error);
    for (int width = 2; status == EINSPUL_OK && width < 2 * options->n_cores; width *= 2) {
        const int n = width < options->n_cores ? width : options->n_cores;
        struct job_graph wider;
        status = cut_all(options, n, &wider, error);
        if (status == EINSPUL_OK && run_seconds(options, &wider) < run_seconds(options, graph)) {
            const struct job_graph narrower = *graph;
            *graph = wider;
            wider = narrower;
        }
        graph_free(&wider);
    }
    return status;
}
