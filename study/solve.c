/* The two questions of a position, asked in turns: a loss is proved by a yes for the opponent, which
 * may be easy where the no for the side to move is hard. A turn of either takes twice as many
 * positions as the one before; what it found is remembered. */
#include "study/solve.h"

#include "probe/handle_facts.h"
#include "study/solve_search.h"

#include <stdio.h>
#include <stdlib.h>

enum { FIRST_TURN = 20000 };

einspul_status prover_create(einspul *handle, size_t n_bytes, struct prover **prover,
                             einspul_error *error)
{
    const einspul_status status = proof_tables(handle, error);
    *prover = NULL;
    if (status != EINSPUL_OK)
        return status;
    struct prover *made = calloc(1, sizeof *made);
    if (made == NULL || !memory_init(&made->memory, n_bytes)) {
        free(made);
        return error_set(error, EINSPUL_NO_MEMORY, "no memory for what a search remembers");
    }
    made->handle = handle;
    made->rules = probe_rules(handle);
    made->n_pieces = einspul_complete(handle, EINSPUL_WDL);
    *prover = made;
    return EINSPUL_OK;
}

void prover_free(struct prover *prover)
{
    if (prover == NULL)
        return;
    free(prover->memory.places);
    free(prover->steps.steps);
    free(prover->branches);
    free(prover);
}

/* --- the search ------------------------------------------------------------------------------- */

/* Takes one more turn with a question. */
static void take_turn(struct prover *prover, const struct state *state, enum side attacker,
                      uint64_t n_positions, struct known_wins *known)
{
    search_begin(prover, attacker, NULL);
    prover->pause_at = prover->n_positions + n_positions;
    const struct value value = search_root(prover, state);
    if (prover->status != EINSPUL_OK || value.answer == ANSWER_OPEN)
        return;
    known->decided[attacker] = true;
    known->wins[attacker] = value.answer == ANSWER_YES;
    if (value.answer == ANSWER_YES) {
        known->decided[side_other(attacker)] = true;
        known->wins[side_other(attacker)] = false;
    }
}

static void decide(struct prover *prover, const struct state *state, struct solved_position *solved)
{
    struct known_wins *known = &solved->known;
    enum side attacker = state->at.side;
    for (uint64_t n = FIRST_TURN;
         !search_is_over(prover) && !(known->decided[WHITE] && known->decided[BLACK]); n += n / 2) {
        if (!known->decided[attacker])
            take_turn(prover, state, attacker, n, known);
        attacker = side_other(attacker);
    }
    search_tell(prover);
}

/* --- the proofs ------------------------------------------------------------------------------- */

/* Adds the proof of one answer, and checks it; false if that ends it. */
static bool prove(struct prover *prover, const struct state *state, enum side attacker, bool wins,
                  struct solved_position *solved)
{
    struct proof *proof = &solved->proofs.proofs[solved->proofs.n_proofs++];
    struct proof_fault fault = {0};
    if (!search_strategy(prover, state, attacker, wins, proof))
        fault.what = prover->status == EINSPUL_OK ? "a part of the proof was not found again" : "";
    else
        prover->status = proof_check(prover->handle, proof, state, &fault, prover->error);
    if (fault.what != NULL)
        snprintf(solved->doubt, sizeof solved->doubt, "%s", fault.what);
    return prover->status == EINSPUL_OK && fault.what == NULL;
}

static void prove_all(struct prover *prover, const struct state *state,
                      struct solved_position *solved)
{
    const struct known_wins *known = &solved->known;
    for (int side = WHITE; side <= BLACK; side++)
        if (known->decided[side] && known->wins[side]) {
            prove(prover, state, (enum side)side, true, solved);
            return;
        }
    for (int side = WHITE; side <= BLACK; side++)
        if (known->decided[side] && !prove(prover, state, (enum side)side, false, solved))
            return;
}

einspul_status solve_position(struct prover *prover, const struct state *state,
                              const struct solve_limits *limits, struct solved_position *solved,
                              einspul_error *error)
{
    *solved = (struct solved_position){.proofs.root = *state};
    search_limit(prover, limits, solved, error);
    decide(prover, state, solved);
    if (prover->status == EINSPUL_OK)
        prove_all(prover, state, solved);
    return prover->status;
}

einspul_status solve_certain(struct prover *prover, const struct state *state, double seconds,
                             struct known_wins *known, einspul_error *error)
{
    const struct solve_limits limits = {.seconds = seconds, .proof_seconds = seconds};
    struct solved_position solved;
    const einspul_status status = solve_position(prover, state, &limits, &solved, error);
    *known =
        status == EINSPUL_OK && solved.doubt[0] == '\0' ? solved.known : (struct known_wins){0};
    proof_set_free(&solved.proofs);
    return status;
}
