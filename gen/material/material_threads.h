/* Threads and memory for the frames of a material. */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_THREADS_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_THREADS_H

#include "gen/solver/solve.h"

/* What it depends on. */
struct frame_work {
    const struct shape *shape;
    einspul_metric metric;
    const struct solver_type *solver;
    bool loading; /* from a table: nothing is solved */
};

/* Frames in work at once, and threads in each of them: as many frames as fit `n_bytes` (0: any
 * number), no more than `n_threads`, one at least. */
void material_threads(const struct frame_work *work, int n_threads, uint64_t n_bytes,
                      int *n_workers, int *n_inside);

/* Bytes of memory that so many frames in work take, beside the chunks. */
uint64_t material_work_bytes(const struct frame_work *work, int n_workers, int n_inside);

#endif
