/* Measured cost figures, and the estimates of time, memory and disk derived from them.
 *
 * How a run's memory is divided. The program and the page tables of solved materials take a fixed
 * part. The rest is shared by frames in progress and chunks. Chunks come first, up to half of it,
 * since a thread without them waits for the disk. Then frames in progress get as much as they
 * can use, and chunks get the rest. The minimum is one frame and each thread's working set of chunks. The
 * single frame of kings alone looks up all capture successors over and over, so it gets space for
 * them if that is little compared with the frame. */
#include "gen/run/budget.h"

#include "core/program/index.h"
#include "core/program/materials.h"
#include "core/program/os_write.h"
#include "gen/material/material_threads.h"
#include "gen/material/material_write.h"
#include "gen/solver/clock_solver.h"
#include "gen/solver/word_solver.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* --- rates ------------------------------------------------------------------------------------ */

/* Microseconds of processor time for a placement, in a process that generates one material and first
 * loads the tables it needs. */
struct time_rates {
    double by_kings[4]; /* the fewer kings, the smaller the frames; the last for three or more */
    double king_pair;   /* more for each pair of opposing kings */
    double rule_state;  /* more for each rule state */
};

/* Bytes that a placement takes in a file: with one rule state, below 16, more. */
struct file_rates {
    double per_placement[3];
    double share; /* of their memory that the chunks of equal sides take in a file */
};

/* Measured with four to six pieces. The times are of an Intel Xeon; other machines took up to half as
 * long again. */
struct game_rates {
    int pdn_game_type;
    struct time_rates time[2]; /* by metric - 1 */
    struct file_rates file[2];
};

static const struct game_rates game_rates[] = {
    {
        .pdn_game_type = 40,
        .time = {{{0.25, 0.18, 0.11, 0.085}, 0.008, 0.001},
                 {{0.30, 0.24, 0.155, 0.085}, 0.018, 0.004}},
        .file = {{{0.040, 0.072, 0.18}, 0.20}, {{0.210, 0.410, 1.2}, 0.43}},
    },
    {
        .pdn_game_type = 20,
        .time = {{{0.19, 0.097, 0.064, 0.056}, 0, 0}, {{0.20, 0.107, 0.072, 0.062}, 0, 0}},
        .file = {{{0.033, 0.072, 0.18}, 0.18}, {{0.122, 0.410, 1.2}, 0.25}},
    },
    {
        .pdn_game_type = 21,
        .time = {{{0.33, 0.10, 0.063, 0.042}, 0.0025, 0}, {{0.34, 0.11, 0.090, 0.065}, 0.008, 0}},
        .file = {{{0.027, 0.072, 0.18}, 0.13}, {{0.310, 0.410, 1.2}, 0.43}},
    },
    {
        .pdn_game_type = 26,
        .time = {{{0.22, 0.135, 0.080, 0.060}, 0, 0}, {{0.23, 0.155, 0.090, 0.072}, 0, 0}},
        .file = {{{0.040, 0.072, 0.18}, 0.22}, {{0.190, 0.410, 1.2}, 0.39}},
    },
};

static const struct game_rates *rates_of(const struct rules *rules)
{
    for (size_t i = 1; i < sizeof game_rates / sizeof game_rates[0]; i++)
        if (game_rates[i].pdn_game_type == rules->pdn_game_type)
            return &game_rates[i];
    return &game_rates[0];
}

/* --- time ------------------------------------------------------------------------------------- */

/* Folded frames take this share of the time. */
static const double FOLDED = 0.4;

double estimate_core_seconds(const struct rules *rules, const struct material *material,
                             unsigned metrics)
{
    struct shape shape;
    shape_init(&shape, rules, material);
    const einspul_metric metric = plan_metric(rules, material, metrics);
    const struct time_rates *rates = &rates_of(rules)->time[metric - 1];
    const int n_kings = material->kings[WHITE] + material->kings[BLACK];
    const double per_placement =
        rates->by_kings[n_kings < 3 ? n_kings : 3] +
        rates->king_pair * material->kings[WHITE] * material->kings[BLACK] +
        rates->rule_state * shape.n_rule_states;
    const double seconds = (double)shape.n_placements * shape.n_sides * per_placement / 1e6;
    const bool folded = frames_are_folded(&shape, solver_form(&word_solver, &shape, metric, false));
    return folded ? seconds * FOLDED : seconds;
}

/* Threads share the pages of a level, or of a large frame, and wait for each other at its end: with
 * two pages each, and ten seconds of work in all, that is little. */
