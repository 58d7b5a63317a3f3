/* What a generation has to do. The plan opens every file, and decodes every block of those that
 * are not on record as sound. Sound files are kept, missing and damaged ones are made, and a file
 * that cannot be read ends the plan. Memory is estimated by budget.c, file sizes from those of the
 * sets of 2 to 5 pieces. */
#include "gen/plan.h"

#include "core/os_write.h"
#include "gen/budget.h"
#include "gen/checked.h"
#include "gen/material_job.h"
#include "table/output.h"
#include "table/table_path.h"
#include "table/table_read.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGE_STATES = 100000000 };

const struct solver_type *plan_solver(enum solver_choice solver)
{
    return solver == SOLVER_PLAIN ? &solver_plain : &solver_fast;
}

enum metric plan_metric(const struct rules *rules, const struct material *material,
                        unsigned metrics)
{
    const bool distances = (metrics & METRICS_DTW) != 0 || table_keeps_distances(rules, material);
    return distances ? METRIC_DTW : METRIC_WDL;
}

bool plan_writes_behind(const struct generate_options *options, const struct material *material)
{
    struct shape shape;
    shape_init(&shape, options->rules, material);
    return options->n_threads > 1 && shape_states(&shape) <= LARGE_STATES;
}

bool plan_keeps_part(const struct generate_options *options, const struct material *material)
{
    struct shape shape;
    shape_init(&shape, options->rules, material);
    return options->parts == PARTS_ALL ||
           (options->parts == PARTS_OF_LARGE && shape_states(&shape) > LARGE_STATES);
}

int plan_first_behind(const struct generate_options *options, const struct generate_plan *plan,
                      int index)
{
    uint64_t n_states = 0;
    int n_writings = 0;
    int first = index;
    for (int i = index - 1; i >= 0 && n_writings < MAX_WRITINGS; i--) {
        struct shape shape;
        if (plan->complete[i])
            continue;
        shape_init(&shape, options->rules, &plan->materials[i]);
        n_states += shape_states(&shape);
        if (!plan_writes_behind(options, &plan->materials[i]) || n_states > LARGE_STATES)
            break;
        first = i;
        n_writings++;
    }
    return first;
}

void plan_needs(const struct generate_plan *plan, int index, enum succession succession,
                bool needs[MAX_MATERIALS])
{
    struct material list[MAX_MATERIALS];
    const int n = material_successors(&plan->materials[index], succession, list);
    for (int i = 0; i < plan->n_materials; i++) {
        needs[i] = false;
        for (int j = 0; j < n; j++)
            needs[i] = needs[i] || material_equal(&plan->materials[i], &list[j]);
    }
}

enum succession plan_succession(const struct generate_plan *plan, int index)
{
    return plan->solved_again[index] ? BY_CAPTURE_OR_PROMOTION : BY_CAPTURE;
}

int plan_next_need(const struct generate_plan *plan, int index, int after)
{
    bool needs[MAX_MATERIALS];
    int later = after + 1;
    for (; later < plan->n_materials; later++) {
        if (plan->complete[later])
            continue;
        plan_needs(plan, later, BY_CAPTURE_OR_PROMOTION, needs);
        if (needs[index])
            break;
    }
    return later;
}

bool plan_is_damage(enum status status)
{
    return status == STATUS_NOT_A_TABLE || status == STATUS_TRUNCATED ||
           status == STATUS_BAD_HEADER || status == STATUS_BAD_BLOCK || status == STATUS_CORRUPT;
}

/* Decodes all blocks. The error of a table that could not be read comes before one that tells of
 * damage, so that a shortage is never taken for damage that it may have caused. */
static enum status check_blocks(const struct table *table, int n_threads, struct error *error)
{
    const int64_t n_blocks = (int64_t)table_n_blocks(table);
    enum status first = STATUS_OK;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 64)
    for (int64_t i = 0; i < n_blocks; i++) {
        struct block *block = NULL;
        struct error why;
        const enum status status = table_decode_block(table, (uint64_t)i, &block, &why);
        free(block);
        if (status == STATUS_OK)
            continue;
#pragma omp critical(plan_check_blocks)
        if (first == STATUS_OK || (plan_is_damage(first) && !plan_is_damage(status))) {
            first = status;
            *error = why;
        }
    }
    return first;
}

/* Decodes all blocks unless the table is on record as sound. */
static enum status look_at_blocks(const struct generate_options *options,
                                  struct generate_plan *plan, int index, const struct table *table,
                                  struct error *error)
{
    const int m = (int)table_metric(table) - 1;
    struct file_stamp *stamp = &plan->stamp[index][m];
    struct file_stamp after;
    const bool has_stamp = table_stamp(table, stamp);
    if (has_stamp && !options->check &&
        checked_has(table_path(table), table_identity(table), stamp))
        return STATUS_OK;
    const enum status status = check_blocks(table, options->n_threads, error);
    plan->decoded[index][m] = status == STATUS_OK && has_stamp && table_stamp(table, &after) &&
                              file_stamp_equal(stamp, &after);
    return status;
}

