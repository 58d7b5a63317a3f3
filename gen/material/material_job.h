/* Making a solved material: solving its frames, or reading them back from its table. */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_JOB_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_JOB_H

#include "gen/material/tally.h"
#include "gen/solver/solve.h"
#include "table/table_read.h"

/* A part of a material: levels first..last, or part 1..n_parts of the tasks of one (levels.h). */
struct material_slice {
    int first_level, last_level;
    int part, n_parts;
    void *context;
    /* Before anything is solved: enters where records of the level below the first stand. */
    enum status (*attach)(void *context, struct solved *solved, struct error *error);
    /* Once all is solved, and stands in the material's own file. */
    enum status (*finish)(void *context, struct solved *solved, struct error *error);
};

struct material_job {
    struct store *store;      /* holds the successors; gets the material once it is solved */
    struct material material; /* canonical */
    enum metric metric;       /* of the values to compute */
    const struct solver_type *solver;
    int byte_plies; /* the longest distance that values of one byte are used for; 0: as many as they
                       can tell. Less is for tests: what comes out does not depend on it */
    int n_threads;
    uint64_t work_bytes; /* of memory for frames in work; 0: as much as n_threads of them take */
    struct tally *tally; /* of what is solved; or NULL */
    void (*progress)(uint64_t n_states, void *context); /* states just done; or NULL. Called by one
                                                           thread at a time */
    void (*resumed)(uint64_t n_states, void *context);  /* states the file held; or NULL */
    void *context;
    const char *path;     /* of a file of chunks to go on from and to keep; or NULL. Left there */
    bool path_is_shared;  /* others may have the same: it is the stem of chunk_file_adopt */
    uint64_t fingerprint; /* of what the material's values are made from: a file of another one is
                             not gone on from */
    _Atomic int *stop;    /* not 0: the work ends with STOPPED, between frames; or NULL */
    const struct material_slice *slice; /* NULL: all of the material */
    bool after_promotion;  /* loading: what no promotion can lead to is not wanted; it has
                                           any values */
    const uint8_t *wanted; /* bit per frame number, of those to load; NULL: all. Values
                                           of others are not there: who asks for them gets an error */
};

/* Solves all frames, level by level. On success the material is in the store, which the caller
 * still owns. Errors of frame_seed and of the solver; NO_SPACE, IO. The result does not depend on
 * n_threads, nor on a file that was there. */
enum status material_solve(const struct material_job *job, struct error *error);

/* Solves the job's slice and lets go of it: no more than its file is left. Errors as material_solve,
 * and of the slice's functions. */
enum status material_solve_slice(const struct material_job *job, struct error *error);

/* What a file of a material's values begins with: rules, material, metric, form, fingerprint. */
void material_key(const struct rules *rules, const struct solved *solved, uint64_t fingerprint,
                  uint8_t key[CHUNK_FILE_KEY_SIZE]);

/* Reads the material back from a table of the job's metric instead; captures, which no table holds,
 * are seeded. File errors as table_decode_block; NO_TABLE when the table leaves values out. */
enum status material_load(const struct material_job *job, const struct table *table,
                          struct error *error);

struct counters;

/* Counts what material_load would bring in, frame by frame, and keeps none of it. The counters are for
 * as many threads. Errors as material_load. */
enum status material_count(const struct material_job *job, const struct table *table,
                           struct counters *counters, struct error *error);

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
