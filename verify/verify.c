/* The verifier compares each stored value with the value that its successors imply. Placements with a
 * capture are not stored. For the others every rule state is verified, or a random sample of a large
 * table: all values of a table in memory (verify/verify_rows.h) where it fits, otherwise one placement at
 * a time by probes (verify/verify_placement.h). */
#include "verify/verify.h"

#include <string.h>

#include "core/program/random.h"
#include "probe/program_handle.h"
#include "table/block_cursor.h"
#include "table/block_values.h"
#include "table/table_open.h"
#include "table/value_hash.h"
#include "verify/first_error.h"
#include "verify/verify_rows.h"

/* A slice, the unit of work of a thread: consecutive placements of one block. Whole blocks would be too
 * coarse, because small tables have few; smaller slices would have several threads decode the same block
 * too often. */
enum { SLICE_PLACEMENTS = 8192 };

/* Tables with fewer slices are sampled in all of them. */
enum { MANY_SLICES = 4096 };

struct verifier {
    struct verified verified;
    bool decodes_only; /* every block is decoded, no value is verified */
    uint64_t random_seed;
    uint64_t slice_probability;     /* of visiting a slice, times 2^64; 0: all */
    uint64_t placement_probability; /* of a placement in a slice, likewise */
    struct findings findings;       /* guarded by the critical section */
};

/* Scales a probability to 2^64; 0 means 1. */
static uint64_t probability_of(double part)
{
    return part >= 1.0 ? 0 : part <= 0.0 ? 1 : (uint64_t)(part * 18446744073709549568.0);
}

static bool in_sample(uint64_t random_seed, uint64_t kind, uint64_t number, uint64_t probability)
{
    return probability == 0 || random_mix(random_mix(random_seed + kind) ^ number) < probability;
}

static uint64_t slices_per_block(const struct table *table)
{
    return (table->header.block_placements + SLICE_PLACEMENTS - 1) / SLICE_PLACEMENTS;
}

/* Verifies the values of a slice of the block that the cursor has. */
static einspul_status verify_slice(struct verifier *verifier, uint64_t number,
                                   const struct block_cursor *cursor, einspul_error *error)
{
    const struct verified *verified = &verifier->verified;
    const struct shape *shape = verified->shape;
    const struct table *table = verified->table;
    const enum side side = table_block_side(table, cursor->number);
    const uint64_t first = cursor->number % table->blocks_per_side * table->header.block_placements;
    const uint64_t begin = number % slices_per_block(table) * SLICE_PLACEMENTS;
    const uint64_t side_offset = side == WHITE ? 0 : shape->n_placements;
    struct findings found = {{0}, 0};
    einspul_status status = EINSPUL_OK;
    struct successors work;

    successors_init(&work);
    for (uint64_t place = begin;
         place < begin + SLICE_PLACEMENTS && status == EINSPUL_OK &&
         place < cursor->block->n_placements && !watch_stopped(verified->watch);
         place++) {
        struct placement at;
        const uint64_t index = side_offset + first + place;
        if (in_sample(verifier->random_seed, 1, index, verifier->placement_probability) &&
            shape_unrank(shape, first + place, side, &at) &&
            !placement_has_capture(verified->rules, &at)) {
            value_t values[MAX_RULE_STATES];
            block_values(cursor->block, (uint32_t)place, shape->n_rule_states, values);
            status = verify_placement(verified, &work, &at, values, index, &found, error);
        }
    }
    successors_free(&work);
#pragma omp critical(verify_findings)
    findings_add(&verifier->findings, &found);
    return status;
}

/* Visits the slices of the sample, or all. A thread keeps the last block it decoded. After an error
 * the slices before it are still visited, so the first error is the same for any number of
 * threads. */
