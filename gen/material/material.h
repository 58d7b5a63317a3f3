/* A material: solved, or read back from its table, counted, and written. */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_H

#include "gen/material/counting.h"
#include "gen/solver/solve.h"
#include "table/table_read.h"
#include "table/write/table_write.h"

/* How a material is solved, or loaded. Members after the blank line may be zero. */
struct material_params {
    struct store *store;      /* holds the successors; gets the material */
    struct material material; /* canonical */
    einspul_metric metric;    /* of its values */
    const struct solver_type *solver;
    int n_threads;

    uint64_t work_bytes; /* of memory for frames in work; 0: as much as n_threads of them take */
    _Atomic int *stop;   /* not 0: the work ends with STOPPED, between frames */
    /* Loading. table: to be loaded, of that metric. after_promotion: values that no promotion leads
     * to may be left undefined. */
    const struct table *table;
    bool after_promotion;
    /* Solving: states just done, or `found` in a part. Called by one thread at a time. */
    void (*progress)(uint64_t n_states, bool found, void *context);
    void *context;
    const char *parts; /* the stem of files of what is solved (chunk_file_part), which are read and
                             written. The caller removes them */
    /* a hash of the tables the values are computed from; part files with another one are ignored */
    uint64_t fingerprint;
};

/* --- material_solve.c ------------------------------------------------------------------------- */

/* Solves all frames, level by level. On success the material is in the store, which the caller
 * still owns. Errors of seeds and solver; NO_SPACE, IO, STOPPED. The result does not depend on
 * n_threads, nor on a file that was there. */
einspul_status material_solve(const struct material_params *params, einspul_error *error);

/* --- material_load.c -------------------------------------------------------------------------- */

/* Reads the material back into the store; captures, which no table holds, are seeded. Before, its
 * values are compared with their hash: CORRUPT. Errors of table_decode_block and of the seeds;
 * NO_TABLE when the table leaves values out; STOPPED. */
einspul_status material_load(const struct material_params *params, einspul_error *error);

/* Counts what material_load would load, frame by frame, without storing it. `counters` must be for
 * params->n_threads threads. Errors as material_load. */
einspul_status material_count(const struct material_params *params, struct counters *counters,
                              einspul_error *error);

/* --- material_write.c ------------------------------------------------------------------------- */

/* Writes a table of a solved material. Errors of table_write and of pages_fetch. */
einspul_status material_write_table(struct table_id id, const struct solved *solved,
                                    const char *path, int zstd_level, int n_threads,
                                    einspul_error *error);

/* The memory that material_write_table needs, in addition to the chunks. */
uint64_t material_write_bytes(const struct shape *shape, int n_threads);

/* --- material_threads.c: threads and memory for the frames of a material ---------------------- */

/* What they depend on. */
struct frame_work {
    const struct shape *shape;
    einspul_metric metric;
    const struct solver_type *solver;
    bool loading; /* from a table: nothing is solved */
};

/* Frames in progress at once, and threads in each of them: as many frames as fit `n_bytes` (0: any
 * number), no more than `n_threads`, one at least. */
void material_threads(const struct frame_work *work, int n_threads, uint64_t n_bytes,
                      int *n_workers, int *n_inside);

/* The memory that frames in progress need, in addition to the chunks. */
uint64_t material_work_bytes(const struct frame_work *work, int n_workers, int n_inside);

#endif
