/* Writing the tables of a solved material. */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_WRITE_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_WRITE_H

#include "gen/values/store.h"
#include "table/write/table_write.h"

/* Writes tables of a solved material. Errors of tables_write and of pages_fetch. */
einspul_status material_write_tables(const struct table_output *outputs, int n_outputs,
                                     const struct solved *solved, int zstd_level, int n_threads,
                                     einspul_error *error);

/* The memory that material_write_tables needs, in addition to the chunks. */
uint64_t material_write_bytes(const struct shape *shape, int n_threads);

#endif
