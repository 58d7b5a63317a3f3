/* The plan of jobs: what is in it, in which order, within which bounds, and what the simulation
 * of a cluster makes of it. */
#include "gen/jobs/job_cost.h"
#include "gen/jobs/job_graph.h"
#include "gen/run/budget.h"
#include "gen/run/run_options.h"
#include "gen/values/levels.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

static const char *const games[] = {"frisian", "international", "english"};

static struct graph_options node_of(const struct rules *rules, int pieces)
{
    return (struct graph_options){.rules = rules,
                                  .pieces = pieces,
                                  .metrics = METRICS_BOTH,
                                  .n_nodes = 4,
                                  .n_cores = 16,
                                  .memory_bytes = (uint64_t)256 << 30,
                                  .job_seconds = 1800};
}

static void create(const struct graph_options *options, struct job_graph *graph)
{
    einspul_error error = {0};
    cr_assert_eq(graph_create(options, graph, &error), EINSPUL_OK, "%s", error.text);
}

/* A job would be given levels another job has, or none would have them. */
Test(job_graph, levels_are_counted_as_they_are)
{
    for (int game = 0; game < 3; game++) {
        const struct rules rules = rules_named(games[game]);
        struct material list[MAX_MATERIALS];
        const int n = material_list(2, 5, list);
        for (int i = 0; i < n; i++) {
            struct shape shape;
            struct levels levels;
            struct level_sizes sizes;
            shape_init(&shape, &rules, &list[i]);
            cr_assert_eq(levels_create(&levels, &rules, &shape, LEVELS_TO_SOLVE), EINSPUL_OK);
            level_sizes_init(&sizes, &rules, &list[i]);
            cr_assert_eq(sizes.total, shape.n_frames);
            cr_assert_eq(sizes.n_levels, levels.n_levels);
            for (int level = 0; level < sizes.n_levels && !levels.twins; level++)
                cr_assert_eq(sizes.n_frames[level], levels.n_frames[level]);
            levels_free(&levels);
        }
    }
}

/* Sizes of seven and eight pieces would be what is left of them in too few bits. */
Test(job_graph, states_are_counted_in_full)
{
    static const uint64_t states[3][3] = {
        {UINT64_C(14927405470), UINT64_C(723785825850), UINT64_C(26631213265680)},
        {UINT64_C(1570600750), UINT64_C(46198758750), UINT64_C(1119691797720)},
        {UINT64_C(139450808), UINT64_C(2426085676), UINT64_C(34243113624)}};
    struct material list[MAX_MATERIALS];
    struct shape shape;
    for (int game = 0; game < 3; game++) {
        const struct rules rules = rules_named(games[game]);
        for (int pieces = 5; pieces <= 7; pieces++) {
            uint64_t sum = 0;
            const int n = material_list(pieces, pieces, list);
            for (int i = 0; i < n; i++) {
                shape_init(&shape, &rules, &list[i]);
                sum += shape_states(&shape);
            }
            cr_assert_eq(sum, states[game][pieces - 5], "%s, %d pieces", games[game], pieces);
        }
    }
    const struct rules rules = rules_named("international");
    cr_assert_eq(material_list(8, 8, list), 76);
    cr_assert_eq(material_list(2, MAX_PIECES, list), 210);
    const struct material seven_kings = {{0, 0}, {7, 1}};
    shape_init(&shape, &rules, &seven_kings);
    cr_assert_eq(shape_states(&shape), UINT64_C(99884400) * 43 * 2);
    const struct material four_men = {{4, 4}, {0, 0}};
    struct level_sizes sizes;
    level_sizes_init(&sizes, &rules, &four_men);
    cr_assert_eq(sizes.total, UINT64_C(148995) * 148995); /* C(45,4) men sets a side */
}

/* --- what is in a plan ------------------------------------------------------------------------ */

/* The number of a material in the graph's list. */
static int number_of(const struct job_graph *graph, const struct material *material)
{
    for (int i = 0; i < graph->n_materials; i++)
        if (material_equal(&graph->materials[i], material))
            return i;
    cr_assert_fail("a material that is in no plan");
    return -1;
}

static bool has_need(const struct graph_job *job, int need)
{
    for (int i = 0; i < job->n_needs; i++)
        if (job->needs[i] == need)
            return true;
    return false;
}

/* The materials whose tables must be there for a job, those of a bundle left out; in the order of
 * material_list. Returns their number. */
