/* What simple king moves decide at one ply. */
#ifndef EINSPUL_GEN_SOLVER_WAVES_H
#define EINSPUL_GEN_SOLVER_WAVES_H

#include "gen/solver/word_state.h"

/* Decides all open states of a side that are won, or lost, in the plies of `value`; without
 * distances, any number of plies. */
void wave_run(struct solver *solver, int to_move, value_t value);

#endif
