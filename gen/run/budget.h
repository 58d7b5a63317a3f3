/* How the memory of a run is divided: what must be there while a material is solved, and what is
 * left for values (pager.h). */
#ifndef EINSPUL_GEN_RUN_BUDGET_H
#define EINSPUL_GEN_RUN_BUDGET_H

#include "gen/run/plan.h"

struct budget {
    int n_workers;         /* frames in work at once */
    int n_inside;          /* threads in each */
    uint64_t work_bytes;   /* of those frames */
    uint64_t values_bytes; /* for chunks */
};

/* Sets plan->least_bytes and wanted_bytes of a material that is to be solved. */
void budget_plan(const struct generate_options *options, struct generate_plan *plan, int index);

/* The division while a material is solved, or (`loading`) read back from its table. */
struct budget budget_divide(const struct generate_options *options,
                            const struct generate_plan *plan, int index, bool loading);

/* Bytes a material's values are expected to take in memory. */
uint64_t budget_values(const struct generate_options *options, const struct material *material);

/* The least memory in which a material's tables are put together from values that are on disk, what
 * of it is for chunks, and what it takes to read nothing twice. */
uint64_t budget_table(const struct generate_options *options, const struct material *material);
uint64_t budget_table_values(const struct generate_options *options,
                             const struct material *material);
uint64_t budget_table_wanted(const struct generate_options *options,
                             const struct material *material);

#endif
