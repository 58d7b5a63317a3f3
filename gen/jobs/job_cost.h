/* What a job takes, and how large a material's levels are. Nothing here looks at a file. */
#ifndef EINSPUL_GEN_JOBS_JOB_COST_H
#define EINSPUL_GEN_JOBS_JOB_COST_H

#include "gen/jobs/job_id.h"
#include "gen/run/run_options.h"
#include "gen/values/levels.h"

/* Of the time of a material: putting the tables together, which a run that solves it does too; and
 * what all its slices take, with writing their values. */
extern const double JOB_TABLE_SHARE, JOB_SLICES_SHARE;

/* Seconds of one thread it takes to bring in what a material leads to: every job that solves
 * some of it does. */
double job_loading_seconds(const struct rules *rules, const struct material *material);

struct level_sizes {
    int n_levels;                  /* numbered as those of levels.h */
    uint64_t n_frames[MAX_LEVELS]; /* with each number of steps to go, twins included */
    uint64_t total;
};

/* Without making a list of its men sets. */
void level_sizes_init(struct level_sizes *sizes, const struct rules *rules,
                      const struct material *material);

struct job_cost {
    double n_states;     /* it solves; of JOB_TABLE, that it writes */
    uint64_t file_bytes; /* of the files it leaves */
};

/* For options->rules, metrics. Levels the material does not have: BAD_ARGUMENT. */
einspul_status job_cost_of(const struct generate_options *options, const struct job *job,
                           struct job_cost *cost, einspul_error *error);

#endif
