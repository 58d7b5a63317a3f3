/* The memory of a run and how it is divided: what must be there while a material is solved, and what
 * is left for values (pager.h). What its files take on disk. And whether all that is there. */
#ifndef EINSPUL_GEN_RUN_BUDGET_H
#define EINSPUL_GEN_RUN_BUDGET_H

#include "gen/run/plan.h"

struct budget {
    int n_workers;         /* frames in work at once */
    int n_inside;          /* threads in each */
    uint64_t work_bytes;   /* of those frames */
    uint64_t values_bytes; /* for chunks */
};

/* Bytes of memory: with less nothing is begun, with more nothing is faster. */
struct budget_need {
    uint64_t least_bytes, wanted_bytes;
};

/* Sets what the plan says of a material that is to be solved. */
void budget_plan(const struct generate_options *options, struct generate_plan *plan, int index);

/* To solve a material, when all it leads to is complete. */
struct budget_need budget_alone(const struct generate_options *options,
                                const struct material *material);

/* The division while a material is solved, or (`loading`) read back from its table. */
struct budget budget_divide(const struct generate_options *options,
                            const struct generate_plan *plan, int index, bool loading);

/* Bytes a material's values are expected to take in memory. */
uint64_t budget_values(const struct generate_options *options, const struct material *material);

/* --- the whole plan ------------------------------------------------------------------------- */

/* Sets what the plan's files, and values besides, take on disk. */
void plan_disk(const struct generate_options *options, struct generate_plan *plan);

/* Free bytes where `root` is or will be; UINT64_MAX where that is unknown. */
uint64_t plan_disk_free(const char *root);

/* Makes a plan one that holds no more than a limit leaves room for, where that can be. */
void plan_for_memory(const struct generate_options *options, struct generate_plan *plan,
                     struct memory_limit limit);

/* That so many bytes are there, of memory as the plan found it, and of disk below `root`:
 * NO_MEMORY, NO_SPACE. What the refusal names is enough. */
einspul_status plan_check_memory(const struct generate_plan *plan, uint64_t n_bytes,
                                 einspul_error *error);
einspul_status plan_check_disk(const char *root, uint64_t n_bytes, uint64_t n_free,
                               einspul_error *error);

#endif
