/* Loading a material from its table, or counting it. */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_LOAD_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_LOAD_H

#include "gen/material/counting.h"
#include "gen/material/material_params.h"

/* Reads the material back into the store; captures, which no table holds, are seeded. Before, its
 * values are compared with their hash: CORRUPT. Errors of table_decode_block and of the seeds;
 * NO_TABLE when the table leaves values out; STOPPED. */
einspul_status material_load(const struct material_params *params, einspul_error *error);

/* Counts what material_load would load, frame by frame, without storing it. `counters` must be for
 * params->n_threads threads. Errors as material_load. */
einspul_status material_count(const struct material_params *params, struct counters *counters,
                              einspul_error *error);

#endif
