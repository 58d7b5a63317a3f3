/* Rewrites a table with a model: smaller, but slower to write and to decode. */
#ifndef EINSPUL_TABLE_WRITE_TABLE_COMPRESS_H
#define EINSPUL_TABLE_WRITE_TABLE_COMPRESS_H

#include "core/watch.h"
#include "table/table_block.h"

/* Which of the values that may be omitted a table omits (table/table_format.h). */
enum compress_form {
    COMPRESS_DEFAULT, /* states with the longest own run and, of .dtw tables, one side to move */
    COMPRESS_WHOLE,   /* nothing */
    COMPRESS_SMALLEST /* like COMPRESS_DEFAULT, and one side to move of .wdl tables too */
};

/* True if a table omits values, but not the ones that a table of `form` omits: it cannot be
 * converted, because the values are missing. */
bool compress_cannot_convert(const struct table *table, const struct rules *rules,
                             enum compress_form form);

/* Writes the values of an open table to `path`, which may be its own, as table_write does. Every
 * block is decoded again and compared before the file gets its name. `form`
 * selects the omitted values, of the side to move that needs more bytes: the rules determine them
 * from the values a few plies later. *n_bytes is the size of the new file. Nothing is written, and *n_bytes is the old
 * size, if the new file would not be smaller, if the table already omits values, or if it already
 * has a model and `form` omits nothing. IO, NO_SPACE, NO_MEMORY, STOPPED, errors of
 * table_decode_block; CORRUPT if the table's values contradict the rules. `watch` may be NULL. Uses `n_threads` OpenMP threads; the bytes do
 * not depend on their number. */
einspul_status table_compress(const struct table *table, const struct rules *rules,
                              enum compress_form form, const char *path, int n_threads,
                              struct watch *watch, uint64_t *n_bytes, einspul_error *error);

#endif
