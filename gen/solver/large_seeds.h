/* Seeds with distances. */
#ifndef EINSPUL_GEN_SOLVER_DISTANCE_SEEDS_H
#define EINSPUL_GEN_SOLVER_DISTANCE_SEEDS_H

#include "gen/solver/word_state.h"

/* Makes the seeds of one side into events, sorted by ply; applies those of one ply. */
void events_create(struct solver *solver, int to_move);
void events_apply(struct solver *solver, int to_move, int ply);

/* For large frames: the number of blocks of a side's seeds. */
uint64_t seed_blocks(const struct word_side *side);

/* Finds the values in each block. */
void seed_blocks_start(struct solver *solver, int to_move);

/* Applies all seeds of a value. */
void seed_blocks_apply(struct solver *solver, int to_move, value_t value);

#endif
