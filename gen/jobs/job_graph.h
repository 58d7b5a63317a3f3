/* The plan of jobs: a whole set cut into pieces of work that a scheduler can run.
 *
 * A job makes one or more whole small materials, or solves a slice of a large one (a range of
 * its levels, or a part of one level), or puts a large material's table together from its
 * slices. The plan says what each job needs done before it, and what it takes. It depends on
 * nothing but its options: no folder is looked at, no clock, no machine. So a plan that is made
 * again is the same plan, and the files of its slices are found again. Where a rule set uses
 * another one's tables, a plan has no jobs for them: they must be there, and jobs of that one
 * make them. */
#ifndef EINSPUL_GEN_JOBS_JOB_GRAPH_H
#define EINSPUL_GEN_JOBS_JOB_GRAPH_H

#include "core/rules.h"
#include "gen/jobs/job_id.h"

struct graph_job {
    struct job job; /* what it does (gen/jobs/job_id.h) */
    int n_needs;
    int *needs; /* numbers of jobs, all lower than the job's own, ascending */
    int stage;  /* 0: needs nothing; else one more than the highest stage of its needs */
    int n_cores;
    uint64_t memory_bytes; /* it plans with: graph_request says what to ask for */
    uint64_t disk_bytes;   /* of what it writes and leaves there */
    double core_seconds;
    double seconds;      /* graph_seconds(core_seconds, n_cores) */
    double path_seconds; /* the longest path from its beginning to the end of the plan */
};

/* Of a job's work, what one core does while the others wait: taken, not measured. */
#define GRAPH_SERIAL_SHARE 0.01

static inline double graph_seconds(double core_seconds, int n_cores)
{
    return core_seconds * (GRAPH_SERIAL_SHARE + (1 - GRAPH_SERIAL_SHARE) / n_cores);
}

/* What a plan is made for. */
struct graph_options {
    const struct rules *rules;
    int pieces;               /* all materials of 2..pieces, MAX_PIECES at most; 0: */
    struct material material; /* canonical, and what it needs */
    unsigned metrics;         /* METRICS_… */
    int n_nodes;              /* all alike */
    int n_cores;              /* of a node */
    uint64_t memory_bytes;    /* of a node */
    int job_seconds;          /* a job is to take at most, if it can be cut */
};

struct job_graph {
    int n_jobs;
    size_t room;            /* for jobs */
    struct graph_job *jobs; /* in an order in which they can be run */
    int n_stages;
    int n_materials;
    struct material materials[MAX_MATERIALS]; /* in the order of generation */
    int job_of[MAX_MATERIALS]; /* the job after which a material's tables are there */
    double core_seconds;
    double path_seconds; /* the longest of all */
    uint64_t disk_bytes; /* of the tables, and the most slices that lie beside them at once */
};

/* The memory to ask a scheduler for, for a job with a plan of so much: a process takes a little
 * more, and is killed beyond its limit. And the most a job may plan with within such a request. */
static inline uint64_t graph_request(uint64_t memory_bytes)
{
    return memory_bytes + memory_bytes / 32 + (32 << 20);
}

static inline uint64_t graph_within(uint64_t request)
{
    return request < 64 << 20 ? request / 2 : (request - (32 << 20)) / 33 * 32;
}

/* NO_MEMORY also where a material does not fit a node: the text names it and what it takes.
 * BAD_ARGUMENT. `graph` may be freed after an error, too. */
einspul_status graph_create(const struct graph_options *options, struct job_graph *graph,
                            einspul_error *error);
void graph_free(struct job_graph *graph);

/* Adds a job, for graph_create and for tests; `needs` is copied. Stage and seconds are set.
 * NO_MEMORY. */
einspul_status graph_add(struct job_graph *graph, const struct graph_job *job,
                         einspul_error *error);

/* Sets paths and sums once all jobs are there. */
void graph_finish(struct job_graph *graph);

#endif
