/* The cost of materials in time, memory and disk space, and the division of a run's memory. */
#ifndef EINSPUL_GEN_RUN_BUDGET_H
#define EINSPUL_GEN_RUN_BUDGET_H

#include "core/rank.h"
#include "gen/run/plan.h"

/* The core-seconds of a material, from loading its successors until its tables are written; on the
 * machine of bench/README.md, within a factor of two. */
double estimate_core_seconds(const struct rules *rules, const struct material *material,
                             unsigned metrics);

/* The number of cores, at most `max`, that a material can keep busy. */
int estimate_cores(const struct rules *rules, const struct material *material, unsigned metrics,
                   int max);

/* Bytes of the files of a material's tables, of a set of metrics. */
uint64_t estimate_file_bytes(const struct rules *rules, const struct shape *shape,
                             unsigned metrics);

struct budget {
    int n_workers, n_threads_per_frame; /* frames in progress, and threads in each */
    uint64_t values_bytes;              /* for chunks */
};

/* The memory for solving a material whose successors are complete. */
struct planned_material budget_single(const struct generate_options *options,
                                      const struct material *material);

/* The division while a material is solved, or (`loading`) loaded from its table. */
struct budget budget_divide(const struct generate_options *options,
                            const struct generate_plan *plan, int index, bool loading);

/* The expected memory of a material's values. */
uint64_t budget_values(const struct generate_options *options, const struct material *material);

/* Sets the disk space that the plan's tables and temporary files need, and the space that is
 * free. */
void budget_add_disk(const struct generate_options *options, struct generate_plan *plan);

/* Fits a plan into a memory limit, if possible. */
void budget_fit_memory(const struct generate_options *options, struct generate_plan *plan,
                       struct memory_limit limit);

/* Checks that the plan fits the memory it found, and its tables the disk space: NO_MEMORY, NO_SPACE.
 * Temporary files may not fit: generation continues without a part file, and values are spilled only
 * if memory is short. */
einspul_status budget_check(const struct generate_options *options,
                            const struct generate_plan *plan, einspul_error *error);

#endif
