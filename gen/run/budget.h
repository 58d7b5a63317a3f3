/* What materials take: time, memory, disk; and how the memory of a run is divided. */
#ifndef EINSPUL_GEN_RUN_BUDGET_H
#define EINSPUL_GEN_RUN_BUDGET_H

#include "core/rank.h"
#include "gen/run/plan.h"

/* Seconds of one core that a material takes, from reading what it leads to until its tables are
 * written; on the machine of bench/README.md, within a factor of two. */
double estimate_core_seconds(const struct rules *rules, const struct material *material,
                             unsigned metrics);

/* The cores, up to `most`, with which little of that time is spent waiting. */
int estimate_cores(const struct rules *rules, const struct material *material, unsigned metrics,
                   int most);

/* Bytes of the files of a material's tables, of a set of metrics. */
uint64_t estimate_file_bytes(const struct rules *rules, const struct shape *shape,
                             unsigned metrics);

struct budget {
    uint64_t work_bytes;   /* for frames in work */
    uint64_t values_bytes; /* for chunks */
};

/* The memory that it takes to solve a material, when all it leads to is complete. */
struct planned_material budget_alone(const struct generate_options *options,
                                     const struct material *material);

/* The division while a material is solved, or (`loading`) read back from its table. */
struct budget budget_divide(const struct generate_options *options,
                            const struct generate_plan *plan, int index, bool loading);

/* Bytes a material's values are expected to take in memory. */
uint64_t budget_values(const struct generate_options *options, const struct material *material);

/* Sets what the plan's files, and values besides, take on disk, and what is free there. */
void plan_disk(const struct generate_options *options, struct generate_plan *plan);

/* Makes a plan one that holds no more than a limit leaves room for, where that can be. */
void plan_for_memory(const struct generate_options *options, struct generate_plan *plan,
                     struct memory_limit limit);

/* Whether the plan fits memory and disk, as it found them: NO_MEMORY, NO_SPACE. */
einspul_status plan_check_fits(const struct generate_options *options,
                               const struct generate_plan *plan, einspul_error *error);

#endif
