/* Dividing the memory of a generation.
 *
 * A part is fixed while a material is solved: the program, tallies, tables being written, the
 * page tables of solved materials. The rest is shared by frames in work and chunks. Chunks come
 * first, up to half of it, since a thread without them waits for the disk. Then frames in work
 * take what they can use, and chunks get what is left. The least memory is one frame in work,
 * and for each thread the few chunks it looks up again and again. The one frame of kings alone
 * looks up all that captures lead to, time after time: it gets room for that where that is
 * little beside the frame. */
#include "gen/run/budget.h"

#include "core/index.h"
#include "core/materials.h"
#include "core/os_write.h"
#include "gen/material/material_threads.h"
#include "gen/material/material_write.h"
#include "gen/run/estimate.h"
#include "gen/run/plan.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The program itself, what threads and the C library keep besides. */
enum { BASE_BYTES = 10 << 20, BASE_BYTES_OF_THREAD = 1 << 20 };

/* Chunks that a thread looks up again and again: too few, and nothing would be done but reading. */
enum { CHUNKS = 16, CHUNKS_OF_THREAD = 8, WORK_PER_CHUNKS = 16 };

uint64_t budget_values(const struct generate_options *options, const struct material *material)
{
    struct shape shape;
    shape_init(&shape, options->rules, material);
    return estimate_value_bytes(&shape, plan_metric(options->rules, material, options->metrics),
                                shape.n_placements * (uint64_t)shape.n_sides);
}

/* Bytes of a chunk that is as large as they come. */
static uint64_t chunk_size(const struct shape *shape, einspul_metric metric)
{
    const uint64_t n = shape->n_placements < PAGE_ROOM ? shape->n_placements : PAGE_ROOM;
    return estimate_value_bytes(shape, metric, n) + 4096;
}

/* What is in memory while a material is solved or loaded. */
struct residents {
    struct material material;
    int n_held;
    struct material held[MAX_MATERIALS]; /* whose values are looked up, or will be; itself too */
};

static void hold(struct residents *residents, const struct material *material)
{
    residents->held[residents->n_held++] = *material;
}

/* While number `index` of a plan is in work. */
static void residents_of_plan(struct residents *residents, const struct generate_plan *plan,
                              int index)
{
    bool needs[MAX_MATERIALS];
    plan_needs(plan, index, BY_CAPTURE_OR_PROMOTION, needs);
    residents->material = plan->materials[index].material;
    residents->n_held = 0;
    for (int i = 0; i <= index; i++)
        if (needs[i] || i == index || plan_next_need(plan, i, index) < plan->n_materials)
            hold(residents, &plan->materials[i].material);
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
                              const struct residents *residents)
{
    struct division division = {.fixed = base_bytes(options)};
    struct shape shape;
    uint64_t chunk = 0;
    for (int i = 0; i < residents->n_held; i++) {
        const struct material *material = &residents->held[i];
        shape_init(&shape, options->rules, material);
        division.fixed += solved_bytes(&shape);
        division.values += budget_values(options, material);
        const uint64_t size =
            chunk_size(&shape, plan_metric(options->rules, material, options->metrics));
        chunk = size > chunk ? size : chunk;
    }
    division.least_values = few_values(options, chunk, division.values);
    return division;
}

/* Bytes of frames in work, or of writing the tables afterwards if that takes more. */
static uint64_t work_bytes(const struct generate_options *options, const struct material *material,
                           bool loading, uint64_t room, struct budget *budget)
{
    struct shape shape;
    shape_init(&shape, options->rules, material);
    const struct frame_work work = {
        .shape = &shape,
        .metric = plan_metric(options->rules, material, options->metrics),
        .solver = solver_of(&shape, &solver_fast),
        .loading = loading,
    };
    material_threads(&work, options->n_threads, room, &budget->n_workers, &budget->n_inside);
    const uint64_t n_bytes = material_work_bytes(&work, budget->n_workers, budget->n_inside);
    const uint64_t writing = loading ? 0 : material_write_bytes(&shape, options->n_threads);
    return n_bytes > writing ? n_bytes : writing;
}

/* Values that must have room beside the frame of kings alone. */
static uint64_t least_of_kings(const struct division *division, uint64_t work)
{
    uint64_t values = work / WORK_PER_CHUNKS;
    if (values > division->values)
        values = division->values;
    return values > division->least_values ? values : division->least_values;
}

/* What it takes to solve a material, if what it leads to is brought in with `bringing` bytes of
 * frames in work. */
static struct budget_need need(const struct generate_options *options,
                               const struct residents *residents, uint64_t bringing)
{
    const struct material *material = &residents->material;
    const struct division division = divide(options, residents);
    struct budget budget;
    uint64_t least = work_bytes(options, material, false, 1, &budget);
    const uint64_t most = work_bytes(options, material, false, UINT64_MAX, &budget);
    least = bringing > least ? bringing : least;
    const uint64_t values = material->men[WHITE] + material->men[BLACK] == 0
                                ? least_of_kings(&division, least)
                                : division.least_values;
    return (struct budget_need){
        .least_bytes = division.fixed + least + values + values / 8,
        .wanted_bytes =
            division.fixed + (most > least ? most : least) + division.values + division.values / 8,
    };
}

