/* Cache of certified proofs, so that positions inside a proved strategy are answered without a
 * search; and the progress of the running proof search. A proof holds for the rule set of its handle,
 * also after that was opened again. Thread-safe. */
#ifndef EINSPUL_SERVE_PROOFS_H
#define EINSPUL_SERVE_PROOFS_H

#include "core/os.h"
#include "prove/book.h"
#include "prove/prove.h"

enum { MAX_PROOFS = 64 };

struct proofs {
    struct os_mutex lock;
    int n; /* cached proofs, the oldest first */
    struct kept_proofs {
        enum rules_id rules;
        struct proof_set proofs;
    } kept[MAX_PROOFS];

    enum rules_id running;       /* 0: no search runs */
    struct state state;          /* of it */
    struct prove_result partial; /* without proofs */

    struct prover *suspended; /* of a search that stayed open, to continue it; or NULL */
    enum rules_id suspended_rules;
    struct state suspended_state;
};

void proofs_init(struct proofs *proofs);
void proofs_free(struct proofs *proofs);

/* Takes ownership of certified proofs (empties `set`) and evicts the oldest ones. */
void proofs_keep(struct proofs *proofs, einspul *handle, struct proof_set *set);

/* The value of a position from tables, or else from cached proofs. Errors of proof_check_root. */
einspul_status proofs_ask(struct proofs *proofs, einspul *handle, const struct state *state,
                          struct book_answer *known, einspul_error *error);

/* The prover of an earlier search of the same position, now owned by the caller; NULL if there is
 * none. Frees that of another position. */
struct prover *proofs_resume(struct proofs *proofs, einspul *handle, const struct state *state);

/* Frees the prover of an earlier search. */
void proofs_drop_suspended(struct proofs *proofs);

/* Takes ownership of the prover of a search that stayed open, to continue it later. */
void proofs_suspend(struct proofs *proofs, einspul *handle, const struct state *state,
                    struct prover *prover);

/* Notes the progress of a search; NULL: it has ended. */
void proofs_note(struct proofs *proofs, einspul *handle, const struct state *state,
                 const struct prove_result *partial);

/* True if the search for a proof of a position is running; with its progress. */
bool proofs_running(struct proofs *proofs, einspul *handle, const struct state *state,
                    struct prove_result *partial);

#endif
