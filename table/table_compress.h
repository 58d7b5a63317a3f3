/* A table written again with a model: smaller, slower to write and to decode. */
#ifndef EINSPUL_TABLE_TABLE_COMPRESS_H
#define EINSPUL_TABLE_TABLE_COMPRESS_H

#include "table/table_read.h"

/* Writes the values of an open table to `path`, which may be its own, the way of table_write. Every
 * block is decoded again and compared before the file gets its name. Unless `whole`, what may be
 * left out is (table/table_format.h), of the sides to move the one that takes more room: the rules
 * say what it was, a ply on, or the table was wrong. *n_bytes is the size of the new file; where
 * that is not below the old one, nothing is written and it is the old one's. Nor is a table that
 * has a model already, unless something is left out now. IO, NO_SPACE, NO_MEMORY, errors of
 * table_decode_block; CORRUPT when the table's values are none the rules can give. `n_threads`
 * OpenMP threads; the bytes do not depend on their number. */
enum status table_compress(const struct table *table, const struct rules *rules, bool whole,
                           const char *path, int n_threads, uint64_t *n_bytes, struct error *error);

#endif
