/* A strategy that is being extracted, as a proof that grows. */
#ifndef EINSPUL_PROVE_PLAYER_H
#define EINSPUL_PROVE_PLAYER_H

#include "prove/search.h"

struct strategy {
    struct searcher *searcher;
    struct proof *proof; /* its moves are those of proof->player */
    bool given_up;       /* a part was not found */
};

/* True at the end of the extraction: given up, stopped or failed. */
static inline bool strategy_is_over(const struct strategy *strategy)
{
    return strategy->given_up || search_is_over(strategy->searcher->prover);
}

/* Empties the proof. */
void player_clear(struct strategy *strategy);

/* Adds a position; `*is_new` is false if the proof has it already. Checks the limits now and then. */
uint32_t player_add(struct strategy *strategy, const struct state *state, bool *is_new);

/* Lists the legal moves of a state; free the list also after a failure. */
void player_list(struct strategy *strategy, const struct state *state, struct step_list *list);

#endif
