/* Proofs that were found, kept for the positions that follow from theirs: a strategy is stepped
 * through without a search. And how far the search for a proof is that runs. Thread-safe. */
#ifndef EINSPUL_SERVE_PROOFS_H
#define EINSPUL_SERVE_PROOFS_H

#include "prove/prove.h"

#include <pthread.h>

enum { MOST_PROOFS = 64 };

struct rule_set;

struct proofs {
    pthread_mutex_t lock;
    int n; /* kept, the oldest first */
    struct kept_proofs {
        const struct rule_set *set;
        struct proof_set proofs;
    } kept[MOST_PROOFS];

    const struct rule_set *running; /* NULL: no search runs */
    struct state state;             /* of it */
    struct prove_result partial;    /* without proofs */
};

/* What the proofs say of a position. */
struct known_position {
    struct known_wins known;
    bool has_move; /* a move of the side to move, after which that still holds: */
    struct proof_move move;
    uint64_t n_positions; /* of the proofs that say so */
};

void proofs_init(struct proofs *proofs);
void proofs_free(struct proofs *proofs);

/* Keeps certified proofs, and forgets old ones; `set` is empty then. */
void proofs_keep(struct proofs *proofs, const struct rule_set *rules, struct proof_set *set);

/* What tables say of a position, else what is kept. Errors of proof_check_root. */
einspul_status proofs_ask(struct proofs *proofs, const struct rule_set *rules,
                          const struct state *state, struct known_position *known,
                          einspul_error *error);

/* Notes how far a search is; NULL: it has ended. */
void proofs_note(struct proofs *proofs, const struct rule_set *rules, const struct state *state,
                 const struct prove_result *partial);

/* Whether the search for a proof of a position runs, and how far it is. */
bool proofs_running(struct proofs *proofs, const struct rule_set *rules, const struct state *state,
                    struct prove_result *partial);

#endif