static int job_needs(const struct job *job, struct material needs[MAX_MATERIALS])
{
    bool needed[MAX_MATERIALS] = {false};
    struct material successors[MAX_MATERIALS];
    const int n = material_list(2, MAX_PIECES, needs);
    int n_kept = 0;
    for (int i = 0; i < job->n_materials && job->kind != JOB_TABLE; i++) {
        const int n_successors =
            material_successors(&job->materials[i], BY_CAPTURE_OR_PROMOTION, successors);
        for (int j = 0; j < n_successors; j++)
            for (int k = 0; k < n; k++)
                needed[k] = needed[k] || material_equal(&needs[k], &successors[j]);
    }
    for (int k = 0; k < n; k++)
        if (needed[k] && !job_has(job, &needs[k]))
            needs[n_kept++] = needs[k];
    return n_kept;
}

/* What jobs say they read is made by jobs they need, or is another rule set's; a slice needs all
 * slices of the level below. */
static void expect_needs(const struct rules *rules, const struct job_graph *graph, int number)
{
    const struct graph_job *job = &graph->jobs[number];
    struct material needs[MAX_MATERIALS];
    const int n = job_needs(&job->job, needs);
    for (int i = 0; i < n; i++)
        if (!material_is_borrowed(rules, &needs[i]))
            cr_assert(has_need(job, graph->job_of[number_of(graph, &needs[i])]));
    for (int i = 0; i < graph->n_jobs && job->job.kind != JOB_WHOLE; i++) {
        const struct job *other = &graph->jobs[i].job;
        const int level = job_level_needed(&job->job);
        const bool same = other->kind == JOB_SLICE &&
                          material_equal(&other->materials[0], &job->job.materials[0]);
        if (same && (job->job.kind == JOB_TABLE ||
                     (level >= other->first_level && level <= other->last_level)))
            cr_assert(has_need(job, i));
    }
}

/* Slices of a material in their order take each level once, with all its parts. */
static void expect_all_levels(const struct rules *rules, const struct job_graph *graph, int table)
{
    const struct material *material = &graph->jobs[table].job.materials[0];
    struct level_sizes sizes;
    int next_level = 0;
    int next_part = 1;
    level_sizes_init(&sizes, rules, material);
    for (int i = 0; i < graph->n_jobs; i++) {
        const struct job *job = &graph->jobs[i].job;
        if (job->kind != JOB_SLICE || !material_equal(&job->materials[0], material))
            continue;
        cr_assert_eq(job->first_level, next_level);
        cr_assert_eq(job->part, next_part);
        cr_assert(job->n_parts == 1 || job->first_level == job->last_level);
        next_part = job->part == job->n_parts ? 1 : job->part + 1;
        next_level = next_part == 1 ? job->last_level + 1 : next_level;
    }
    cr_assert_eq(next_level, sizes.n_levels);
}

/* Returns how many slices there are. */
static int expect_sound(const struct graph_options *options, const struct job_graph *graph)
{
    int n_slices = 0;
    double seconds = 0;
    for (int i = 0; i < graph->n_jobs; i++) {
        const struct graph_job *job = &graph->jobs[i];
        int stage = 0;
        for (int j = 0; j < job->n_needs; j++) {
            cr_assert_lt(job->needs[j], i, "a job needs one that comes later");
            cr_assert(j == 0 || job->needs[j] > job->needs[j - 1]);
            stage = graph->jobs[job->needs[j]].stage >= stage ? graph->jobs[job->needs[j]].stage + 1
                                                              : stage;
            cr_assert_leq(job->path_seconds, graph->jobs[job->needs[j]].path_seconds -
                                                 graph->jobs[job->needs[j]].seconds + 1e-6);
        }
        cr_assert_eq(job->stage, stage);
        cr_assert(job->n_cores >= 1 && job->n_cores <= options->n_cores);
        cr_assert(job->memory_bytes > 0 && job->memory_bytes <= options->memory_bytes);
        cr_assert(job->core_seconds > 0 && job->core_seconds < 1e9);
        n_slices += job->job.kind == JOB_SLICE;
        seconds += job->core_seconds;
        if (options->pieces <= MAX_PIECES)
            expect_needs(options->rules, graph, i);
        if (job->job.kind == JOB_TABLE)
            expect_all_levels(options->rules, graph, i);
    }
    for (int i = 0; i < graph->n_materials; i++) {
        const struct job *job = &graph->jobs[graph->job_of[i]].job;
        bool is_there = false;
        for (int j = 0; j < job->n_materials; j++)
            is_there = is_there || material_equal(&job->materials[j], &graph->materials[i]);
        cr_assert(is_there && job->kind != JOB_SLICE, "a material nobody makes");
    }
    cr_assert_float_eq(seconds, graph->core_seconds, seconds * 1e-9);
    return n_slices;
}

