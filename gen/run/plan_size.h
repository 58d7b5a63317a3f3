/* What the files and the memory of a plan are expected to take, and whether they are there. */
#ifndef EINSPUL_GEN_RUN_PLAN_SIZE_H
#define EINSPUL_GEN_RUN_PLAN_SIZE_H

#include "gen/run/plan.h"

/* Sets what the plan's files, and values besides, take on disk. */
void plan_disk(const struct generate_options *options, struct generate_plan *plan);

/* Free bytes where `root` is or will be; UINT64_MAX where nobody says. */
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
