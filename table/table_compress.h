/* Rewrites a table with a model: smaller, but slower to write and to decode. */
#ifndef EINSPUL_TABLE_TABLE_COMPRESS_H
#define EINSPUL_TABLE_TABLE_COMPRESS_H

#include "table/table_read.h"

/* Writes the values of an open table to `path`, which may be its own, as table_write does. Every
 * block is decoded again and compared before the file gets its name. Unless `whole`, the values
 * that may be omitted are (table/table_format.h), with the side to move that takes more room: the
 * rules determine them from the values one ply later. *n_bytes is the size of the new file. If that
 * is not smaller than the old one, nothing is written and *n_bytes is the old size; nor is a table
 * with a model rewritten unless more values are omitted. IO, NO_SPACE, NO_MEMORY, errors of
 * table_decode_block; CORRUPT if the rules cannot give the table's values. Uses `n_threads` OpenMP
 * threads; the bytes do not depend on their number. */
enum status table_compress(const struct table *table, const struct rules *rules, bool whole,
                           const char *path, int n_threads, uint64_t *n_bytes, struct error *error);

#endif
