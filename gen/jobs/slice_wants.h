/* Which frames of other materials a slice looks up. */
#ifndef EINSPUL_GEN_JOBS_SLICE_WANTS_H
#define EINSPUL_GEN_JOBS_SLICE_WANTS_H

#include "gen/jobs/job_id.h"
#include "gen/run/plan.h"

struct slice_wants {
    const struct rules *rules;
    const struct generate_plan *plan;
    const struct job *job; /* the slice */
};

/* A bit per frame of material number `index` of the plan, of those that the slice looks up, to
 * be freed; NULL: all of them. A material with as many pieces as the slice's is reached by
 * promotion only; one with fewer is reached by captures, which may leave any men. `context` is a
 * struct slice_wants: this is generation->wanted. NO_MEMORY. */
einspul_status slice_wants(void *context, int index, uint8_t **wanted, einspul_error *error);

#endif
