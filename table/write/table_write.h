/* The write side of the table file (docs/format.md). */
#ifndef EINSPUL_TABLE_WRITE_TABLE_WRITE_H
#define EINSPUL_TABLE_WRITE_TABLE_WRITE_H

#include "core/program/bytes_set.h"
#include "core/rank.h"
#include "core/value.h"
#include "table/metric.h"

/* The values of consecutive placements, by place; undefined where `stored` says that the placement
 * is a don't-care. */
struct table_values {
    uint64_t *stored;         /* bit by place; 0 after the last one */
    const value_t **patterns; /* by rule state; NULL if there is only one: */
    value_t *values;          /* NULL if there are several rule states */
};

/* A source of the values of a table. */
struct table_source {
    void *context;
    /* Sets the values of placements first .. first + n - 1 of a side to move, at most 16384. Patterns
     * stay valid until the next call with the same `thread` (0 .. n_threads - 1). */
    einspul_status (*read)(void *context, int thread, int side, uint64_t first, uint32_t n,
                           const struct table_values *values, einspul_error *error);
    void (*release)(
        void *context,
        int thread); /* called when a thread has finished with its values; may be NULL */
};

struct table_output {
    const char *path;
    struct table_id id;
};

/* Writes the tables of one material, at most two, each to its path by way of a temporary file in the
 * same folder, synced, then renamed (table/write/output.h). After an error the old files are
 * unchanged, unless only the last steps failed, such as syncing the folder: then new files may be in
 * place. EINSPUL_WDL drops the distances of the values it is given, except where
 * table_always_has_distances. `level` is zstd's. Blocks are coded by `n_threads` OpenMP threads; the
 * bytes do not depend on their number, nor on the other table. IO, NO_SPACE, NO_MEMORY; CORRUPT if a
 * stored placement has no value; errors of the source's read function. */
einspul_status tables_write(const struct table_output *outputs, int n_outputs,
                            const struct table_source *source, int level, int n_threads,
                            einspul_error *error);

#endif
