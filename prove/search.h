/* Proof-number search (df-pn) for one question: can the attacker force a win from a state? */
#ifndef EINSPUL_PROVE_SEARCH_H
#define EINSPUL_PROVE_SEARCH_H

#include "prove/memory.h"
#include "prove/prove.h"
#include "prove/steps.h"

enum { MAX_PLIES = 2048 }; /* of a path */

/* A result for a state; members as in struct goal_entry. */
struct value {
    enum answer answer;
    uint32_t phi, delta;
    struct dependence depends;
    uint16_t rank;
};

/* A position on the path being searched. */
struct path_node {
    struct state_key goal;
    uint64_t code; /* hash of the positions from the root to it, in this order */
    int since;     /* the ply since which all moves are simple king moves */
};

/* An undecided move. */
struct branch {
    struct state after;
    bool reversible; /* as in struct step */
    struct state_key goal;
    struct value value;
};

struct prover {
    einspul *handle;
    const struct rules *rules;
    int n_pieces; /* positions of at most so many are in the tables */
    enum side attacker;
    struct memory memory;

    /* Element 0 represents all positions of `held`; the searched path follows. */
    struct path_node path[MAX_PLIES + 1];
    const struct proof
        *held;        /* positions taken as disproved while a hold is extracted; disproofs from
                                 other paths are then accepted too. Or NULL */
    uint64_t n_roots; /* paths begun, which numbers element 0 */
    struct step_list steps;  /* scratch of one expansion */
    struct branch *branches; /* stack of open moves along the path */
    size_t n_branches, branch_room;

    struct prove_limits limits;
    struct prove_result *partial;
    bool proving; /* the search has ended, proofs are being extracted */
    uint64_t start_ns;
    uint64_t n_positions;
    uint64_t pause_at;     /* value of `n_positions` at which the search returns to the root */
    uint64_t check_at;     /* value of `n_positions` for the next check of the limits */
    bool stopped;          /* a limit is reached */
    einspul_status status; /* not OK: the search failed */
    einspul_error *error;
};

/* Restarts the counts towards the limits. */
void search_limit(struct prover *prover, const struct prove_limits *limits,
                  struct prove_result *partial, einspul_error *error);

/* Updates and reports the progress; stops the search at a limit, or if the callback says so. */
void search_report(struct prover *prover);

/* Begins a new path, on which the positions of `held` (or NULL) are taken as disproved. */
void search_begin(struct prover *prover, enum side attacker, const struct proof *held);

/* Searches a state that follows the root; open when stopped or paused. A disproof that depends on
 * path[0] is valid only if every position of `held` holds and every borrowed disproof is valid. */
struct value search_root(struct prover *prover, const struct state *state);

/* The value of a state at a ply without searching. `reversible`: a simple king move leads to it. */
struct value search_peek(struct prover *prover, const struct state *state,
                         const struct state_key *goal, int ply, bool reversible);

/* Stores an answer that was derived outside the search. */
void search_remember(struct prover *prover, const struct state_key *goal, enum answer answer,
                     unsigned rank);

/* True if a limit was reached or the search failed. */
static inline bool search_is_over(const struct prover *prover)
{
    return prover->stopped || prover->status != EINSPUL_OK;
}

/* Fails with NO_MEMORY. */
void search_no_memory(struct prover *prover);

#endif
