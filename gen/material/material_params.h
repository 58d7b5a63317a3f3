/* The parameters of solving or loading a material. */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_PARAMS_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_PARAMS_H

#include "gen/solver/solver.h"
#include "table/table_read.h"

/* How a material is solved, or loaded. Members after the blank line may be zero. */
struct material_params {
    struct store *store;      /* holds the successors; gets the material */
    struct material material; /* canonical */
    einspul_metric metric;    /* of its values */
    const struct solver_ops *solver;
    int n_threads;

    /* frames in progress, and threads in each (material_threads); 0: as n_threads allow */
    int n_workers, n_threads_per_frame;
    _Atomic int *stop; /* not 0: the work ends with STOPPED, between frames */
    /* Loading. table: to be loaded, of that metric. only_after_promotion: values that no promotion
     * leads to may be left undefined. */
    const struct table *table;
    bool only_after_promotion;
    /* Solving: states just done, or `found` in a part. Called by one thread at a time. */
    void (*progress)(uint64_t n_states, bool found, void *context);
    void *context;
    /* the stem of part files (chunk_file_create_part), which are read and written. The caller
     * removes them */
    const char *parts;
    /* a hash of the tables the values are computed from; part files with another one are ignored */
    uint64_t fingerprint;
};

#endif
