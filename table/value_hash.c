/* The hash of a table's values, in the order of placements and rule states, so that tables can be
 * compared however they are encoded. */
#include "table/value_hash.h"

#include "table/block_values.h"
#include "table/bytes.h"
#include "table/checksum_parts.h"
#include "table/table_format.h"
#include "table/table_open.h"
#include "table/walk.h"

#include <stdlib.h>

/* Adds the values of a block's quiet placements, those of a row at once if each has one. */
static void add_block(struct checksum *sum, const struct walk_plan *plan, uint64_t first,
                      const struct block *block)
{
    const size_t length = (size_t)plan->shape->n_rule_states;
    value_t values[MAX_RULE_STATES]; /* of a placement, or of a row */
    struct walk walk;
    walk_begin(&walk, plan, first, block->n_placements);
    while (walk_row(&walk)) {
        size_t n = 0;
        if (length == 1)
            block_copy_values(block, walk.place, (uint32_t)walk.n, values);
        for (squares_t left = walk.quiet; left != 0; left &= left - 1) {
            const uint32_t i = (uint32_t)(bits_first(left) - walk.first);
            if (length == 1) {
                values[n++] = values[i];
                continue;
            }
            block_values(block, walk.place + i, (int)length, values);
            checksum_add(sum, values, length);
        }
        checksum_add(sum, values, n);
    }
}

/* The hash of HASH_UNIT placement indices of a side, fewer at the end. */
static einspul_status hash_chunk(const struct table *table, const struct walk_plan *plan,
                                 uint64_t first, const struct watch *watch, uint64_t *hash,
                                 einspul_error *error)
{
    const uint64_t per_block = table->header.block_placements;
    const uint64_t left = plan->shape->n_placements - first;
    const uint64_t end = first + (left < HASH_UNIT ? left : HASH_UNIT);
    struct checksum sum;
    checksum_begin(&sum);
    for (uint64_t at = first; at < end; at += per_block) {
        struct block *block = NULL;
        einspul_status status = watch_status(watch, error);
        if (status == EINSPUL_OK)
            status = table_decode_block(table, table_block_of(table, plan->side, at), UINT32_MAX,
                                        &block, error);
        if (status != EINSPUL_OK)
            return status;
        add_block(&sum, plan, at, block);
        free(block);
    }
    *hash = checksum_end(&sum);
    return EINSPUL_OK;
}

static einspul_status value_hash(const struct table *table, const struct rules *rules,
                                 int n_threads, struct watch *watch, uint64_t *hash,
                                 einspul_error *error)
{
    const struct shape *shape = &table->shape;
    const uint64_t per_side = (shape->n_placements + HASH_UNIT - 1) / HASH_UNIT;
    const uint64_t n_chunks = per_side * (uint64_t)shape->n_sides;
    uint8_t *hashes = malloc((size_t)n_chunks * 8);
    struct walk_plan plans[2];
    einspul_status first_status = EINSPUL_OK;
    einspul_error first_error = {EINSPUL_OK, ""};
    uint64_t first_failed = n_chunks;

    if (hashes == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "%s: not enough memory to hash the values",
                         path_tail(table->path));
    for (int side = 0; side < shape->n_sides; side++)
        walk_plan_init(&plans[side], rules, shape, (enum side)side);
    watch_parts(watch, n_chunks);
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 1)
    for (uint64_t chunk = 0; chunk < n_chunks; chunk++) {
        einspul_error own = {EINSPUL_OK, ""};
        uint64_t part = 0;
        const einspul_status status = hash_chunk(table, &plans[chunk / per_side],
                                                 chunk % per_side * HASH_UNIT, watch, &part, &own);
        watch_add(watch, 1);
        store_u64(hashes + chunk * 8, part);
        if (status != EINSPUL_OK) {
#pragma omp critical(value_hash_error)
            if (chunk < first_failed) {
                first_failed = chunk;
                first_status = status;
                first_error = own;
            }
        }
    }
    *hash = format_checksum(hashes, (size_t)n_chunks * 8);
    free(hashes);
    if (first_status != EINSPUL_OK && error != NULL)
        *error = first_error;
    return first_status;
}

einspul_status value_hash_check(const struct table *table, const struct rules *rules, int n_threads,
                                struct watch *watch, einspul_error *error)
{
    uint64_t hash = 0;
    const einspul_status status = value_hash(table, rules, n_threads, watch, &hash, error);
    if (status == EINSPUL_OK && hash != table->header.value_hash)
        return error_set(error, EINSPUL_CORRUPT, "%s: value hash mismatch", path_tail(table->path));
    return status;
}
