/* Doing a job (job_id.h). Jobs of a plan run in any number of processes, on any number of machines
 * that share the folder: what they promise is in docs/method.md. */
#ifndef EINSPUL_GEN_JOBS_JOB_H
#define EINSPUL_GEN_JOBS_JOB_H

#include "gen/jobs/job_id.h"
#include "gen/run/run_options.h"

/* Does a job, unless it is done. Its inputs are tables, which must be sound, and slices, from all
 * folders of the options; what it makes appears whole in the root, by rename. It takes no lock
 * that keeps other jobs out. The same job twice at once does no harm.
 *
 * NO_TABLE: an input is missing, and was after options->wait_seconds. NOT_A_TABLE, TRUNCATED,
 * BAD_HEADER, BAD_BLOCK, CORRUPT and WRONG_…: one is damaged, or is something else; the text
 * names it. NO_MEMORY: memory would be, or was, exceeded. NO_SPACE, IO. STOPPED: options->stop;
 * what was finished is gone on from by the same job. LOCKED: a run over the whole folder is at
 * work there. BAD_ARGUMENT: there is no such job. */
einspul_status job_run(const struct generate_options *options, const struct job *job,
                       einspul_error *error);

/* Whether a job is done: its tables, or its slice or the tables made from it, are there, with
 * sound headers and checksums of these, and made from the inputs that are there now. A job whose
 * inputs are not there is not done. IO, NO_MEMORY, BAD_ARGUMENT. */
einspul_status job_is_done(const struct generate_options *options, const struct job *job,
                           bool *done, einspul_error *error);

#endif
