/* Rewrites a table with a model: smaller, but slower to write and to decode. */
#ifndef EINSPUL_TABLE_WRITE_TABLE_COMPRESS_H
#define EINSPUL_TABLE_WRITE_TABLE_COMPRESS_H

#include "table/table_read.h"

/* How much a table omits of what may be omitted (table/table_format.h): last runs, and of distances
 * one side to move; nothing; one side to move of outcomes too. */
enum compress_form { COMPRESS_DEFAULT, COMPRESS_WHOLE, COMPRESS_SMALLEST };

/* What a table of a form omits, but for which side to move: that is White here. */
struct omitted compress_omits(const struct rules *rules, const struct shape *shape,
                              einspul_metric metric, enum compress_form form);

/* Whether a table omits values, and other ones than a table of a form does: so it has not all that
 * it takes to write that. */
bool compress_cannot_convert(const struct table *table, const struct rules *rules,
                             enum compress_form form);

/* Writes the values of an open table to `path`, which may be its own, as table_write does. Every
 * block is decoded again and compared before the file gets its name. Values are omitted as `form`
 * says, with the side to move that takes more room: the rules determine them from the values a few
 * plies later. *n_bytes is the size of the new file. If that is not smaller than the old one,
 * nothing is written and *n_bytes is the old size; nor is a table rewritten that omits values, or,
 * with a model, if none are to be omitted. IO, NO_SPACE, NO_MEMORY, errors of table_decode_block;
 * CORRUPT if the rules cannot give the table's values. Uses `n_threads` OpenMP threads; the bytes
 * do not depend on their number. */
einspul_status table_compress(const struct table *table, const struct rules *rules,
                              enum compress_form form, const char *path, int n_threads,
                              uint64_t *n_bytes, einspul_error *error);

#endif
