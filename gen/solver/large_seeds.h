/* Seeds of large frames. */
#ifndef EINSPUL_GEN_SOLVER_LARGE_SEEDS_H
#define EINSPUL_GEN_SOLVER_LARGE_SEEDS_H

#include "gen/solver/word_state.h"

/* The number of blocks of a side's seeds. */
uint64_t seed_blocks(const struct word_side *side);

/* Finds the values in each block. */
void seed_blocks_start(struct solver *solver, int to_move);

/* Applies all seeds of a value. */
void seed_blocks_apply(struct solver *solver, int to_move, value_t value);

#endif
