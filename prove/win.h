/* The strategy of a win: for each position of the winner, the move to the proved successor of lowest
 * rank, then all replies, depth first; ranks strictly decrease along every line. */
#ifndef EINSPUL_PROVE_WIN_H
#define EINSPUL_PROVE_WIN_H

#include "prove/player.h"

/* Builds it from a state; a failure leaves the strategy given up. */
void win_build(struct strategy *strategy, const struct state *state);

#endif
