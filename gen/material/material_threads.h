/* Threads and memory for the frames of a material. */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_THREADS_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_THREADS_H

#include "gen/solver/solver.h"

/* The inputs of both functions. */
struct frame_params {
    const struct shape *shape;
    einspul_metric metric;
    const struct solver_ops *solver;
    bool loading; /* from a table: nothing is solved */
};

/* Frames in progress at once, and threads in each of them: as many frames as fit `n_bytes` (0: any
 * number), no more than `n_threads`, one at least. */
void material_threads(const struct frame_params *work, int n_threads, uint64_t n_bytes,
                      int *n_workers, int *n_threads_per_frame);

/* The memory that frames in progress need, in addition to the chunks. */
uint64_t material_work_bytes(const struct frame_params *work, int n_workers,
                             int n_threads_per_frame);

#endif
