/* Making a solved material: solving its frames, or reading them back from its table. */
#ifndef EINSPUL_GEN_MATERIAL_JOB_H
#define EINSPUL_GEN_MATERIAL_JOB_H

#include "gen/solve.h"
#include "gen/tally.h"
#include "table/table_read.h"

struct material_job {
    struct store *store;      /* holds the successors; gets the material once it is solved */
    struct material material; /* canonical */
    enum metric metric;       /* of the values to compute */
    const struct solver_type *solver;
    int n_threads;
    uint64_t work_bytes; /* of memory for frames in work; 0: as much as n_threads of them take */
    struct tally *tally; /* of what is solved; or NULL */
    void (*progress)(uint64_t n_states, void *context); /* states just done; or NULL. Called by one
                                                           thread at a time */
    void (*resumed)(uint64_t n_states, void *context);  /* states the file held; or NULL */
    void *context;
    const char *path;     /* of a file of chunks to go on from and to keep; or NULL. Left there */
    uint64_t fingerprint; /* of what the material's values are made from: a file of another one is
                             not gone on from */
};

/* Solves all frames, level by level. On success the material is in the store, which the caller
 * still owns. Errors of frame_seed and of the solver; NO_SPACE, IO. The result does not depend on
 * n_threads, nor on a file that was there. */
enum status material_solve(const struct material_job *job, struct error *error);

/* Reads the material back from a table of the job's metric instead; captures, which no table holds,
 * are seeded. File errors as table_decode_block; NO_TABLE when the table leaves values out. */
enum status material_load(const struct material_job *job, const struct table *table,
                          struct error *error);

/* Frames in work at once, and threads in each of them: as many frames as `work_bytes` take.
 * `loading`: from a table. */
void material_threads(const struct shape *shape, enum metric metric,
                      const struct solver_type *solver, bool loading, int n_threads,
                      uint64_t work_bytes, int *n_workers, int *n_inside);

/* Bytes of memory a solve takes beside the chunks, with so many frames in work. */
uint64_t material_work_bytes(const struct shape *shape, enum metric metric,
                             const struct solver_type *solver, bool loading, int n_workers,
                             int n_inside);

#endif