enum status plan_path(const struct generate_options *options, const struct generate_plan *plan,
                      int index, enum metric metric, char *path, size_t size, struct error *error)
{
    const struct table_id id = {options->rules, plan->materials[index], metric};
    const int folder = plan->folder[index][metric - 1];
    return table_path_below(folder == 0 ? options->root : options->more[folder - 1], id, path, size,
                            error);
}

/* Looks at the file in the folder the plan has for it now. */
static enum status look_in_folder(const struct generate_options *options,
                                  struct generate_plan *plan, int index, enum metric metric,
                                  enum plan_depth depth, struct error *why)
{
    const struct table_id id = {options->rules, plan->materials[index], metric};
    char path[4096];
    struct table *table = NULL;
    enum status status = plan_path(options, plan, index, metric, path, sizeof path, why);
    if (status == STATUS_OK)
        status = table_open(path, id, &file_io_read, &table, why);
    if (status == STATUS_OK && depth == PLAN_BLOCKS)
        status = look_at_blocks(options, plan, index, table, why);
    if (status == STATUS_OK) {
        plan->identity[index][metric - 1] = table_identity(table);
        plan->solved_again[index] = plan->solved_again[index] || !table_is_whole(table);
    }
    table_close(table);
    return status;
}

enum status plan_look(const struct generate_options *options, struct generate_plan *plan, int index,
                      enum metric metric, enum plan_depth depth, struct error *error)
{
    enum status status = STATUS_NO_TABLE;
    for (int folder = 0; folder <= options->n_more; folder++) {
        struct error why;
        plan->folder[index][metric - 1] = folder;
        const enum status here = look_in_folder(options, plan, index, metric, depth, &why);
        const bool ends = here != STATUS_OK && here != STATUS_NO_TABLE && !plan_is_damage(here);
        if (here == STATUS_OK)
            return STATUS_OK;
        if (folder == 0 || status == STATUS_NO_TABLE || ends) {
            status = here;
            *error = why;
        }
        if (ends)
            break;
    }
    plan->folder[index][metric - 1] = 0;
    return status;
}

enum status plan_look_at_own(const struct generate_options *options, struct generate_plan *plan,
                             int index, enum metric metric, enum plan_depth depth,
                             struct error *error)
{
    struct error why;
    const enum status status = plan_look(options, plan, index, metric, depth, &why);
    if (status == STATUS_OK)
        return STATUS_OK;
    if (status != STATUS_NO_TABLE && !plan_is_damage(status))
        return error_set(error, status, "%s", why.text);
    plan->to_write[index] |= (unsigned)metric;
    plan->damaged[index] |= plan_is_damage(status) ? (unsigned)metric : 0;
    return STATUS_OK;
}

/* Looks for the file of a material and a metric. It counts as sound when header, index and every
 * block decode; else it is to be written, unless it is not known what it is. */
static enum status look_at_file(const struct generate_options *options, struct generate_plan *plan,
                                int index, enum metric metric, struct error *error)
{
    char path[4096];
    enum status status = plan_look_at_own(options, plan, index, metric, PLAN_BLOCKS, error);
    if (status != STATUS_OK || (plan->to_write[index] & (unsigned)metric) == 0)
        return status;
    status = plan_path(options, plan, index, metric, path, sizeof path, error);
    return status == STATUS_OK ? output_check(path, error) /* now, not after hours of solving */
                               : status;
}

static enum status look_at_files(const struct generate_options *options, struct generate_plan *plan,
                                 struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < plan->n_materials && status == STATUS_OK; i++) {
        for (int metric = METRIC_WDL; metric <= METRIC_DTW && status == STATUS_OK; metric++)
            if ((options->metrics & (unsigned)metric) != 0)
                status = look_at_file(options, plan, i, (enum metric)metric, error);
        plan->complete[i] = plan->to_write[i] == 0;
    }
    return status;
}

/* Bytes of a file, from the bytes a placement took in the 2..5 piece sets: they grow with the run
 * states, and differ between games. */
static uint64_t file_bytes(const struct rules *rules, const struct shape *shape, enum metric metric)
{
    static const struct {
        int pdn_game_type;
        double per_placement[2][3]; /* by metric - 1; one run state, below 16, more */
    } games[] = {
        {40, {{0.050, 0.090, 0.22}, {0.210, 0.410, 1.2}}},
        {20, {{0.036, 0.090, 0.22}, {0.122, 0.410, 1.2}}},
        {21, {{0.025, 0.090, 0.22}, {0.380, 0.410, 1.2}}},
        {26, {{0.050, 0.090, 0.22}, {0.190, 0.410, 1.2}}},
    };
    const int column = shape->n_run_states == 1 ? 0 : shape->n_run_states < 16 ? 1 : 2;
    const uint64_t n_placements = shape_possible_placements(shape) * (uint64_t)shape->n_sides;
    double per_placement = 0.5;
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        if (games[i].pdn_game_type == rules->pdn_game_type)
            per_placement = games[i].per_placement[metric - 1][column];
    return 512 + (uint64_t)((double)n_placements * per_placement);
}

