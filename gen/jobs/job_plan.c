/* A job's memory is that of a run in which all it needs is complete. A slice holds its own levels
 * and the one below; the time of a material is divided among its slices by their states, and its
 * tables' part of that is known from measurements (bench/README.md, "Jobs"). */
#include "gen/jobs/job_plan.h"

#include "gen/run/budget.h"
#include "gen/run/plan.h"
#include "gen/run/plan_size.h"

#include <string.h>

const double JOB_TABLE_SHARE = 0.25, JOB_SLICES_SHARE = 0.85;

/* Placements a second and core that are read back from a table, captures seeded again. */
static const double LOADING_RATE = 15e6;

/* Of a material that promotions lead to: its table is decoded whole, and a tenth to a quarter of its
 * captures seeded. */
static const double SHARE_AFTER_PROMOTION = 0.2;

enum status job_levels_of(const struct rules *rules, const struct material *material,
                          struct job_levels *result, struct error *error)
{
    struct shape shape;
    struct levels levels;
    uint64_t n_frames = 0;
    memset(result, 0, sizeof *result);
    shape_init(&shape, rules, material);
    if (levels_create(&levels, rules, &shape, LEVELS_TO_SOLVE) != STATUS_OK)
        return error_set(error, STATUS_NO_MEMORY, "no memory for the levels of a material");
    result->n_levels = levels.n_levels;
    for (int level = 0; level < levels.n_levels; level++) {
        result->levels[level].n_frames = levels.n_frames[level];
        result->levels[level].n_tasks = levels_tasks(&levels, level);
        n_frames += levels.n_frames[level];
    }
    for (int level = 0; level < levels.n_levels; level++)
        result->levels[level].n_states =
            (double)shape_states(&shape) * (double)levels.n_frames[level] / (double)n_frames;
    levels_free(&levels);
    return STATUS_OK;
}

int job_level_needed(const struct job *job)
{
    return job->kind == JOB_SLICE ? job->first_level - 1 : -1;
}

/* --- costs ------------------------------------------------------------------------------------ */

double job_loading_seconds(const struct rules *rules, const struct material *material, double speed)
{
    struct material needs[MAX_MATERIALS];
    const int n = material_successors(material, BY_CAPTURE_OR_PROMOTION, needs);
    double n_placements = 0;
    for (int i = 0; i < n; i++) {
        struct shape shape;
        shape_init(&shape, rules, &needs[i]);
        const bool promoted = material_pieces(&needs[i]) == material_pieces(material);
        n_placements += (double)(shape.n_placements * (uint64_t)shape.n_sides) *
                        (promoted ? SHARE_AFTER_PROMOTION : 1);
    }
    return n_placements / (LOADING_RATE * speed);
}

static void add_whole(const struct generate_options *options, const struct material *material,
                      struct job_cost *cost)
{
    const struct budget_need bytes = budget_alone(options, material);
    struct shape shape;
    shape_init(&shape, options->rules, material);
    if (bytes.least_bytes > cost->least_bytes)
        cost->least_bytes = bytes.least_bytes;
    if (bytes.wanted_bytes > cost->wanted_bytes)
        cost->wanted_bytes = bytes.wanted_bytes;
    cost->n_states += (double)shape_states(&shape);
    cost->file_bytes += plan_file_bytes(options->rules, &shape, options->metrics);
}

/* States of levels first..last of a material, or of a part of one. */
static double slice_states(const struct job_levels *levels, int first, int last, int part,
                           int n_parts)
{
    double n_states = 0;
    for (int level = first; level <= last; level++) {
        const uint64_t n_tasks = levels->levels[level].n_tasks;
        const struct task_range range = tasks_part(n_tasks, part, n_parts);
        if (n_tasks > 0)
            n_states += levels->levels[level].n_states * (double)(range.end - range.first) /
                        (double)n_tasks;
    }
    return n_states;
}

static enum status slice_cost(const struct generate_options *options, const struct job *job,
                              struct job_cost *cost, struct error *error)
{
    const struct material *material = &job->materials[0];
    struct job_levels levels;
    struct shape shape;
    const enum status status = job_levels_of(options->rules, material, &levels, error);
    if (status != STATUS_OK)
        return status;
    if (job->last_level >= levels.n_levels)
        return error_set(error, STATUS_BAD_ARGUMENT, "level %d: there are levels 0 to %d",
                         job->last_level, levels.n_levels - 1);
    add_whole(options, material, cost);
    shape_init(&shape, options->rules, material);
    const double n_states = (double)shape_states(&shape);
    const double values = (double)budget_values(options, material);
    const double own =
        slice_states(&levels, job->first_level, job->last_level, job->part, job->n_parts);
    const double below = job->first_level == 0 ? 0
                                               : slice_states(&levels, job->first_level - 1,
                                                              job->first_level - 1, 1, 1);
    const double spared = values * (1 - (own + below) / n_states) * 9 / 8;
    const double wanted = (double)cost->wanted_bytes - (spared > 0 ? spared : 0);
    cost->wanted_bytes = wanted > (double)cost->least_bytes ? (uint64_t)wanted : cost->least_bytes;
    cost->n_states = own;
    cost->file_bytes = (uint64_t)(values / 3 * own / n_states) + 4096;
    return STATUS_OK;
}

static void table_cost(const struct generate_options *options, const struct job *job,
                       struct job_cost *cost)
{
    const struct material *material = &job->materials[0];
    uint64_t chunks;
    const struct budget_need bytes = budget_table(options, material, &chunks);
    struct shape shape;
    shape_init(&shape, options->rules, material);
    cost->least_bytes = bytes.least_bytes;
    cost->wanted_bytes = bytes.wanted_bytes;
    cost->n_states = (double)shape_states(&shape);
    cost->file_bytes = plan_file_bytes(options->rules, &shape, options->metrics);
}

enum status job_cost_of(const struct generate_options *options, const struct job *job,
                        struct job_cost *cost, struct error *error)
{
    enum status status = STATUS_OK;
    memset(cost, 0, sizeof *cost);
    switch (job->kind) {
    case JOB_WHOLE:
        for (int i = 0; i < job->n_materials; i++)
            add_whole(options, &job->materials[i], cost);
        break;
    case JOB_SLICE:
        status = slice_cost(options, job, cost, error);
        break;
    case JOB_TABLE:
        table_cost(options, job, cost);
        break;
    }
    return status;
}
