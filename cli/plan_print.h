/* The output formats of a plan of jobs. Each has a printer in a file of its own; they share the
 * command line of a job. */
#ifndef EINSPUL_CLI_PLAN_PRINT_H
#define EINSPUL_CLI_PLAN_PRINT_H

#include "cli/options.h"
#include "cli/print.h"
#include "gen/jobs/job_graph.h"
#include "gen/jobs/job_status.h"

enum { PLAN_PATH_SIZE = 4096 };

struct plan {
    const struct options *options;
    struct job_graph graph;
    char program[PLAN_PATH_SIZE]; /* of this process, absolute where the system tells */
    char tables[PLAN_PATH_SIZE];  /* absolute: jobs run anywhere */
    const bool *done;             /* by job: it is left out; NULL: none is */
};

void plan_print_rows(const struct plan *plan); /* --format tsv and json */
void plan_print_status(const struct plan *plan, const struct graph_status *status);
void plan_print_make(const struct plan *plan);
void plan_print_slurm(const struct plan *plan);

/* Prints a comment about the plan and its options; every line begins with `# `. */
void plan_print_origin(const struct plan *plan);

/* Prints the command that prints the plan again, without --tables and --format. */
void plan_print_options(const struct plan *plan);

/* The options of a job that are the same for all: rule set and metric. */
void plan_print_job_options(const struct plan *plan);

/* The memory of a job in GiB, rounded up, for --memory. */
struct short_text plan_gib(uint64_t n_bytes);

#endif
