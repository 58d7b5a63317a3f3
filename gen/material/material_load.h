/* Bringing a material in from its table. */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_LOAD_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_LOAD_H

#include "gen/material/material_params.h"
#include "table/table_read.h"

struct material_source {
    const struct table *table; /* of the metric that is asked for */
    bool after_promotion;      /* what no promotion can lead to is not wanted; it has any values */
};

/* Reads the material back into the store; captures, which no table holds, are seeded. Before, its
 * values are compared with their hash: CORRUPT. Errors of table_decode_block and of the seeds;
 * NO_TABLE when the table leaves values out; STOPPED. */
einspul_status material_load(const struct material_params *params,
                             const struct material_source *source, einspul_error *error);

struct counters;

/* Counts what material_load would bring in, frame by frame, and keeps none of it. The counters
 * are for as many threads. Errors as material_load. */
einspul_status material_count(const struct material_params *params, const struct table *table,
                              struct counters *counters, einspul_error *error);

#endif
