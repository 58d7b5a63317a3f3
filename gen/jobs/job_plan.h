/* What a plan of jobs is made from: the levels of a material, what a job needs, and what it takes in
 * memory, on disk and in time. Nothing here looks at a file. */
#ifndef EINSPUL_GEN_JOBS_JOB_PLAN_H
#define EINSPUL_GEN_JOBS_JOB_PLAN_H

#include "gen/jobs/job_id.h"
#include "gen/run/run_options.h"
#include "gen/values/levels.h"

/* The levels of a material. A level is cut at the bounds of its tasks: a page of frames, or one
 * large frame. A job takes levels whole, or an equal share of the tasks of one. */
struct job_levels {
    int n_levels;
    struct {
        uint64_t n_tasks;  /* 0: nothing to do, and no job is wanted */
        uint64_t n_frames; /* impossible ones included */
        double n_states;   /* about, both sides to move; all levels together have shape_states */
    } levels[MAX_LEVELS];
};

/* NO_MEMORY. */
enum status job_levels_of(const struct rules *rules, const struct material *material,
                          struct job_levels *levels, struct error *error);

/* The level of the same material whose slices, all of them, must be there for a slice: that below
 * its first, since a man that moves has one step less to go. -1: none. A JOB_TABLE needs the slices of
 * all levels; for it too this is -1. */
int job_level_needed(const struct job *job);

/* Of the time of a material: putting the tables together, which a run that solves it does too; and
 * what all its slices take, with writing their values. */
extern const double JOB_TABLE_SHARE, JOB_SLICES_SHARE;

/* Seconds of one thread it takes to bring in what a material leads to: every job that solves some of
 * it does. */
double job_loading_seconds(const struct rules *rules, const struct material *material,
                           double speed);

/* What a job takes. */
struct job_cost {
    double n_states;       /* it solves; of JOB_TABLE, that it writes */
    uint64_t least_bytes;  /* of memory: with less it is refused */
    uint64_t wanted_bytes; /* of memory: with more it is no faster */
    uint64_t file_bytes;   /* of the files it leaves */
};

/* For options->rules, metrics, n_threads (which memory depends on), solver. Levels the material does
 * not have: BAD_ARGUMENT; NO_MEMORY. */
enum status job_cost_of(const struct generate_options *options, const struct job *job,
                        struct job_cost *cost, struct error *error);

#endif
