/* Dividing the memory of a generation.
 *
 * A part is fixed while a material is solved: the program, tallies, tables being written, the page
 * tables of solved materials. The rest is shared by frames in work and chunks. Chunks come first, up
 * to half of it, since a thread without them waits for the disk. Then frames in work take what they
 * can use, and chunks get what is left. The least memory is one frame in work, and for each thread
 * the few chunks it looks up again and again. The one frame of kings alone looks up all that captures
 * lead to, time after time: it gets room for that where that is little beside the frame. */
#include "gen/run/budget.h"

#include "gen/material/material_job.h"
#include "gen/material/material_write.h"
#include "gen/run/plan.h"

/* The program itself, what threads and the C library keep besides. */
enum { BASE_BYTES = 10 << 20, BASE_BYTES_OF_THREAD = 1 << 20 };

/* Chunks that a thread looks up again and again: too few, and nothing would be done but reading. */
enum { CHUNKS = 16, CHUNKS_OF_THREAD = 8, WORK_PER_CHUNKS = 16 };

/* From what chunks take in the 2..5 piece sets: few patterns where values have no distances, many
 * where they have and there are many run states. */
static double bytes_of_placement(int n_run_states, enum metric metric)
{
    if (n_run_states == 1)
        return 1.0;
    return metric == METRIC_WDL ? 1.5 : 2.0 + 0.15 * n_run_states;
}

uint64_t budget_values(const struct generate_options *options, const struct material *material)
{
    struct shape shape;
    shape_init(&shape, options->rules, material);
    return (uint64_t)((double)(shape.n_placements * (uint64_t)shape.n_sides) *
                      bytes_of_placement(shape.n_run_states,
                                         plan_metric(options->rules, material, options->metrics)));
}

/* Bytes of a chunk that is as large as they come. */
static uint64_t chunk_size(const struct shape *shape, enum metric metric)
{
    const uint64_t n = shape->n_placements < PAGE_ROOM ? shape->n_placements : PAGE_ROOM;
    return (uint64_t)((double)n * bytes_of_placement(shape->n_run_states, metric)) + 4096;
}

/* What a material takes that is known while number `index` is in work: by itself, and its values. */
static void add_known(const struct generate_options *options, const struct generate_plan *plan,
                      int index, uint64_t *fixed, uint64_t *values, uint64_t *chunk)
{
    bool needs[MAX_MATERIALS];
    plan_needs(plan, index, BY_CAPTURE_OR_PROMOTION, needs);
    for (int i = 0; i <= index; i++) {
        const struct material *material = &plan->materials[i];
        struct shape shape;
        if (!needs[i] && i != index && plan_next_need(plan, i, index) == plan->n_materials)
            continue;
        shape_init(&shape, options->rules, material);
        *fixed += solved_bytes(&shape);
        *values += budget_values(options, material);
        const uint64_t size =
            chunk_size(&shape, plan_metric(options->rules, material, options->metrics));
        *chunk = size > *chunk ? size : *chunk;
    }
}

/* Tables that are being written meanwhile, or the material's own after it. */
static uint64_t writing_bytes(const struct generate_options *options,
                              const struct generate_plan *plan, int index)
{
    uint64_t n_bytes = 0;
    for (int i = plan_first_behind(options, plan, index); i <= index; i++) {
        struct shape shape;
        if (plan->complete[i])
            continue;
        shape_init(&shape, options->rules, &plan->materials[i]);
        n_bytes += tally_bytes(&shape);
        if (i < index)
            n_bytes += material_write_bytes(&shape, options->n_threads);
    }
    return n_bytes;
}

/* The chunks that threads look up again and again, or all values if these are less. */
static uint64_t few_values(const struct generate_options *options, uint64_t chunk, uint64_t all)
{
    const uint64_t few = (CHUNKS + (uint64_t)options->n_threads * CHUNKS_OF_THREAD) * chunk;
    return few < all ? few : all;
}

/* The program, and what its threads take whatever they do. */
static uint64_t base_bytes(const struct generate_options *options)
{
    return BASE_BYTES + (uint64_t)options->n_threads * BASE_BYTES_OF_THREAD;
}

