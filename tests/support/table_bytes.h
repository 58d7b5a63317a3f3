/* The bytes of table files, to be changed by hand. Files stand in the folder of the test
 * (folder.h). */
#ifndef EINSPUL_TESTS_SUPPORT_TABLE_BYTES_H
#define EINSPUL_TESTS_SUPPORT_TABLE_BYTES_H

#include "table/table_read.h"

/* The bytes of a made-up Frisian table of KvM, as the file `name` has them;
 * to be freed. */
uint8_t *small_table(einspul_metric metric, const char *name, size_t *n_bytes);

/* Adds to a number of eight bytes. */
void add_to(uint8_t *bytes, size_t at, uint64_t number);

/* Puts the checksum of a header right. */
void seal_header(uint8_t *bytes);

/* Seals the header, writes the bytes to a file and opens it as a table. Errors of table_open. */
einspul_status open_sealed(struct table_id id, uint8_t *bytes, size_t n_bytes, struct table **table,
                           einspul_error *error);

/* Whether the bytes open as a table like small_table's. */
einspul_status open_small(einspul_metric metric, uint8_t *bytes, size_t n_bytes,
                          einspul_error *error);

/* The sizes of a table's blocks, as its index says; to be freed. */
uint32_t *block_sizes(const uint8_t *bytes, size_t n_bytes);

/* Header and blocks of a table, up to `end`, with an index of `n` blocks of these
 * sizes in groups, and with a header that goes with it; to be freed. The checksums are those of
 * the blocks. */
uint8_t *with_index(const uint8_t *bytes, size_t end, const uint32_t *sizes, uint64_t n,
                    uint32_t group, size_t *n_bytes);

#endif
