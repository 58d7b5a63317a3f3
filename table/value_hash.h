/* The hash of a table's values (docs/format.md), computed from its blocks. */
#ifndef EINSPUL_TABLE_VALUE_HASH_H
#define EINSPUL_TABLE_VALUE_HASH_H

#include "core/watch.h"
#include "table/table_block.h"

enum { HASH_UNIT = 1 << 20 }; /* placement indices hashed at a time; part of the format */

/* Decodes all blocks of a complete table (table_is_complete) and compares the hash of their values
 * with its header: CORRUPT if they differ. `n_threads` OpenMP threads; the error does not depend on
 * their number. `watch` may be NULL. STOPPED, NO_MEMORY; errors of table_decode_block. */
einspul_status value_hash_check(const struct table *table, const struct rules *rules, int n_threads,
                                struct watch *watch, einspul_error *error);

#endif
