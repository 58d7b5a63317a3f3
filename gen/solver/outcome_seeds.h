/* Seeds without distances. */
#ifndef EINSPUL_GEN_SOLVER_OUTCOME_SEEDS_H
#define EINSPUL_GEN_SOLVER_OUTCOME_SEEDS_H

#include "gen/solver/word_state.h"

/* Applies all seeds of both sides at once: without distances they need no order.
 * outcome_seeds_scratch is the number of words it needs in scratch->buffer. */
void outcome_seeds_apply(struct solver *solver);
size_t outcome_seeds_scratch(const struct word_side *side);

#endif