int estimate_cores(const struct rules *rules, const struct material *material, unsigned metrics,
                   int max)
{
    const double seconds = estimate_core_seconds(rules, material, metrics);
    const int n_levels = 9 * (material->men[WHITE] + material->men[BLACK]) + 1;
    struct shape shape;
    shape_init(&shape, rules, material);
    const double n_pages = (double)shape.n_placements / PAGE_CAPACITY / n_levels;
    const double n = seconds / 10 < n_pages / 2 ? seconds / 10 : n_pages / 2;
    return n < 1 ? 1 : n < max ? (int)n : max;
}

/* --- bytes of values and files ---------------------------------------------------------------- */

/* The memory of the values of `n` placements of a side to move: few patterns without distances,
 * many with distances and many rule states. Measured with four pieces: 1.0 to 1.2 without distances,
 * 1.1 to 2.0 and 3.2 with 4 to 7 and with 16 rule states. */
static uint64_t estimate_value_bytes(const struct shape *shape, einspul_metric metric, uint64_t n)
{
    double per_placement = 1.0;
    if (shape->n_rule_states > 1)
        per_placement = metric == EINSPUL_WDL ? 1.2 : 1.0 + 0.13 * shape->n_rule_states;
    return (uint64_t)((double)n * per_placement);
}

/* Bytes of a placement grow with the rule states, and differ between games. */
static uint64_t file_bytes(const struct rules *rules, const struct shape *shape,
                           einspul_metric metric)
{
    const int column = shape->n_rule_states == 1 ? 0 : shape->n_rule_states < 16 ? 1 : 2;
    const uint64_t n_placements = shape_possible_placements(shape) * (uint64_t)shape->n_sides;
    const double per_placement = rates_of(rules)->file[metric - 1].per_placement[column];
    return 512 + (uint64_t)((double)n_placements * per_placement);
}

uint64_t estimate_file_bytes(const struct rules *rules, const struct shape *shape, unsigned metrics)
{
    uint64_t n_bytes = 0;
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++)
        if ((metrics & (unsigned)metric) != 0)
            n_bytes += file_bytes(rules, shape, (einspul_metric)metric);
    return n_bytes;
}

/* --- memory of a material --------------------------------------------------------------------- */

/* The program itself; the memory that each thread and the C library retain. */
enum { BASE_BYTES = 10 << 20, BASE_BYTES_OF_THREAD = 1 << 20 };

/* Chunks that a thread looks up again and again; with fewer, it would do nothing but read. */
enum { CHUNKS = 16, CHUNKS_OF_THREAD = 8, WORK_PER_CHUNKS = 5 };

uint64_t budget_values(const struct generate_options *options, const struct material *material)
{
    struct shape shape;
    shape_init(&shape, options->rules, material);
    return estimate_value_bytes(&shape, plan_metric(options->rules, material, options->metrics),
                                shape.n_placements * (uint64_t)shape.n_sides);
}

/* The size of the largest chunks. */
static uint64_t chunk_size(const struct shape *shape, einspul_metric metric)
{
    const uint64_t n = shape->n_placements < PAGE_CAPACITY ? shape->n_placements : PAGE_CAPACITY;
    return estimate_value_bytes(shape, metric, n) + 4096;
}

/* The working set of all threads, or all values if these are less. */
static uint64_t few_values(const struct generate_options *options, uint64_t chunk, uint64_t all)
{
    const uint64_t few = (CHUNKS + (uint64_t)options->n_threads * CHUNKS_OF_THREAD) * chunk;
    return few < all ? few : all;
}

/* The fixed memory of the program and its threads. */
static uint64_t base_bytes(const struct generate_options *options)
{
    return BASE_BYTES + (uint64_t)options->n_threads * BASE_BYTES_OF_THREAD;
}

/* The contents of memory while number `index` of a plan is solved or loaded. */
struct division {
    uint64_t fixed;     /* without frames in progress */
    uint64_t values;    /* all: of the material, its successors, and those later materials need */
    uint64_t looked_up; /* of the successors */
    uint64_t least_values;
};

