/* Alternates between the two questions of a position ("can White win?", "can Black win?"), because a
 * loss is often easier to prove as the opponent's win than as one's own non-win. The budget of a turn
 * grows by half, and a turn reuses the results of earlier ones. */
#include "prove/prove.h"

#include "probe/program_handle.h"
#include "prove/search.h"
#include "prove/strategy.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    FIRST_TURN = 20000,
    POSITIONS_PER_ENTRY = 6 /* at least about so many are looked up for each entry */
};

einspul_status prover_create(einspul *handle, size_t n_bytes, int n_threads, struct prover **prover,
                             einspul_error *error)
{
    const einspul_status status = proof_check_tables(handle, error);
    *prover = NULL;
    if (status != EINSPUL_OK)
        return status;
    struct prover *created = calloc(1, sizeof *created);
    if (created == NULL || !memory_init(&created->memory, n_bytes) ||
        !search_create(created, n_threads)) {
        prover_free(created);
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for the search");
    }
    created->handle = handle;
    created->rules = probe_rules(handle);
    created->memory.n_threads = n_threads;
    created->n_pieces = einspul_complete(handle, EINSPUL_WDL);
    *prover = created;
    return EINSPUL_OK;
}

void prover_free(struct prover *prover)
{
    if (prover == NULL)
        return;
    memory_free(&prover->memory);
    search_free(prover);
    free(prover);
}

/* --- the search ------------------------------------------------------------------------------- */

/* Enters an answer, or the numbers of an open question. */
static void note_value(struct prove_result *result, enum side attacker, const struct value *value)
{
    struct known_wins *found = &result->found;
    if (value->answer == ANSWER_OPEN) {
        result->numbers[attacker][0] = value->phi;
        result->numbers[attacker][1] = value->delta;
        return;
    }
    found->decided[attacker] = true;
    found->wins[attacker] = value->answer == ANSWER_PROVED;
    if (value->answer == ANSWER_PROVED) {
        found->decided[side_other(attacker)] = true;
        found->wins[side_other(attacker)] = false;
    }
}

/* Searches one question for another `n_positions`, with all searchers. */
static void take_turn(struct prover *prover, const struct state *state, enum side attacker,
                      uint64_t n_positions, struct prove_result *result)
{
    const uint64_t root_number = ++prover->n_roots;
    prover->root_numbers[attacker] = root_number;
    atomic_store(&prover->is_decided, false);
    memory_reserve(&prover->memory, n_positions / POSITIONS_PER_ENTRY);
#pragma omp parallel for schedule(static, 1) num_threads(prover->n_searchers)
    for (int i = 0; i < prover->n_searchers; i++) {
        struct searcher *searcher = prover->searchers[i];
        search_begin(searcher, attacker, root_number, NULL);
        searcher->pause_at = searcher->n_positions + n_positions / (uint64_t)prover->n_searchers;
        searcher->value = search_root(searcher, state);
        if (searcher->value.answer != ANSWER_OPEN)
            atomic_store(&prover->is_decided, true);
    }
    struct value value = prover->searchers[0]->value;
    for (int i = 1; i < prover->n_searchers && value.answer == ANSWER_OPEN; i++)
        value = prover->searchers[i]->value;
    if (!atomic_load(&prover->has_failed))
        note_value(result, attacker, &value);
}

static void decide(struct prover *prover, const struct state *state, struct prove_result *result)
{
    const struct known_wins *found = &result->found;
    enum side attacker = state->at.side;
    for (uint64_t n = FIRST_TURN;
         !search_is_over(prover) && !(found->decided[WHITE] && found->decided[BLACK]); n += n / 2) {
        if (!found->decided[attacker])
            take_turn(prover, state, attacker, n, result);
        attacker = side_other(attacker);
    }
    search_report(prover->searchers[0]);
}

/* --- the proofs ------------------------------------------------------------------------------- */

/* Extracts the proof of an answer and adds it if the checker accepts it. */
static void certify(struct prover *prover, const struct state *state, enum side attacker, bool wins,
                    struct prove_result *result)
{
    struct proof *proof = &result->proofs.proofs[result->proofs.n_proofs];
    struct proof_fault fault = {0};
    if (!strategy_extract(prover, state, attacker, wins, proof))
        fault.what = "a part of the proof was not found again in time";
    else
        prover->status = proof_check(prover->handle, proof, state, &fault, prover->error);
    if (prover->status == EINSPUL_OK && fault.what == NULL) {
        result->proofs.n_proofs++;
        proof_claim_add(proof, &result->known);
        return;
    }
    proof_free(proof);
    if (fault.what != NULL)
        snprintf(result->rejection, sizeof result->rejection, "%s", fault.what);
}

static void certify_all(struct prover *prover, const struct state *state,
                        struct prove_result *result)
{
    const struct known_wins *found = &result->found;
    for (int side = WHITE; side <= BLACK; side++)
        if (found->decided[side] && found->wins[side]) {
            certify(prover, state, (enum side)side, true, result);
            return;
        }
    for (int side = WHITE; side <= BLACK; side++)
        if (found->decided[side] && prover->status == EINSPUL_OK)
            certify(prover, state, (enum side)side, false, result);
}

einspul_status prove_position(struct prover *prover, const struct state *state,
                              const struct prove_limits *limits, struct prove_result *result,
                              einspul_error *error)
{
    *result = (struct prove_result){.proofs.root = *state};
    search_limit(prover, limits, result, error);
    decide(prover, state, result);
    if (prover->status == EINSPUL_OK)
        certify_all(prover, state, result);
    return prover->status;
}

einspul_status prove_outcome(struct prover *prover, const struct state *state, double seconds,
                             struct known_wins *known, einspul_error *error)
{
    const struct prove_limits limits = {.seconds = seconds, .proof_seconds = seconds};
    struct prove_result result;
    const einspul_status status = prove_position(prover, state, &limits, &result, error);
    *known = status == EINSPUL_OK ? result.known : (struct known_wins){0};
    proof_set_free(&result.proofs);
    return status;
}
