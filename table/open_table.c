/* What an open table is, and how its bytes are unpacked. */
#include "table/open_table.h"

#include "table/bytes.h"

#include <stdatomic.h>
#include <zstd_errors.h>

const struct shape *table_shape(const struct table *table)
{
    return &table->shape;
}

const struct header *table_header(const struct table *table)
{
    return &table->header;
}

const char *table_path(const struct table *table)
{
    return table->path;
}

uint64_t table_first_block(const struct table *table, enum side side)
{
    return side == BLACK && table_stores(table, WHITE) ? table->blocks_per_side : 0;
}

enum side table_block_side(const struct table *table, uint64_t number)
{
    return table_stores(table, WHITE) && number < table->blocks_per_side ? WHITE : BLACK;
}

bool table_stores(const struct table *table, enum side side)
{
    return (int)side < table->shape.n_sides && !table->header.left_out.side[side];
}

int table_most_run(const struct table *table, enum side side)
{
    if (!table_stores(table, side))
        return -1;
    return table->header.left_out.runs && table->shape.n_runs[side] > 1 ? MAX_RUN_COUNT - 1
                                                                        : ANY_RUN;
}

/* --- unpacking -------------------------------------------------------------------------------- */

einspul_status table_decompress(const struct table *table, const char *what, const uint8_t *bytes,
                                size_t size, uint8_t *content, size_t n_bytes, einspul_error *error)
{
    /* zstd would also accept its formats before 0.8, which allocate memory of their own. */
    if (size < 4 || load_u32(bytes) != ZSTD_MAGICNUMBER)
        return error_set(error, EINSPUL_CORRUPT, "%s: %s: no zstd frame", path_text(table->path),
                         what);
    ZSTD_DCtx *context = atomic_exchange(table->idle, NULL);
    if (context == NULL)
        context = ZSTD_createDCtx();
    if (context == NULL)
        return file_no_memory(table->path, error);
    const size_t n = ZSTD_decompressDCtx(context, content, n_bytes, bytes, size);
    ZSTD_freeDCtx(atomic_exchange(table->idle, context));
    if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation)
        return file_no_memory(table->path, error);
    return n == n_bytes ? EINSPUL_OK
                        : error_set(error, EINSPUL_CORRUPT, "%s: %s: it does not decompress",
                                    path_text(table->path), what);
}
