#include "prove/player.h"

void player_clear(struct strategy *strategy)
{
    struct proof *proof = strategy->proof;
    einspul_error error;
    proof_free(proof);
    if (proof_init(proof, proof->player, proof->claim, &error) != EINSPUL_OK)
        search_no_memory(strategy->searcher->prover);
}

uint32_t player_add(struct strategy *strategy, const struct state *state, bool *is_new)
{
    struct searcher *searcher = strategy->searcher;
    const uint32_t n = strategy->proof->positions.n;
    uint32_t number = 0;
    if (++searcher->n_positions >= searcher->check_at)
        search_report(searcher);
    if (proof_add_position(strategy->proof, state, &number) != EINSPUL_OK)
        search_no_memory(searcher->prover);
    *is_new = number == n;
    return number;
}

void player_list(struct strategy *strategy, const struct state *state, struct step_list *list)
{
    struct prover *prover = strategy->searcher->prover;
    if (steps_list(prover->rules, state, list) != EINSPUL_OK)
        search_no_memory(prover);
}
