/* From a material's frames to a solved material in memory. */
#ifndef EINSPUL_GEN_MATERIAL_SOLVE_H
#define EINSPUL_GEN_MATERIAL_SOLVE_H

#include "gen/solve.h"
#include "table/table_read.h"

struct material_job {
    struct store *store;      /* holds the successors; gets the material once it is solved */
    struct material material; /* canonical */
    enum metric metric;       /* of the values to compute */
    const struct solver_type *solver;
    int n_threads;
    void (*progress)(uint64_t n_states, void *context); /* states just done; or NULL. Called by one
                                                           thread at a time */
    void (*resumed)(uint64_t n_states, void *context);  /* states a checkpoint held; or NULL */
    void *context;
    const char *checkpoint;    /* path of a file to go on from and to keep; or NULL. Left there */
    double checkpoint_seconds; /* that pass at least between two; 0: after every level; negative: no
                                  file is read or written */
};

/* Solves all frames, level by level. On success the material is in the store, which the caller
 * still owns. Errors of frame_seed and of the solver. The result does not depend on n_threads, nor
 * on a checkpoint; one that cannot be written is left out. */
enum status material_solve(const struct material_job *job, struct error *error);

/* Reads the material back from a table of the job's metric instead; captures, which no table holds,
 * are seeded. File errors as table_decode_block; NO_TABLE when the table leaves values out. */
enum status material_load(const struct material_job *job, const struct table *table,
                          struct error *error);

/* Bytes of memory a solve takes beside the solved material itself. */
uint64_t material_work_bytes(const struct shape *shape, enum metric metric,
                             const struct solver_type *solver, int n_threads);

#endif
