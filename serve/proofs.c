/* A list of proofs, the newest last, under one lock. Each proof was checked when found, so it
 * applies to every position whose replies all lead into it. */
#include "serve/proofs.h"

#include "probe/program_handle.h"
#include "table/table_open.h"

#include <string.h>

enum { MAX_POSITIONS = 2000000 }; /* of all proofs but the newest */

void proofs_init(struct proofs *proofs)
{
    memset(proofs, 0, sizeof *proofs);
    os_mutex_init(&proofs->lock);
}

static void forget_oldest(struct proofs *proofs)
{
    proof_set_free(&proofs->kept[0].proofs);
    proofs->n--;
    memmove(proofs->kept, proofs->kept + 1, (size_t)proofs->n * sizeof proofs->kept[0]);
}

void proofs_free(struct proofs *proofs)
{
    while (proofs->n > 0)
        forget_oldest(proofs);
    prover_free(proofs->suspended);
    os_mutex_destroy(&proofs->lock);
}

void proofs_keep(struct proofs *proofs, einspul *handle, struct proof_set *set)
{
    uint64_t n_positions = proof_set_positions(set);
    os_mutex_lock(&proofs->lock);
    for (int i = 0; i < proofs->n; i++)
        n_positions += proof_set_positions(&proofs->kept[i].proofs);
    while (proofs->n > 0 && (proofs->n == MAX_PROOFS || n_positions > MAX_POSITIONS)) {
        n_positions -= proof_set_positions(&proofs->kept[0].proofs);
        forget_oldest(proofs);
    }
    proofs->kept[proofs->n++] = (struct kept_proofs){probe_rules(handle)->id, *set};
    *set = (struct proof_set){.n_proofs = 0};
    os_mutex_unlock(&proofs->lock);
}

/* --- look-ups --------------------------------------------------------------------------------- */

einspul_status proofs_ask(struct proofs *proofs, einspul *handle, const struct state *state,
                          struct book_answer *known, einspul_error *error)
{
    einspul_position position;
    einspul_outcome outcome = EINSPUL_UNKNOWN;
    const enum rules_id rules = probe_rules(handle)->id;
    probe_position_from_state(state, &position);
    einspul_status status = einspul_probe(handle, &position, 0, &outcome, NULL, error);
    *known = (struct book_answer){.has_move = false};
    if (status == EINSPUL_OK)
        known->known = known_of_outcome(outcome, state->at.side);
    if (!status_is_missing(status)) /* known, or an error */
        return status;
    status = EINSPUL_OK;
    os_mutex_lock(&proofs->lock);
    for (int i = proofs->n - 1; i >= 0 && status == EINSPUL_OK; i--)
        if (proofs->kept[i].rules == rules)
            status = book_ask(&proofs->kept[i].proofs, 1, handle, state, known, error);
    os_mutex_unlock(&proofs->lock);
    return status;
}

/* --- the search that runs --------------------------------------------------------------------- */

void proofs_note(struct proofs *proofs, einspul *handle, const struct state *state,
                 const struct prove_result *partial)
{
    os_mutex_lock(&proofs->lock);
    proofs->running = partial != NULL ? probe_rules(handle)->id : 0;
    proofs->state = *state;
    if (partial != NULL)
        proofs->partial = *partial;
    os_mutex_unlock(&proofs->lock);
}

bool proofs_running(struct proofs *proofs, einspul *handle, const struct state *state,
                    struct prove_result *partial)
{
    os_mutex_lock(&proofs->lock);
    const bool runs =
        proofs->running == probe_rules(handle)->id && state_equal(&proofs->state, state);
    if (runs)
        *partial = proofs->partial;
    os_mutex_unlock(&proofs->lock);
    return runs;
}

struct prover *proofs_resume(struct proofs *proofs, einspul *handle, const struct state *state)
{
    os_mutex_lock(&proofs->lock);
    struct prover *prover = proofs->suspended;
    const bool same = prover != NULL && proofs->suspended_rules == probe_rules(handle)->id &&
                      state_equal(&proofs->suspended_state, state);
    proofs->suspended = NULL;
    os_mutex_unlock(&proofs->lock);
    if (same)
        return prover;
    prover_free(prover);
    return NULL;
}

void proofs_drop_suspended(struct proofs *proofs)
{
    os_mutex_lock(&proofs->lock);
    prover_free(proofs->suspended);
    proofs->suspended = NULL;
    os_mutex_unlock(&proofs->lock);
}

void proofs_suspend(struct proofs *proofs, einspul *handle, const struct state *state,
                    struct prover *prover)
{
    os_mutex_lock(&proofs->lock);
    struct prover *earlier = proofs->suspended;
    proofs->suspended = prover;
    proofs->suspended_rules = probe_rules(handle)->id;
    proofs->suspended_state = *state;
    os_mutex_unlock(&proofs->lock);
    prover_free(earlier);
}
