/* Alternates between the two questions of a position ("can White win?", "can Black win?"), because a
 * loss is often easier to prove as the opponent's win than as one's own non-win. The budget of a turn
 * grows by half, and a turn reuses the results of earlier ones. */
#include "prove/prove.h"

#include "probe/handle_facts.h"
#include "prove/search.h"
#include "prove/strategy.h"

#include <stdio.h>
#include <stdlib.h>

enum { FIRST_TURN = 20000 };

einspul_status prover_create(einspul *handle, size_t n_bytes, struct prover **prover,
                             einspul_error *error)
{
    const einspul_status status = proof_check_tables(handle, error);
    *prover = NULL;
    if (status != EINSPUL_OK)
        return status;
    struct prover *created = calloc(1, sizeof *created);
    if (created == NULL || !memory_init(&created->memory, n_bytes)) {
        free(created);
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for the search");
    }
    created->handle = handle;
    created->rules = probe_rules(handle);
    created->n_pieces = einspul_complete(handle, EINSPUL_WDL);
    *prover = created;
    return EINSPUL_OK;
}

void prover_free(struct prover *prover)
{
    if (prover == NULL)
        return;
    free(prover->memory.entries);
    free(prover->steps.steps);
    free(prover->branches);
    free(prover);
}

/* --- the search ------------------------------------------------------------------------------- */

/* Searches one question for another `n_positions`. */
static void take_turn(struct prover *prover, const struct state *state, enum side attacker,
                      uint64_t n_positions, struct known_wins *known)
{
    search_begin(prover, attacker, NULL);
    prover->pause_at = prover->n_positions + n_positions;
    const struct value value = search_root(prover, state);
    if (prover->status != EINSPUL_OK || value.answer == ANSWER_OPEN)
        return;
    known->decided[attacker] = true;
    known->wins[attacker] = value.answer == ANSWER_PROVED;
    if (value.answer == ANSWER_PROVED) {
        known->decided[side_other(attacker)] = true;
        known->wins[side_other(attacker)] = false;
    }
}

static void decide(struct prover *prover, const struct state *state, struct prove_result *result)
{
    struct known_wins *known = &result->known;
    enum side attacker = state->at.side;
    for (uint64_t n = FIRST_TURN;
         !search_is_over(prover) && !(known->decided[WHITE] && known->decided[BLACK]); n += n / 2) {
        if (!known->decided[attacker])
            take_turn(prover, state, attacker, n, known);
        attacker = side_other(attacker);
    }
    search_report(prover);
}

/* --- the proofs ------------------------------------------------------------------------------- */

/* Extracts and checks the proof of one answer; false if the whole call must end. */
static bool prove(struct prover *prover, const struct state *state, enum side attacker, bool wins,
                  struct prove_result *result)
{
    struct proof *proof = &result->proofs.proofs[result->proofs.n_proofs++];
    struct proof_fault fault = {0};
    if (!strategy_extract(prover, state, attacker, wins, proof))
        fault.what =
            prover->status == EINSPUL_OK ? "a part of the proof was not found again in time" : "";
    else
        prover->status = proof_check(prover->handle, proof, state, &fault, prover->error);
    if (fault.what != NULL)
        snprintf(result->rejection, sizeof result->rejection, "%s", fault.what);
    return prover->status == EINSPUL_OK && fault.what == NULL;
}

static void prove_all(struct prover *prover, const struct state *state, struct prove_result *result)
{
    const struct known_wins *known = &result->known;
    for (int side = WHITE; side <= BLACK; side++)
        if (known->decided[side] && known->wins[side]) {
            prove(prover, state, (enum side)side, true, result);
            return;
        }
    for (int side = WHITE; side <= BLACK; side++)
        if (known->decided[side] && !prove(prover, state, (enum side)side, false, result))
            return;
}

einspul_status prove_position(struct prover *prover, const struct state *state,
                              const struct prove_limits *limits, struct prove_result *result,
                              einspul_error *error)
{
    *result = (struct prove_result){.proofs.root = *state};
    search_limit(prover, limits, result, error);
    decide(prover, state, result);
    if (prover->status == EINSPUL_OK)
        prove_all(prover, state, result);
    return prover->status;
}

einspul_status prove_outcome(struct prover *prover, const struct state *state, double seconds,
                             struct known_wins *known, einspul_error *error)
{
    const struct prove_limits limits = {.seconds = seconds, .proof_seconds = seconds};
    struct prove_result result;
    const einspul_status status = prove_position(prover, state, &limits, &result, error);
    *known =
        status == EINSPUL_OK && result.rejection[0] == '\0' ? result.known : (struct known_wins){0};
    proof_set_free(&result.proofs);
    return status;
}
