/* The strategy of a hold: a closed set of positions, cycles allowed. Each position has a move after
 * which every reply is in the set or answered by tables. */
#ifndef EINSPUL_PROVE_HOLD_H
#define EINSPUL_PROVE_HOLD_H

#include "prove/player.h"

/* Builds it from a state and stores that all of it holds; a failure leaves the strategy given up. The
 * searcher's path must begin with the root number of the search that disproved the goal. */
void hold_build(struct strategy *strategy, const struct state *state);

#endif
