/* Edits the bytes of table files. Files are in the folder of the test (folder.h). */
#ifndef EINSPUL_TESTS_SUPPORT_TABLE_BYTES_H
#define EINSPUL_TESTS_SUPPORT_TABLE_BYTES_H

#include "table/table_read.h"

/* The bytes of a synthetic Frisian table of KvM, also written as the file `name`; to be freed. */
uint8_t *small_table(einspul_metric metric, const char *name, size_t *n_bytes);

/* Adds to a number of eight bytes. */
void add_to(uint8_t *bytes, size_t at, uint64_t number);

/* Recomputes the checksum of a header. */
void seal_header(uint8_t *bytes);

/* Recomputes the header's checksum, writes the bytes to a file and opens it as a table. Errors of
 * table_open. */
einspul_status open_sealed(struct table_id id, uint8_t *bytes, size_t n_bytes, struct table **table,
                           einspul_error *error);

/* True if the bytes open as a table like small_table's. */
einspul_status open_small(einspul_metric metric, uint8_t *bytes, size_t n_bytes,
                          einspul_error *error);

/* The sizes of a table's blocks, from its index; to be freed. */
uint32_t *block_sizes(const uint8_t *bytes, size_t n_bytes);

/* Header and blocks of a table, up to `end`, followed by an index of `n` blocks of these sizes in
 * groups, with a matching header; to be freed. The checksums are those of the blocks. */
uint8_t *with_index(const uint8_t *bytes, size_t end, const uint32_t *sizes, uint64_t n,
                    uint32_t group, size_t *n_bytes);

#endif