/* A scheduler would wait for ever, or start a job whose input is not there, or kill it. */
Test(job_graph, every_plan_is_sound, .timeout = 300)
{
    for (int game = 0; game < 3; game++) {
        const struct rules rules = rules_named(games[game]);
        for (int pieces = 2; pieces <= MAX_PIECES; pieces++) {
            struct graph_options options = node_of(&rules, pieces);
            struct job_graph graph;
            if (pieces > 7) /* king-only materials are one frame each */
                options.memory_bytes *= 64;
            create(&options, &graph);
            expect_sound(&options, &graph);
            graph_free(&graph);
        }
    }
}

/* Tables would be made twice, under two names; or jobs would wait for them for ever. */
Test(job_graph, tables_of_another_rule_set_have_no_jobs)
{
    const struct rules rules = rules_named("international-fmjd");
    for (int pieces = 2; pieces <= 6; pieces++) {
        struct graph_options options = node_of(&rules, pieces);
        struct job_graph graph;
        options.job_seconds = pieces == 6 ? 1 : options.job_seconds; /* slices, too */
        create(&options, &graph);
        cr_assert_eq(graph.n_materials, pieces == 2 ? 1 : pieces == 3 ? 3 : 6);
        for (int i = 0; i < graph.n_materials; i++)
            cr_assert_not(material_is_borrowed(&rules, &graph.materials[i]));
        expect_sound(&options, &graph);
        graph_free(&graph);
    }
}

/* The least memory of a bundle, when all else is complete: that of the material that takes most. */
static uint64_t least_of_bundle(const struct graph_options *options, const struct graph_job *job)
{
    const struct generate_options generate = {
        .rules = options->rules, .metrics = options->metrics, .n_threads = job->n_cores};
    struct material list[MAX_MATERIALS];
    struct generate_plan plan;
    uint64_t least = 0;
    plan_begin(&plan, list, material_list(2, options->pieces, list));
    for (int i = 0; i < plan.n_materials; i++)
        plan.materials[i].complete = !job_has(&job->job, &list[i]);
    for (int i = 0; i < plan.n_materials; i++) {
        if (plan.materials[i].complete)
            continue;
        budget_plan(&generate, &plan, i);
        if (plan.materials[i].least_bytes > least)
            least = plan.materials[i].least_bytes;
    }
    return least;
}

/* Jobs over several materials hold what the next ones look up, and write tables behind the
 * solver: with the memory of the largest alone they would refuse to begin. Where a node is too
 * small for all of them they are several jobs. */
Test(job_graph, bundles_get_the_memory_they_refuse_to_begin_without)
{
    static const uint64_t node_bytes[] = {UINT64_C(300) << 20, UINT64_C(16) << 30};
    for (int game = 0; game < 2; game++)
        for (int small = 0; small < 2; small++)
            for (unsigned metrics = METRICS_WDL; metrics <= METRICS_BOTH; metrics += 2) {
                const struct rules rules = rules_named(games[game]);
                struct graph_options options = node_of(&rules, small ? 4 : 6);
                struct job_graph graph;
                int n_bundles = 0;
                options.metrics = metrics;
                options.n_cores = small ? 2 : 8;
                options.memory_bytes = node_bytes[!small];
                create(&options, &graph);
                for (int i = 0; i < graph.n_jobs; i++) {
                    if (graph.jobs[i].job.kind != JOB_WHOLE)
                        continue;
                    n_bundles += graph.jobs[i].job.n_materials > 1;
                    cr_assert_leq(least_of_bundle(&options, &graph.jobs[i]),
                                  graph.jobs[i].memory_bytes);
                }
                cr_assert_gt(n_bundles, 0);
                graph_free(&graph);
            }
}

/* Small limits cut small materials; their slices are as sound as those of large ones. */
Test(job_graph, small_limits_cut_more)
{
    const struct rules rules = rules_named("frisian");
    struct graph_options options = node_of(&rules, 5);
    struct job_graph whole, cut, again;
    create(&options, &whole);
    cr_assert_eq(expect_sound(&options, &whole), 0);
    options.job_seconds = 1;
    options.n_cores = 2;
    create(&options, &cut);
    cr_assert_gt(expect_sound(&options, &cut), 20);
    create(&options, &again); /* slices of a stopped run are found under the same names */
    cr_assert_eq(cut.n_jobs, again.n_jobs);
    for (int i = 0; i < cut.n_jobs; i++)
        cr_assert_eq(memcmp(&cut.jobs[i].job, &again.jobs[i].job, sizeof cut.jobs[i].job), 0);
    graph_free(&whole);
    graph_free(&cut);
    graph_free(&again);
}

