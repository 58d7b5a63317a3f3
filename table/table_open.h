/* Opening a table by its path, and facts about an open one. For the programs. */
#ifndef EINSPUL_TABLE_TABLE_OPEN_H
#define EINSPUL_TABLE_TABLE_OPEN_H

#include "table/table_read.h"

/* True if the answer is not available, as opposed to an error: no table or no distance exists, a
 * block is not in memory, or the outcome is undecided. */
static inline bool status_is_missing(einspul_status status)
{
    return status >= EINSPUL_NO_TABLE && status < EINSPUL_IO;
}

/* True if a file was read and is damaged, of an earlier version, or no table at all. No other status
 * shows that: the file could not be read, or is an intact table of a later version or of another
 * rule set or material. */
static inline bool status_is_damage(einspul_status status)
{
    return status == EINSPUL_NOT_A_TABLE ||
           (status >= EINSPUL_TRUNCATED && status <= EINSPUL_OLD_VERSION);
}

/* Writes the path of a table's file, <root>/<rules>/<material>.wdl or .dtw, which has `size` bytes.
 * BAD_ARGUMENT if that is too small. */
einspul_status table_path_below(const char *root, struct table_id id, char *path, size_t size,
                                einspul_error *error);

/* Opens the file of a table, and the table in it. NO_TABLE if the file does not exist; errors of
 * table_open_file. */
einspul_status table_open(const char *path, struct table_id id, const einspul_callbacks *callbacks,
                          struct table **table, einspul_error *error);

/* True if nothing is omitted. */
static inline bool omits_nothing(const struct omitted *omitted)
{
    return !omitted->side[WHITE] && !omitted->side[BLACK] && !omitted->runs;
}
static inline bool table_is_complete(const struct table *table)
{
    return omits_nothing(&table->header.omitted);
}

/* The block that contains an index of a stored side. */
static inline uint64_t table_block_of(const struct table *table, enum side side, uint64_t index)
{
    return table_first_block(table, side) + index / table->header.block_placements;
}

#endif
