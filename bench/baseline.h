/* What a table takes when nothing is done but numbering its patterns and one general compressor: to
 * see what the file's way is worth. */
#ifndef EINSPUL_BENCH_BASELINE_H
#define EINSPUL_BENCH_BASELINE_H

#include "table/table_read.h"

/* Bytes of one zstd frame (level 19) of the pattern numbers of all placements, both sides one after
 * the other. Patterns are numbered by how often they are met, most first, in as many bytes as the
 * largest number takes; with more than one, byte planes where that is smaller. A placement that is
 * not stored has the number of the one before it. The patterns themselves are not counted. Errors
 * of table_decode_block, NO_MEMORY. */
einspul_status baseline_bytes(const struct table *table, const struct rules *rules,
                              uint64_t *n_bytes, einspul_error *error);

#endif
