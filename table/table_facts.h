/* What programs ask of a table beside its values. */
#ifndef EINSPUL_TABLE_TABLE_FACTS_H
#define EINSPUL_TABLE_TABLE_FACTS_H

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
static inline bool leaves_nothing_out(const struct left_out *left_out)
{
    return !left_out->side[WHITE] && !left_out->side[BLACK] && !left_out->runs;
}
static inline bool table_is_whole(const struct table *table)
{
    return leaves_nothing_out(&table->header.left_out);
}

/* The block that an index of a stored side is in. */
static inline uint64_t table_block_of(const struct table *table, enum side side, uint64_t index)
{
    return table_first_block(table, side) + index / table->header.block_placements;
}

#endif
