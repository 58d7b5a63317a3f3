/* Threads share a table by slices, because blocks are large and small tables have few. A thread
 * keeps the last block it decoded. After an error the slices before it are still visited, so the
 * first error is the same for any number of threads. */
#include "verify/scan.h"

#include "table/block_cursor.h"

/* Small enough to share the work evenly, large enough that decoding a block again on another thread
 * costs little. */
enum { SLICE_PLACEMENTS = 8192 };

struct scan {
    const struct table *table;
    uint64_t block_placements;
    uint64_t blocks_per_side;
    uint64_t slices_per_block;
    uint64_t n_slices;
};

static void scan_init(struct scan *scan, const struct table *table)
{
    scan->table = table;
    scan->block_placements = table_block_placements(table);
    scan->blocks_per_side = table_blocks_per_side(table);
    scan->slices_per_block = (scan->block_placements + SLICE_PLACEMENTS - 1) / SLICE_PLACEMENTS;
    scan->n_slices = table_n_blocks(table) * scan->slices_per_block;
}

uint64_t scan_slices(const struct table *table)
{
    struct scan scan;
    scan_init(&scan, table);
    return scan.n_slices;
}

static enum status visit_slice(const struct scan *scan, uint64_t number,
                               struct block_cursor *cursor, scan_visit *visit, void *context,
                               struct error *error)
{
    const uint64_t block_number = number / scan->slices_per_block;
    const uint64_t place = number % scan->slices_per_block * SLICE_PLACEMENTS;
    const uint64_t block_in_side = block_number % scan->blocks_per_side;

    if (!block_cursor_holds(cursor, block_number)) {
        const enum status status = block_cursor_go(cursor, scan->table, block_number, error);
        if (status != STATUS_OK)
            return status;
    }
    if (visit == NULL || place >= cursor->block->n_placements)
        return STATUS_OK; /* the last block of a side is shorter */
    const uint64_t left = cursor->block->n_placements - place;
    const struct slice slice = {
        .number = number,
        .side = table_block_side(scan->table, block_number),
        .first = block_in_side * scan->block_placements + place,
        .n_placements = (uint32_t)(left < SLICE_PLACEMENTS ? left : SLICE_PLACEMENTS),
        .block = cursor->block,
        .place = (uint32_t)place,
    };
    return visit(context, &slice, error);
}

enum status scan_table(const struct table *table, int n_threads, scan_choose *chosen,
                       scan_visit *visit, void *context, struct error *error)
{
    struct scan scan;
    enum status first_status = STATUS_OK;
    struct error first_error = {STATUS_OK, ""};
    uint64_t first_failed = UINT64_MAX;

    scan_init(&scan, table);
#pragma omp parallel num_threads(n_threads)
    {
        struct block_cursor cursor = {0};
#pragma omp for schedule(dynamic, 1)
        for (uint64_t number = 0; number < scan.n_slices; number++) {
            struct error own = {STATUS_OK, ""};
            enum status status = STATUS_OK;
            uint64_t limit;
            if (chosen != NULL && !chosen(context, number))
                continue;
#pragma omp atomic read
            limit = first_failed;
            if (number > limit)
                continue;
            status = visit_slice(&scan, number, &cursor, visit, context, &own);
            if (status != STATUS_OK) {
#pragma omp critical(scan_table_error)
                if (number < first_failed) {
#pragma omp atomic write
                    first_failed = number;
                    first_status = status;
                    first_error = own;
                }
            }
        }
        block_cursor_free(&cursor);
    }
    if (first_status != STATUS_OK && error != NULL)
        *error = first_error;
    return first_status;
}
