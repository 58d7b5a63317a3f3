/* Seeds with distances, except in large frames (large_seeds.h). */
#ifndef EINSPUL_GEN_SOLVER_SEED_EVENTS_H
#define EINSPUL_GEN_SOLVER_SEED_EVENTS_H

#include "gen/solver/word_state.h"

/* Makes the seeds of one side into events, sorted by ply; applies those of one ply. */
void seed_events_allocate(struct word_side *side, struct allocation *allocation);
void seed_events_create(struct solver *solver, int to_move);
void seed_events_apply(struct solver *solver, int to_move, int ply);

#endif
