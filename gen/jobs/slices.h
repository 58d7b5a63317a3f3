/* The slices of a material: files of chunks that jobs leave for those that need them, in
 * <root>/<rules>/.slices/<material>/<job>.<metric>. */
#ifndef EINSPUL_GEN_JOBS_SLICES_H
#define EINSPUL_GEN_JOBS_SLICES_H

#include "gen/jobs/job_id.h"
#include "gen/run/run_options.h"
#include "gen/values/store.h"

/* Of a material's slices, what makes one fit another. */
struct slices {
    const struct generate_options *options;
    struct material material;
    einspul_metric metric; /* of their values */
    uint64_t fingerprint;  /* of the tables they are made from */
};

/* The path of a job's slice below a root; makes its folder where that is not there. IO, also where
 * it, or `.slices`, is a link to a folder; BAD_ARGUMENT. */
einspul_status slices_path(const struct slices *slices, const char *root, const struct job *job,
                           char path[PATHS_SIZE], einspul_error *error);
einspul_status slices_make_folder(const struct slices *slices, einspul_error *error);

/* Enters where the records of levels first..last stand, from the slices of all roots. Files of
 * another version, or made from other tables, are passed over. NO_TABLE where a part of a level
 * is missing; CORRUPT, TRUNCATED of damaged files; IO, NO_MEMORY. */
einspul_status slices_attach(const struct slices *slices, struct solved *solved, int first,
                             int last, einspul_error *error);

/* Whether a job's slice is there, in one of the roots, and whole. IO, NO_MEMORY; BAD_ARGUMENT: the
 * material has no such levels. */
einspul_status slices_have(const struct slices *slices, const struct job *job, bool *have,
                           einspul_error *error);

/* Whether all records of a job's part of a material are there. */
bool slices_are_whole(const struct solved *solved, const struct job *job);

/* Removes the material's slices, and what stopped jobs left, from the root. */
void slices_remove(const struct slices *slices);

#endif
