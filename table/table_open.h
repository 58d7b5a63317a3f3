/* What programs ask of a table beside its values. */
#ifndef EINSPUL_TABLE_TABLE_OPEN_H
#define EINSPUL_TABLE_TABLE_OPEN_H

#include "table/table_read.h"

/* Whether the tables do not have what was asked for, which is no fault of theirs: there is no table or
 * no distance, a block is not in memory, or the outcome is undecided. */
static inline bool status_is_missing(einspul_status status)
{
    return status >= EINSPUL_NO_TABLE && status < EINSPUL_IO;
}

/* Whether a file was read and is not a whole table. Every other status leaves that open: the file
 * could not be read, or is an intact table of another version, rule set or material. */
static inline bool status_is_damage(einspul_status status)
{
    return status == EINSPUL_NOT_A_TABLE ||
           (status >= EINSPUL_TRUNCATED && status <= EINSPUL_CORRUPT);
}

/* Writes the path of a table's file, <root>/<rules>/<material>.wdl or .dtw, which has `size` bytes.
 * BAD_ARGUMENT if that is too small. */
einspul_status table_path_below(const char *root, struct table_id id, char *path, size_t size,
                                einspul_error *error);

/* Opens the file of a table, and the table in it. NO_TABLE if there is no such file; errors of
 * table_open_file. */
einspul_status table_open(const char *path, struct table_id id, const einspul_callbacks *callbacks,
                          struct table **table, einspul_error *error);

/* Whether nothing was left out. */
static inline bool omits_nothing(const struct omitted *omitted)
{
    return !omitted->side[WHITE] && !omitted->side[BLACK] && !omitted->runs;
}
static inline bool table_is_complete(const struct table *table)
{
    return omits_nothing(&table->header.omitted);
}

/* The block that an index of a stored side is in. */
static inline uint64_t table_block_of(const struct table *table, enum side side, uint64_t index)
{
    return table_first_block(table, side) + index / table->header.block_placements;
}

#endif
