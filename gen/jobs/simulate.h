/* Replays a plan of jobs against a simple model of a cluster. */
#ifndef EINSPUL_GEN_JOBS_SIMULATE_H
#define EINSPUL_GEN_JOBS_SIMULATE_H

#include "gen/jobs/job_graph.h"

/* Nodes that are all alike. Nothing is in a job's way but cores, memory and its needs: disks and
 * the network are as fast as they were where the rates were measured. */
struct cluster {
    int n_nodes;
    int n_cores;           /* of a node */
    uint64_t memory_bytes; /* of a node */
    double start_seconds;  /* what a scheduler takes to start a job; its cores wait */
};

struct simulation {
    double makespan;     /* seconds from the first job's start to the last one's end */
    double idle_share;   /* of all cores over the makespan: what did no work of the plan */
    double path_seconds; /* the longest path, starts included: no number of nodes is faster */
    int most_running;    /* jobs at once */
};

/* Jobs start as soon as what they need is done and a node has room, the one with the longest path
 * first. A job that finds no room is passed over by a later one that does. BAD_ARGUMENT names a job
 * that no node has room for; NO_MEMORY. */
enum status simulate(const struct job_graph *graph, const struct cluster *cluster,
                     struct simulation *simulation, struct error *error);

#endif
