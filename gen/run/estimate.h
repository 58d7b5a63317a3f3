/* What materials are expected to take: time, bytes of values, bytes of files. All figures that were
 * measured for that are in estimate.c. */
#ifndef EINSPUL_GEN_RUN_ESTIMATE_H
#define EINSPUL_GEN_RUN_ESTIMATE_H

#include "core/rank.h"
#include "gen/run/run_options.h"

/* Seconds of one core that a material takes, from reading what it leads to until its tables are
 * written; on the machine of bench/README.md, within a factor of two. */
double estimate_core_seconds(const struct rules *rules, const struct material *material,
                             unsigned metrics);

/* The cores, up to `most`, with which little of that time is spent waiting. */
int estimate_cores(const struct rules *rules, const struct material *material, unsigned metrics,
                   int most);

/* Bytes of memory that the values of `n` placements of a side to move take. */
uint64_t estimate_value_bytes(const struct shape *shape, einspul_metric metric, uint64_t n);

/* Bytes of the files of a material's tables, of a set of metrics. */
uint64_t estimate_file_bytes(const struct rules *rules, const struct shape *shape,
                             unsigned metrics);

#endif