static struct division divide(const struct generate_options *options,
                              const struct generate_plan *plan, int index)
{
    struct division division = {.fixed = base_bytes(options)};
    bool needs[MAX_MATERIALS];
    uint64_t chunk = 0;
    plan_needs(plan, index, CAPTURES_AND_PROMOTIONS, needs);
    for (int i = 0; i <= index; i++) {
        const struct material *material = &plan->materials[i].material;
        struct shape shape;
        if (!needs[i] && i != index && plan_next_need(plan, i, index) == plan->n_materials)
            continue;
        shape_init(&shape, options->rules, material);
        division.fixed += solved_bytes(&shape);
        const uint64_t values = budget_values(options, material);
        division.values += values;
        division.looked_up += needs[i] ? values : 0;
        const uint64_t size =
            chunk_size(&shape, plan_metric(options->rules, material, options->metrics));
        chunk = size > chunk ? size : chunk;
    }
    division.least_values = few_values(options, chunk, division.values);
    return division;
}

/* Sets the threads of a budget; returns the memory of frames in progress, or of writing the tables
 * afterwards if that is more. */
static uint64_t work_bytes(const struct generate_options *options, const struct material *material,
                           bool loading, uint64_t available, struct budget *budget)
{
    struct shape shape;
    shape_init(&shape, options->rules, material);
    const struct frame_params work = {
        .shape = &shape,
        .metric = plan_metric(options->rules, material, options->metrics),
        .solver = solver_of(&shape, &word_solver),
        .loading = loading,
    };
    material_threads(&work, options->n_threads, available, &budget->n_workers,
                     &budget->n_threads_per_frame);
    const uint64_t n_bytes =
        material_work_bytes(&work, budget->n_workers, budget->n_threads_per_frame);
    const uint64_t writing = loading ? 0 : material_write_bytes(&shape, options->n_threads);
    return n_bytes > writing ? n_bytes : writing;
}

/* The values that must fit next to the frame of kings alone. */
static uint64_t least_of_kings(const struct division *division, uint64_t work)
{
    uint64_t values = work / WORK_PER_CHUNKS;
    if (values > division->looked_up)
        values = division->looked_up;
    return values > division->least_values ? values : division->least_values;
}

/* Sets the least and the wanted memory of a material to be solved. The frames in progress may be
 * its own or those of a material loaded for it. */
static void budget_material(const struct generate_options *options, struct generate_plan *plan,
                            int index)
{
    struct planned_material *planned = &plan->materials[index];
    const struct material *material = &planned->material;
    const struct division division = divide(options, plan, index);
    bool needs[MAX_MATERIALS];
    struct budget unused;
    uint64_t min = work_bytes(options, material, false, 1, &unused);
    const uint64_t max = work_bytes(options, material, false, UINT64_MAX, &unused);
    plan_needs(plan, index, CAPTURES_AND_PROMOTIONS, needs);
    for (int i = 0; i < index; i++) {
        const struct planned_material *need = &plan->materials[i];
        if (!needs[i] || !need->complete)
            continue;
        const uint64_t bytes =
            work_bytes(options, &need->material, !need->solved_again, 1, &unused);
        min = bytes > min ? bytes : min;
    }
    const uint64_t values = material->men[WHITE] + material->men[BLACK] == 0
                                ? least_of_kings(&division, min)
                                : division.least_values;
    planned->least_bytes = division.fixed + min + values + values / 8;
    planned->wanted_bytes =
        division.fixed + (max > min ? max : min) + division.values + division.values / 8;
}

struct planned_material budget_single(const struct generate_options *options,
                                      const struct material *material)
{
    struct material list[MAX_MATERIALS];
    struct generate_plan plan;
    const int n = material_successors(material, CAPTURES_AND_PROMOTIONS, list);
    list[n] = *material;
    plan_begin(&plan, list, n + 1);
    for (int i = 0; i < n; i++)
        plan.materials[i].complete = true;
    budget_material(options, &plan, n);
    return plan.materials[n];
}

struct budget budget_divide(const struct generate_options *options,
                            const struct generate_plan *plan, int index, bool loading)
{
    const struct division division = divide(options, plan, index);
    const uint64_t available = plan->memory_limit.n_bytes > division.fixed
                                   ? plan->memory_limit.n_bytes - division.fixed
                                   : 1;
    /* Values come first, up to half of the memory: a thread without them waits. */
    uint64_t values = division.values < available / 2 ? division.values : available / 2;
    if (values < division.least_values)
        values = division.least_values;
    struct budget budget;
    const uint64_t work = work_bytes(options, &plan->materials[index].material, loading,
                                     available > values ? available - values : 1, &budget);
    budget.values_bytes = available > work ? available - work : 0;
    budget.values_bytes -= budget.values_bytes / 16; /* overhead of the C library */
    return budget;
}

/* --- the whole plan --------------------------------------------------------------------------- */

