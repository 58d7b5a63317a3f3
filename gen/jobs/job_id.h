/* A job: one piece of the work of making tables, small enough for one process on one machine, and
 * its name, by which a scheduler asks for it.
 *
 *   KvK+KKvK+MvK        a bundle: the tables of these materials
 *   KKMvKKM.l3.p2of8    a slice: part 2 of 8 of the frames of level 3 (gen/values/levels.h)
 *   KKMvKKM.l3          a slice: level 3
 *   KKMvKKM.l0-3        a slice: levels 0 to 3
 *   KKMvKKM.table       the tables of a material, from its slices
 *
 * The name is a word of letters, digits, '+', '-' and '.': a target of make, a word of a shell and
 * the name of a file. Rule set and metric are not in it. */
#ifndef EINSPUL_GEN_JOBS_JOB_ID_H
#define EINSPUL_GEN_JOBS_JOB_ID_H

#include "core/material.h"
#include "core/status.h"

#include <stdbool.h>

enum job_kind { JOB_WHOLE, JOB_SLICE, JOB_TABLE };

enum {
    JOB_MATERIALS = 16,                   /* of a bundle, at most */
    JOB_MOST_PARTS = 9999,                /* of a level */
    JOB_MOST_LEVELS = 9 * MAX_PIECES + 1, /* as levels.h has */
    JOB_ID_SIZE = 200                     /* bytes of a name, end byte included */
};

/* A job of no meaning is zero where its kind does not use a field, so that memcmp compares two. */
struct job {
    enum job_kind kind;
    int n_materials;                          /* 1, but for a bundle */
    struct material materials[JOB_MATERIALS]; /* canonical, in the order of material_list */
    int first_level, last_level;              /* of a slice */
    int part,
        n_parts; /* of a slice: part 1..n_parts; n_parts is 1 where there are several levels */
};

/* Whether a material is one of the job's. */
bool job_has(const struct job *job, const struct material *material);

/* The level of the same material whose slices, all of them, must be there for a slice: that
 * below its first, since a man that moves has one step less to go. -1: none. A JOB_TABLE needs
 * the slices of all levels; for it too this is -1. */
static inline int job_level_needed(const struct job *job)
{
    return job->kind == JOB_SLICE ? job->first_level - 1 : -1;
}

/* The name, as a value. */
struct job_name {
    char text[JOB_ID_SIZE];
};
struct job_name job_name(const struct job *job);

/* Reads a name. What job_name would not write is not taken: materials that are not canonical or
 * out of order, leading zeros. BAD_ARGUMENT. */
einspul_status job_read(const char *id, struct job *job, einspul_error *error);

#endif
