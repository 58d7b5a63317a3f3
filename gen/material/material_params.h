/* How a material is solved, or loaded. */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_PARAMS_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_PARAMS_H

#include "gen/solver/solve.h"

struct material_params {
    struct store *store;      /* holds the successors; gets the material */
    struct material material; /* canonical */
    einspul_metric metric;    /* of its values */
    const struct solver_type *solver;
    int n_threads;
    uint64_t work_bytes; /* of memory for frames in work; 0: as much as n_threads of them take */
    _Atomic int *stop;   /* not 0: the work ends with STOPPED, between frames; or NULL */
};

#endif
