/* Extracts the strategy for an answer from the transposition table; replaced entries are searched
 * again. */
#ifndef EINSPUL_PROVE_STRATEGY_H
#define EINSPUL_PROVE_STRATEGY_H

#include "prove/search.h"

/* Resets the limits and extracts the strategy for a decided question: how `attacker` wins, or how his
 * opponent prevents it. Table positions are leaves and are not included. False on failure, or if a
 * forgotten part could not be found again within the limits. Free the proof in either case. */
bool strategy_extract(struct prover *prover, const struct state *state, enum side attacker,
                      bool wins, struct proof *proof);

#endif
