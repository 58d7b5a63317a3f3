/* What a run has in hand: the store of solved materials, and what brings them in from tables. */
#ifndef EINSPUL_GEN_RUN_GENERATION_H
#define EINSPUL_GEN_RUN_GENERATION_H

#include "gen/material/material_solve.h"
#include "gen/run/plan.h"

struct generation {
    const struct generate_options *options;
    const struct generate_plan *plan;
    struct store store;
    struct generate_progress progress;
    double start;
    double last_report;
    einspul_error *error;
};

/* Makes the store. NO_MEMORY, BAD_ARGUMENT. */
einspul_status generation_begin(struct generation *generation);

/* Frees all materials. */
void generation_end(struct generation *generation);

/* How material number `index` is solved, or loaded. */
struct material_params generation_params(struct generation *generation, int index);

/* Extras that report states solved, and found solved. */
struct material_extras generation_extras(struct generation *generation);

/* Reports where the run is; unless `always`, only if that was not done just before. */
void generation_report(struct generation *generation, bool always);

/* Reports that material number `index` is complete. */
void generation_report_table(struct generation *generation, int index);

/* Gives values the memory they may have while a material is in work; returns what its frames may
 * take. */
uint64_t generation_limit(struct generation *generation, int index, bool loading);

/* Brings what a material leads to into the store. LOCKED where a file is not the one the plan
 * was made with; errors as material_load, material_solve. */
einspul_status generation_bring_needs(struct generation *generation, int index);

/* A hash of the values of the tables a material's values are made from. */
einspul_status generation_fingerprint(const struct generation *generation, int index,
                                      uint64_t *hash);

/* Writes those tables of solved material number `index` that are not there. Errors as
 * material_write_table. */
einspul_status generation_write(const struct generation *generation, int index);

#endif