/* Free bytes where `root` is or will be; UINT64_MAX where that is unknown. */
static uint64_t disk_free(const char *root)
{
    char path[4096];
    uint64_t n_bytes = 0;
    snprintf(path, sizeof path, "%s", root);
    while (os_disk_free_bytes(path, &n_bytes) != 0) {
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

/* The share of their memory that chunks take in a file: the stronger a side is, the less. A king
 * counts as two men, one of the weaker side, which often draws, as three. Of the materials of four
 * and five pieces in English and Brazilian and of four in Frisian and international draughts, 160 of
 * 200 have a share within a factor of 1.5 of this, the furthest is at 2.5; sums of a set are within 0.84
 * to 1.11. */
static uint64_t chunk_file_bytes(const struct generate_options *options,
                                 const struct material *material, uint64_t n_bytes)
{
    static const double less[2] = {0.75, 0.85}; /* by metric - 1: for each man more */
    const int metric = (int)plan_metric(options->rules, material, options->metrics) - 1;
    double share = rates_of(options->rules)->file[metric].share;
    for (int more = 2 * material->kings[WHITE] + material->men[WHITE] - 3 * material->kings[BLACK] -
                    material->men[BLACK];
         more > 0; more--)
        share *= less[metric];
    return (uint64_t)((double)n_bytes * share);
}

static uint64_t part_bytes(const struct generate_options *options, const struct material *material)
{
    const uint64_t n_bytes = budget_values(options, material);
    return plan_saves_part(options, material) ? chunk_file_bytes(options, material, n_bytes) : 0;
}

/* A run needs the memory of its largest material: as much as that can use, if available, and at
 * least its minimum. */
void budget_fit_memory(const struct generate_options *options, struct generate_plan *plan,
                       struct memory_limit limit)
{
    plan->memory_limit = limit;
    plan->memory_bytes = 0;
    for (int i = 0; i < plan->n_materials; i++) {
        if (plan->materials[i].complete)
            continue;
        budget_material(options, plan, i);
        uint64_t bytes = plan->materials[i].wanted_bytes;
        if (bytes > plan->memory_limit.n_bytes)
            bytes = plan->memory_limit.n_bytes;
        if (bytes < plan->materials[i].least_bytes)
            bytes = plan->materials[i].least_bytes;
        if (bytes > plan->memory_bytes)
            plan->memory_bytes = bytes;
    }
}

einspul_status budget_check(const struct generate_options *options,
                            const struct generate_plan *plan, einspul_error *error)
{
    const uint64_t tenths = (plan->memory_bytes * 10 + (1 << 20) - 1) >> 20; /* rounded up */
    if (plan->memory_bytes > plan->memory_limit.n_bytes)
        return error_set(error, EINSPUL_NO_MEMORY,
                         "needs %llu.%llu MiB of memory, but only %.1f MiB are available (%s)",
                         (unsigned long long)(tenths / 10), (unsigned long long)(tenths % 10),
                         (double)plan->memory_limit.n_bytes / 0x1p20,
                         memory_source_text(plan->memory_limit.source));
    if (plan->file_bytes > plan->disk_available && !options->any_disk)
        return error_set(error, EINSPUL_NO_SPACE,
                         "%.200s: needs about %.1f MiB of disk space, %.1f MiB free", options->root,
                         (double)plan->file_bytes / 0x1p20, (double)plan->disk_available / 0x1p20);
    return EINSPUL_OK;
}

/* Tables, and the temporary files of one material at a time: its part file, and the values that do
 * not fit in memory. */
void budget_add_disk(const struct generate_options *options, struct generate_plan *plan)
{
    uint64_t max = 0;
    for (int i = 0; i < plan->n_materials; i++) {
        struct shape shape;
        if (plan->materials[i].complete)
            continue;
        shape_init(&shape, options->rules, &plan->materials[i].material);
        plan->n_states += shape_states(&shape);
        plan->materials[i].file_bytes =
            estimate_file_bytes(options->rules, &shape, plan->materials[i].to_write);
        plan->file_bytes += plan->materials[i].file_bytes;
        uint64_t temporary = part_bytes(options, &plan->materials[i].material);
        if (plan->materials[i].wanted_bytes > plan->memory_limit.n_bytes)
            temporary +=
                chunk_file_bytes(options, &plan->materials[i].material,
                                 plan->materials[i].wanted_bytes - plan->memory_limit.n_bytes);
        max = temporary > max ? temporary : max;
    }
    plan->disk_bytes = plan->file_bytes + max;
    plan->disk_available = disk_free(options->root);
}
