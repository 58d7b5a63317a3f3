/* The write side of the table file (docs/format.md). */
#ifndef EINSPUL_TABLE_WRITE_TABLE_WRITE_H
#define EINSPUL_TABLE_WRITE_TABLE_WRITE_H

#include "core/program/bytes_set.h"
#include "core/rank.h"
#include "core/value.h"
#include "table/metric.h"

/* A source of the values of a table. */
struct table_source {
    void *context;
    /* Sets values[i] to the values of placement index first + i of a side to move, by rule state;
     * NULL where it is a don't-care. The values stay valid until the next call with the same
     * `thread` (0 .. n_threads - 1). */
    einspul_status (*read)(void *context, int thread, int side, uint64_t first, uint32_t n,
                           const value_t **values, einspul_error *error);
    void (*release)(
        void *context,
        int thread); /* called when a thread has finished with its values; may be NULL */
};

/* Writes a whole table to `path` by way of a temporary file in the same folder, synced, then
 * renamed (table/write/output.h). After an error the old file at `path` is unchanged, unless only
 * the last step failed, syncing the folder: then the new file is in place. EINSPUL_WDL drops the
 * distances of the values it is given, except where table_always_has_distances. `level` is zstd's.
 * Blocks are coded by `n_threads` OpenMP threads; the bytes do not depend on their number. IO,
 * NO_SPACE, NO_MEMORY; CORRUPT if a stored placement has no value; errors of the source's read
 * function. */
einspul_status table_write(const char *path, struct table_id id, const struct table_source *source,
                           int level, int n_threads, einspul_error *error);

#endif
