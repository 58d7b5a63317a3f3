#include "prove/strategy.h"

#include "prove/hold.h"
#include "prove/win.h"

/* Builds the strategy; a failure leaves it given up. */
static void build(struct strategy *strategy, const struct state *state)
{
    struct searcher *searcher = strategy->searcher;
    const bool wins = strategy->proof->claim == PROOF_WINS;
    player_clear(strategy);
    search_begin(searcher, searcher->attacker, searcher->prover->root_numbers[searcher->attacker],
                 wins ? NULL : strategy->proof);
    if (wins)
        win_build(strategy, state);
    else
        hold_build(strategy, state);
    strategy->given_up = strategy->given_up || strategy_is_over(strategy);
    searcher->held = NULL;
}

/* Clears the transposition table, enlarges it to its bound, searches again and retries: recomputed
 * entries did not fit the old ones. */
static void rebuild(struct strategy *strategy, const struct state *state)
{
    struct searcher *searcher = strategy->searcher;
    memory_clear(&searcher->prover->memory);
    memory_reserve(&searcher->prover->memory, UINT64_MAX / 4); /* all of it */
    searcher->prover->root_numbers[searcher->attacker] = ++searcher->prover->n_roots;
    search_begin(searcher, searcher->attacker, searcher->prover->n_roots, NULL);
    searcher->pause_at = UINT64_MAX;
    search_root(searcher, state);
    strategy->given_up = false;
    build(strategy, state);
}

bool strategy_extract(struct prover *prover, const struct state *state, enum side attacker,
                      bool wins, struct proof *proof)
{
    struct strategy strategy = {.searcher = prover->searchers[0], .proof = proof};
    search_limit(prover, &prover->limits, prover->partial, prover->error);
    prover->proving = true;
    strategy.searcher->attacker = attacker;
    *proof = (struct proof){
        .player = wins ? attacker : side_other(attacker),
        .claim = wins ? PROOF_WINS : PROOF_HOLDS,
    };
    build(&strategy, state);
    if (!search_is_over(prover) && strategy.given_up)
        rebuild(&strategy, state);
    return prover->status == EINSPUL_OK && !strategy.given_up;
}
