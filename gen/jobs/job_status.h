/* How far a plan of jobs is, by what lies in the folders. Nothing is written, no lock is taken. */
#ifndef EINSPUL_GEN_JOBS_JOB_STATUS_H
#define EINSPUL_GEN_JOBS_JOB_STATUS_H

#include "gen/jobs/job_graph.h"
#include "gen/run/run_options.h"

enum material_state {
    MATERIAL_MISSING,
    MATERIAL_RUNNING, /* temporary files were written to in the last FRESH_SECONDS */
    MATERIAL_PARTLY,  /* some of its slices are there */
    MATERIAL_DONE
};

enum { FRESH_SECONDS = 600 };

struct material_status {
    enum material_state state;
    int n_jobs, n_done; /* those that make it, or some of it */
    double seconds;     /* of one core: all of it */
    double seconds_left;
};

struct graph_status {
    bool *done; /* by job */
    struct material_status materials[MAX_MATERIALS];
    double seconds, seconds_left; /* of one core */
    int n_done;                   /* materials */
    int n_running;
};

/* Asks every job whether it is done (job_is_done). Errors as that; the status may be freed after
 * one. */
einspul_status graph_status_create(const struct generate_options *options,
                                   const struct job_graph *graph, struct graph_status *status,
                                   einspul_error *error);
void graph_status_free(struct graph_status *status);

#endif