static einspul_status visit_slices(struct verifier *verifier, int n_threads, einspul_error *error)
{
    const struct table *table = verifier->verified.table;
    const uint64_t per_block = slices_per_block(table);
    const uint64_t n_slices = table->header.n_blocks * per_block;
    struct first_error failed;
    watch_phase(verifier->verified.watch, verifier->decodes_only ? 1 : VALUES_SHARE);
    first_error_init(&failed, verifier->verified.watch, n_slices);
#pragma omp parallel num_threads(n_threads)
    {
        struct block_cursor cursor = {0};
#pragma omp for schedule(dynamic, 1)
        for (uint64_t number = 0; number < n_slices; number++) {
            einspul_error own = {EINSPUL_OK, ""};
            if (first_error_precedes(&failed, number) ||
                !in_sample(verifier->random_seed, 0, number, verifier->slice_probability))
                continue;
            einspul_status status = block_cursor_go(&cursor, table, number / per_block, &own);
            if (status == EINSPUL_OK && !verifier->decodes_only)
                status = verify_slice(verifier, number, &cursor, &own);
            first_error_keep(&failed, number, status, &own);
        }
        block_cursor_free(&cursor);
    }
    return first_error_give(&failed, error);
}

static void plan_sample(struct verifier *verifier, uint64_t n_samples)
{
    const struct table *table = verifier->verified.table;
    uint64_t n_placements = 1; /* stored; 1 more, to avoid a division by 0 */
    for (int side = WHITE; side <= BLACK; side++)
        n_placements += table_stores(table, (enum side)side) ? table->header.n_stored[side] : 0;
    const double n_stored = (double)n_placements * verifier->verified.shape->n_rule_states;
    const double part = (double)n_samples / n_stored;
    double slices = 1.0;
    /* Only some slices of a large table are decoded. Samples in two stages, slices and placements within
     * them, each at about the square root of the whole share, but of at least MANY_SLICES slices. */
    const double n_slices = (double)(table->header.n_blocks * slices_per_block(table));
    if (part < 1.0 && n_slices > MANY_SLICES) {
        slices = MANY_SLICES / n_slices;
        while (slices * slices < part)
            slices *= 2.0;
        slices = slices < 1.0 ? slices : 1.0;
    }
    verifier->slice_probability = probability_of(slices);
    verifier->placement_probability = probability_of(part / slices);
}

/* Verifies the values: all in memory where that is possible, otherwise, or a sample, by probes. */
static einspul_status verify_values(struct verifier *verifier, const struct verify_options *options,
                                    einspul_error *error)
{
    bool done = false;
    einspul_status status = EINSPUL_OK;
    if (options->n_samples > 0)
        plan_sample(verifier, options->n_samples);
    else
        status = verify_rows(&verifier->verified, options->max_bytes, options->n_threads, &done,
                             &verifier->findings, error);
    return done || status != EINSPUL_OK ? status
                                        : visit_slices(verifier, options->n_threads, error);
}

static einspul_status hash_values(const struct table *table, const struct rules *rules,
                                  double share, const struct verify_options *options,
                                  einspul_error *error)
{
    watch_phase(options->watch, share);
    return value_hash_check(table, rules, options->n_threads, options->watch, error);
}

einspul_status verify_table(einspul *handle, const struct material *material, einspul_metric metric,
                            const struct verify_options *options, struct verify_report *report,
                            einspul_error *error)
{
    const struct rules *rules = probe_rules(handle);
    const struct table *table = NULL;
    einspul_status status = probe_table(handle, material, metric, &table, error);

    *report = (struct verify_report){0};
    if (status != EINSPUL_OK)
        return status;
    struct verifier verifier = {
        .verified = {.handle = handle,
                     .rules = rules,
                     .table = table,
                     .shape = &table->shape,
                     /* Distances also in a .wdl that has them. */
                     .metric = table->header.has_distances ? EINSPUL_DTW : metric,
                     .distances = table->header.has_distances,
                     .watch = options->watch,
                     .limited = material_has_two_kings_limit(rules, material)},
        .random_seed = options->random_seed,
    };
    const bool is_whole = table_is_complete(table);
    const bool all_values = options->depth == VERIFY_VALUES && options->n_samples == 0;
    if (options->depth == VERIFY_HEADER)
        return EINSPUL_OK; /* verified when the table was opened */
    if (options->depth == VERIFY_CHECKSUMS && is_whole)
        return hash_values(table, rules, 1, options, error);
    verifier.decodes_only = options->depth == VERIFY_CHECKSUMS;
    status = verifier.decodes_only ? visit_slices(&verifier, options->n_threads, error)
                                   : verify_values(&verifier, options, error);
    if (status == EINSPUL_OK)
        *report = verifier.findings.report;
    if (status == EINSPUL_OK && report->n_faults == 0 && all_values && is_whole)
        status = hash_values(table, rules, 1 - VALUES_SHARE, options, error);
    return status;
}