uint64_t plan_file_bytes(const struct rules *rules, const struct shape *shape, unsigned metrics)
{
    uint64_t n_bytes = 0;
    for (int metric = METRIC_WDL; metric <= METRIC_DTW; metric++)
        if ((metrics & (unsigned)metric) != 0)
            n_bytes += file_bytes(rules, shape, (enum metric)metric);
    return n_bytes;
}

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

/* Bytes of the file of what is solved of a material so far, from those sets too. */
static uint64_t part_bytes(const struct generate_options *options, const struct material *material)
{
    return plan_keeps_part(options, material) ? budget_values(options, material) / 3 : 0;
}

/* The memory of a run is that of the material that takes most: as much as it can use, if there is
 * so much, and no less than it must have. */
static void plan_memory(const struct generate_options *options, struct generate_plan *plan)
{
    plan->memory_bytes = 0;
    for (int i = 0; i < plan->n_materials; i++) {
        if (plan->complete[i])
            continue;
        budget_plan(options, plan, i);
        uint64_t bytes = plan->wanted_bytes[i];
        if (bytes > plan->memory_available)
            bytes = plan->memory_available;
        if (bytes < plan->least_bytes[i])
            bytes = plan->least_bytes[i];
        if (bytes > plan->memory_bytes)
            plan->memory_bytes = bytes;
    }
}

void plan_for_memory(const struct generate_options *options, struct generate_plan *plan,
                     struct memory_limit limit)
{
    plan->memory_available = limit.n_bytes;
    plan->memory_source = limit.source;
    plan_memory(options, plan);
}

enum status plan_check_memory(const struct generate_plan *plan, uint64_t n_bytes,
                              struct error *error)
{
    const uint64_t tenths = (n_bytes * 10 + (1 << 20) - 1) >> 20; /* rounded up */
    if (n_bytes <= plan->memory_available)
        return STATUS_OK;
    return error_set(error, STATUS_NO_MEMORY, "%llu.%llu MiB of memory are needed, %.1f are %s",
                     (unsigned long long)(tenths / 10), (unsigned long long)(tenths % 10),
                     (double)plan->memory_available / 0x1p20,
                     memory_source_text(plan->memory_source));
}

enum status plan_check_disk(const char *root, uint64_t n_bytes, uint64_t n_free,
                            struct error *error)
{
    if (n_bytes <= n_free)
        return STATUS_OK;
    return error_set(error, STATUS_NO_SPACE, "%.200s: about %.1f MiB are needed, %.1f are free",
                     root, (double)n_bytes / 0x1p20, (double)n_free / 0x1p20);
}

int generate_threads(int n_threads)
{
    return n_threads == 1 ? 1 : n_threads * (1 + MAX_WRITINGS);
}

/* Files, and what is written besides while they are made: of one material what is solved so far,
 * and the values that memory has no room for. */
void plan_disk(const struct generate_options *options, struct generate_plan *plan)
{
    uint64_t most = 0;
    for (int i = 0; i < plan->n_materials; i++) {
        struct shape shape;
        if (plan->complete[i])
            continue;
        shape_init(&shape, options->rules, &plan->materials[i]);
        plan->n_states += shape_states(&shape);
        plan->file_bytes[i] = plan_file_bytes(options->rules, &shape, plan->to_write[i]);
        plan->disk_bytes += plan->file_bytes[i];
        uint64_t besides = part_bytes(options, &plan->materials[i]);
        if (plan->wanted_bytes[i] > plan->memory_available)
            besides += (plan->wanted_bytes[i] - plan->memory_available) / 2;
        most = besides > most ? besides : most;
    }
    plan->disk_bytes += most;
}

enum status generate_plan(const struct generate_options *options, struct generate_plan *plan,
                          struct error *error)
{
    memset(plan, 0, sizeof *plan);
    if (options->pieces != 0 && (options->pieces < 2 || options->pieces > MAX_PIECES))
        return error_set(error, STATUS_BAD_ARGUMENT, "%d pieces: 2..%d are possible",
                         options->pieces, MAX_PIECES);
    if (options->metrics == 0 || options->metrics > METRICS_BOTH || options->n_threads < 1)
        return error_set(error, STATUS_BAD_ARGUMENT, "no metric, or no thread, to work with");
    plan->n_materials = options->pieces > 0 ? material_list(2, options->pieces, plan->materials)
                                            : material_closure(&options->material, plan->materials);
    const enum status status = look_at_files(options, plan, error);
    if (status != STATUS_OK)
        return status;
    plan_for_memory(
        options, plan,
        memory_limit_find("", options->memory_bytes, generate_threads(options->n_threads)));
    plan_disk(options, plan);
    plan->disk_available = plan_disk_free(options->root);
    return STATUS_OK;
}