void budget_plan(const struct generate_options *options, struct generate_plan *plan, int index)
{
    struct residents residents;
    struct budget budget;
    bool needs[MAX_MATERIALS];
    uint64_t bringing = 0;
    plan_needs(plan, index, BY_CAPTURE_OR_PROMOTION, needs);
    for (int i = 0; i < index; i++) {
        const struct planned_material *planned = &plan->materials[i];
        if (!needs[i] || !planned->complete)
            continue;
        const uint64_t bytes =
            work_bytes(options, &planned->material, !planned->solved_again, 1, &budget);
        bringing = bytes > bringing ? bytes : bringing;
    }
    residents_of_plan(&residents, plan, index);
    const struct budget_need bytes = need(options, &residents, bringing);
    plan->materials[index].least_bytes = bytes.least_bytes;
    plan->materials[index].wanted_bytes = bytes.wanted_bytes;
}

struct budget_need budget_alone(const struct generate_options *options,
                                const struct material *material)
{
    struct material list[MAX_MATERIALS];
    struct generate_plan plan;
    const int n = material_successors(material, BY_CAPTURE_OR_PROMOTION, list);
    list[n] = *material;
    plan_begin(&plan, list, n + 1);
    for (int i = 0; i < n; i++)
        plan.materials[i].complete = true;
    budget_plan(options, &plan, n);
    return (struct budget_need){plan.materials[n].least_bytes, plan.materials[n].wanted_bytes};
}

struct budget budget_divide(const struct generate_options *options,
                            const struct generate_plan *plan, int index, bool loading)
{
    struct residents residents;
    residents_of_plan(&residents, plan, index);
    const struct division division = divide(options, &residents);
    const uint64_t room =
        plan->memory_available > division.fixed ? plan->memory_available - division.fixed : 1;
    /* Values come first up to half of the room: a thread without them waits. */
    uint64_t values = division.values < room / 2 ? division.values : room / 2;
    if (values < division.least_values)
        values = division.least_values;
    struct budget budget;
    budget.work_bytes = room > values ? room - values : 1;
    const uint64_t work =
        work_bytes(options, &residents.material, loading, budget.work_bytes, &budget);
    budget.values_bytes = room > work ? room - work : 0;
    budget.values_bytes -= budget.values_bytes / 16; /* what the C library keeps between them */
    return budget;
}

/* --- the whole plan ------------------------------------------------------------------------- */

uint64_t plan_disk_free(const char *root)
{
    char path[4096];
    uint64_t n_bytes = 0;
    snprintf(path, sizeof path, "%s", root);
    while (os_disk_free(path, &n_bytes) != 0) {
        char *slash = strrchr(path, '/');
        if (errno != ENOENT || strcmp(path, "/") == 0 || strcmp(path, ".") == 0)
            return UINT64_MAX; /* the folder above may lie on another disk */
        if (slash == NULL)
            strcpy(path, ".");
        else
            slash[slash == path ? 1 : 0] = '\0';
    }
    return n_bytes;
}

/* Bytes of the file of what is solved of a material so far: values take a third of what they take in
 * memory. */
static uint64_t part_bytes(const struct generate_options *options, const struct material *material)
{
    return plan_keeps_part(options, material) ? budget_values(options, material) / 3 : 0;
}

/* The memory of a run is that of the material that takes most: as much as it can use, if there is
 * so much, and no less than it must have. */
void plan_for_memory(const struct generate_options *options, struct generate_plan *plan,
                     struct memory_limit limit)
{
    plan->memory_available = limit.n_bytes;
    plan->memory_source = limit.source;
    plan->memory_bytes = 0;
    for (int i = 0; i < plan->n_materials; i++) {
        if (plan->materials[i].complete)
            continue;
        budget_plan(options, plan, i);
        uint64_t bytes = plan->materials[i].wanted_bytes;
        if (bytes > plan->memory_available)
            bytes = plan->memory_available;
        if (bytes < plan->materials[i].least_bytes)
            bytes = plan->materials[i].least_bytes;
        if (bytes > plan->memory_bytes)
            plan->memory_bytes = bytes;
    }
}

einspul_status plan_check_memory(const struct generate_plan *plan, uint64_t n_bytes,
                                 einspul_error *error)
{
    const uint64_t tenths = (n_bytes * 10 + (1 << 20) - 1) >> 20; /* rounded up */
    if (n_bytes <= plan->memory_available)
        return EINSPUL_OK;
    return error_set(error, EINSPUL_NO_MEMORY, "%llu.%llu MiB of memory are needed, %.1f are %s",
                     (unsigned long long)(tenths / 10), (unsigned long long)(tenths % 10),
                     (double)plan->memory_available / 0x1p20,
                     memory_source_text(plan->memory_source));
}

einspul_status plan_check_disk(const char *root, uint64_t n_bytes, uint64_t n_free,
                               einspul_error *error)
{
    if (n_bytes <= n_free)
        return EINSPUL_OK;
    return error_set(error, EINSPUL_NO_SPACE, "%.200s: about %.1f MiB are needed, %.1f are free",
                     root, (double)n_bytes / 0x1p20, (double)n_free / 0x1p20);
}

/* Files, and what is written besides while they are made: of one material what is solved so far,
 * and the values that memory has no room for. */
void plan_disk(const struct generate_options *options, struct generate_plan *plan)
{
    uint64_t most = 0;
    for (int i = 0; i < plan->n_materials; i++) {
        struct shape shape;
        if (plan->materials[i].complete)
            continue;
        shape_init(&shape, options->rules, &plan->materials[i].material);
        plan->n_states += shape_states(&shape);
        plan->materials[i].file_bytes =
            estimate_file_bytes(options->rules, &shape, plan->materials[i].to_write);
        plan->disk_bytes += plan->materials[i].file_bytes;
        uint64_t besides = part_bytes(options, &plan->materials[i].material);
        if (plan->materials[i].wanted_bytes > plan->memory_available)
            besides += (plan->materials[i].wanted_bytes - plan->memory_available) / 2;
        most = besides > most ? besides : most;
    }
    plan->disk_bytes += most;
}
