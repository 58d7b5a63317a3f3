/* The stages of making a material, each timed for itself on frames of a material that is solved. */
#ifndef EINSPUL_BENCH_STAGES_H
#define EINSPUL_BENCH_STAGES_H

#include "gen/solver/solve.h"
#include "gen/values/levels.h"

enum stage { STAGE_SEEDS, STAGE_WAVES, STAGE_HANDOVER, STAGE_PATTERNS, N_STAGES };

struct stage_times {
    uint64_t n_states;        /* of the frames that were timed, both sides to move */
    uint64_t n_states_in_all; /* of all frames that are solved */
    double seconds[N_STAGES]; /* this thread's time on a processor */
};

/* Seeds, solves and numbers the patterns of frames of a material on one thread. `store` holds what
 * the material leads to and, if it has men, the material itself: a frame that is solved again gets
 * the seeds it had. About `n_frames` frames (0: all), spread evenly over the levels, but no fewer
 * than make up some ten thousand placements. Patterns are numbered as material_solve does, in a
 * dictionary a task. Errors of the solver. */
einspul_status stages_time(const struct store *store, const struct material *material,
                           einspul_metric metric, const struct solver_type *solver,
                           uint64_t n_frames, struct stage_times *times, einspul_error *error);

#endif
