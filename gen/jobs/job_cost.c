/* The time of a material is divided among its slices by their frames, and its tables' part of
 * that is known from measurements (bench/README.md, "Jobs"). */
#include "gen/jobs/job_cost.h"

#include "gen/run/budget.h"
#include "gen/run/plan_size.h"

#include <string.h>

const double JOB_TABLE_SHARE = 0.25, JOB_SLICES_SHARE = 0.85;

/* Placements a second and core that are read back from a table, captures seeded again. */
static const double LOADING_RATE = 15e6;

/* Of a material that promotions lead to: its table is decoded whole, and a tenth to a quarter of
 * its captures seeded. */
static const double SHARE_AFTER_PROMOTION = 0.2;

double job_loading_seconds(const struct rules *rules, const struct material *material)
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
    return n_placements / LOADING_RATE;
}

/* --- levels ----------------------------------------------------------------------------------- */

enum { N_STEPS = 9 * MAX_SET + 1 };

/* Men sets are counted by size and steps, square by square: with a square of s steps every set
 * without it is joined by the set with it, one man and s steps more. The frames of a level are then
 * the pairs of a White and a Black set whose steps add up to it. Counting takes microseconds where
 * listing the sets of seven men takes seconds and gigabytes. */
static void count_sets(const struct rules *rules, enum side side, int size, uint64_t sets[N_STEPS])
{
    uint64_t counts[MAX_SET + 1][N_STEPS] = {{1}};
    for (squares_t left = board_man_squares(&rules->board, side); left != 0; left &= left - 1) {
        const int steps = board_steps_to_go(&rules->board, side, squares_first(left));
        for (int n = size; n > 0; n--)
            for (int sum = N_STEPS - 1; sum >= steps; sum--)
                counts[n][sum] += counts[n - 1][sum - steps];
    }
    memcpy(sets, counts[size], sizeof counts[size]);
}

void level_sizes_init(struct level_sizes *sizes, const struct rules *rules,
                      const struct material *material)
{
    uint64_t sets[2][N_STEPS];
    memset(sizes, 0, sizeof *sizes);
    for (int side = WHITE; side <= BLACK; side++)
        count_sets(rules, (enum side)side, material->men[side], sets[side]);
    for (int white = 0; white < N_STEPS; white++)
        for (int black = 0; black < N_STEPS && white + black < MAX_LEVELS; black++) {
            const uint64_t n = sets[WHITE][white] * sets[BLACK][black];
            if (n == 0)
                continue;
            sizes->n_frames[white + black] += n;
            sizes->total += n;
            if (white + black >= sizes->n_levels)
                sizes->n_levels = white + black + 1;
        }
}

/* --- jobs ------------------------------------------------------------------------------------- */

static einspul_status slice_cost(const struct generate_options *options, const struct job *job,
                                 struct job_cost *cost, einspul_error *error)
{
    const struct material *material = &job->materials[0];
    const double values = (double)budget_values(options, material);
    struct level_sizes sizes;
    struct shape shape;
    uint64_t n_frames = 0;
    level_sizes_init(&sizes, options->rules, material);
    if (job->last_level >= sizes.n_levels)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "level %d: there are levels 0 to %d",
                         job->last_level, sizes.n_levels - 1);
    for (int level = job->first_level; level <= job->last_level; level++)
        n_frames += sizes.n_frames[level];
    const double share = (double)n_frames / (double)sizes.total / job->n_parts;
    shape_init(&shape, options->rules, material);
    cost->n_states = (double)shape_states(&shape) * share;
    cost->file_bytes = (uint64_t)(values / 3 * share) + 4096;
    return EINSPUL_OK;
}

einspul_status job_cost_of(const struct generate_options *options, const struct job *job,
                           struct job_cost *cost, einspul_error *error)
{
    *cost = (struct job_cost){0};
    if (job->kind == JOB_SLICE)
        return slice_cost(options, job, cost, error);
    for (int i = 0; i < job->n_materials; i++) {
        struct shape shape;
        shape_init(&shape, options->rules, &job->materials[i]);
        cost->n_states += (double)shape_states(&shape);
        cost->file_bytes += plan_file_bytes(options->rules, &shape, options->metrics);
    }
    return EINSPUL_OK;
}