/* Seven pieces would be a handful of jobs of days, or thousands of seconds each. */
Test(job_graph, seven_pieces_are_jobs_of_ordinary_length)
{
    const struct rules rules = rules_named("frisian");
    struct graph_options options = node_of(&rules, 7);
    struct job_graph graph;
    int n_long = 0;
    int n_short = 0;
    create(&options, &graph);
    for (int i = 0; i < graph.n_jobs; i++) {
        n_long += graph.jobs[i].seconds > 3600;
        n_short += graph.jobs[i].seconds < 60;
    }
    cr_assert_gt(graph.n_jobs, 50);
    cr_assert_lt(n_long * 20, graph.n_jobs, "%d of %d jobs are long", n_long, graph.n_jobs);
    cr_assert_lt(n_short * 3, graph.n_jobs, "%d of %d jobs are short", n_short, graph.n_jobs);
    graph_free(&graph);
}

/* The longest path of a plan, in hours, on nodes of 16 cores and 60 GiB. */
static double path_hours(int pieces, unsigned metrics, int n_nodes, int n_cores)
{
    const struct rules rules = rules_named("frisian");
    struct graph_options options = node_of(&rules, pieces);
    struct job_graph graph;
    options.metrics = metrics;
    options.n_nodes = n_nodes;
    options.n_cores = n_cores;
    options.memory_bytes = (uint64_t)60 << 30;
    options.job_seconds = 3600;
    create(&options, &graph);
    expect_sound(&options, &graph);
    const double hours = graph.path_seconds / 3600;
    graph_free(&graph);
    return hours;
}

/* A thousand cores would wait for one job of one core. */
Test(job_graph, cores_go_where_the_path_is)
{
    cr_assert_leq(path_hours(6, METRICS_BOTH, 1, 16), 0.4);
    cr_assert_leq(path_hours(7, METRICS_WDL, 4, 16), 3.2);
    cr_assert_leq(path_hours(7, METRICS_BOTH, 4, 16), 5.5);
    cr_assert_gt(path_hours(6, METRICS_BOTH, 1, 1), 1, "one core takes what one core takes");
}

/* What cannot be done is said when it is planned, not by the last job after a week. */
Test(job_graph, refusals)
{
    const struct rules rules = rules_named("frisian");
    struct graph_options options = node_of(&rules, 9);
    struct job_graph graph;
    einspul_error error;
    cr_assert_eq(graph_create(&options, &graph, &error), EINSPUL_BAD_ARGUMENT);
    graph_free(&graph);
    options = node_of(&rules, 6);
    options.memory_bytes = 64 << 20;
    cr_assert_eq(graph_create(&options, &graph, &error), EINSPUL_NO_MEMORY);
    cr_assert(strstr(error.text, "GiB of memory") != NULL, "%s", error.text);
    graph_free(&graph);
    options = node_of(&rules, 4);
    options.metrics = 0;
    cr_assert_eq(graph_create(&options, &graph, &error), EINSPUL_BAD_ARGUMENT);
    graph_free(&graph);
}

/* --- paths ------------------------------------------------------------------------------------ */

static void add(struct job_graph *graph, double seconds, int n_cores, uint64_t memory_bytes,
                int n_needs, const int *needs)
{
    int list[4];
    struct graph_job job = {.job = {.kind = JOB_WHOLE, .n_materials = 1},
                            .n_cores = n_cores,
                            .memory_bytes = memory_bytes,
                            .core_seconds = seconds * n_cores,
                            .needs = list,
                            .n_needs = n_needs};
    job.job.materials[0] = (struct material){{0, 0}, {1, 1}};
    if (n_needs > 0)
        memcpy(list, needs, (size_t)n_needs * sizeof *list);
    cr_assert_eq(graph_add(graph, &job, NULL), EINSPUL_OK);
}

/* A of 10 s; B of 20 s and C of 30 s need it; D of 10 s needs both. */
static void toy(struct job_graph *graph, uint64_t memory_bytes)
{
    memset(graph, 0, sizeof *graph);
    add(graph, 10, 1, 1, 0, NULL);
    add(graph, 20, 1, memory_bytes, 1, (int[]){0});
    add(graph, 30, 1, memory_bytes, 1, (int[]){0});
    add(graph, 10, 1, 1, 2, (int[]){1, 2});
    graph_finish(graph);
}

/* Stages and the longest path are what a scheduler and a reader of the plan go by. */
Test(job_graph, stages_and_paths_by_hand)
{
    struct job_graph graph;
    toy(&graph, 1);
    cr_assert_float_eq(graph.path_seconds, 50, 1e-9);
    cr_assert_eq(graph.n_stages, 3);
    graph_free(&graph);
}