struct division {
    uint64_t fixed;  /* without frames in work */
    uint64_t values; /* all of them */
    uint64_t least_values;
};

static struct division divide(const struct generate_options *options,
                              const struct generate_plan *plan, int index)
{
    struct division division = {.fixed = base_bytes(options) + writing_bytes(options, plan, index)};
    uint64_t chunk = 0;
    add_known(options, plan, index, &division.fixed, &division.values, &chunk);
    division.least_values = few_values(options, chunk, division.values);
    return division;
}

static uint64_t work_bytes(const struct generate_options *options, const struct material *material,
                           bool loading, uint64_t room, struct budget *budget)
{
    const enum metric metric = plan_metric(options->rules, material, options->metrics);
    struct shape shape;
    shape_init(&shape, options->rules, material);
    const struct solver_type *solver = solver_of(&shape, plan_solver(options->solver));
    material_threads(&shape, metric, solver, loading, options->n_threads, room, &budget->n_workers,
                     &budget->n_inside);
    return material_work_bytes(&shape, metric, solver, loading, budget->n_workers,
                               budget->n_inside);
}

/* Values that must have room beside the frame of kings alone. */
static uint64_t least_of_kings(const struct division *division, uint64_t work)
{
    uint64_t values = work / WORK_PER_CHUNKS;
    if (values > division->values)
        values = division->values;
    return values > division->least_values ? values : division->least_values;
}

void budget_plan(const struct generate_options *options, struct generate_plan *plan, int index)
{
    const struct division division = divide(options, plan, index);
    struct budget budget;
    bool needs[MAX_MATERIALS];
    uint64_t least = work_bytes(options, &plan->materials[index], false, 1, &budget);
    const uint64_t most = work_bytes(options, &plan->materials[index], false, UINT64_MAX, &budget);
    plan_needs(plan, index, BY_CAPTURE_OR_PROMOTION, needs);
    for (int i = 0; i < index; i++) {
        if (!needs[i] || !plan->complete[i])
            continue;
        const uint64_t loading =
            work_bytes(options, &plan->materials[i], !plan->solved_again[i], 1, &budget);
        least = loading > least ? loading : least;
    }
    uint64_t values = division.least_values;
    if (plan->materials[index].men[WHITE] + plan->materials[index].men[BLACK] == 0)
        values = least_of_kings(&division, least);
    plan->least_bytes[index] = division.fixed + least + values + values / 8;
    plan->wanted_bytes[index] =
        division.fixed + (most > least ? most : least) + division.values + division.values / 8;
}

struct budget budget_divide(const struct generate_options *options,
                            const struct generate_plan *plan, int index, bool loading)
{
    const struct division division = divide(options, plan, index);
    const uint64_t room =
        plan->memory_available > division.fixed ? plan->memory_available - division.fixed : 1;
    /* Values come first up to half of the room: a thread without them waits. */
    uint64_t values = division.values < room / 2 ? division.values : room / 2;
    if (values < division.least_values)
        values = division.least_values;
    struct budget budget;
    budget.work_bytes = room > values ? room - values : 1;
    const uint64_t work =
        work_bytes(options, &plan->materials[index], loading, budget.work_bytes, &budget);
    budget.values_bytes = room > work ? room - work : 0;
    budget.values_bytes -= budget.values_bytes / 16; /* what the C library keeps between them */
    return budget;
}

uint64_t budget_table_values(const struct generate_options *options,
                             const struct material *material)
{
    const enum metric metric = plan_metric(options->rules, material, options->metrics);
    const uint64_t all = budget_values(options, material);
    struct shape shape;
    shape_init(&shape, options->rules, material);
    return few_values(options, chunk_size(&shape, metric), all);
}

uint64_t budget_table(const struct generate_options *options, const struct material *material)
{
    const uint64_t values = budget_table_values(options, material);
    struct shape shape;
    shape_init(&shape, options->rules, material);
    return base_bytes(options) + solved_bytes(&shape) + tally_bytes(&shape) +
           material_write_bytes(&shape, options->n_threads) + values + values / 8;
}

uint64_t budget_table_wanted(const struct generate_options *options,
                             const struct material *material)
{
    const uint64_t values = budget_values(options, material);
    return budget_table(options, material) + values + values / 8;
}
