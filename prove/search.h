/* Proof-number search (df-pn) for one question: can the attacker force a win from a state? Several
 * searchers may work on one question at once; they share the transposition table of a prover. */
#ifndef EINSPUL_PROVE_SEARCH_H
#define EINSPUL_PROVE_SEARCH_H

#include "prove/history.h"
#include "prove/memory.h"
#include "prove/prove.h"
#include "prove/steps.h"

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
    bool shared;     /* another searcher has been below it since the last look at its value */
    _Atomic uint8_t *busy;
    struct move_count *count; /* of the move */
    struct state_key goal;
    struct value value;
};

/* What one thread needs. */
struct searcher {
    struct prover *prover;
    enum side attacker;

    /* Element 0 represents all positions of `held`; the searched path follows. */
    struct path_node path[MAX_PLIES + 1];
    const struct proof *held; /* positions taken as disproved while a hold is extracted; or NULL */
    struct step_list steps;   /* scratch of one expansion */
    struct branch *branches;  /* stack of open moves along the path */
    size_t n_branches, branch_capacity;

    struct value value; /* of the latest root */

    /* Of moves, by whether the side to move attacks, this side, and the squares. */
    struct move_count counts[2][2][MAX_SQUARES][MAX_SQUARES];

    uint64_t n_positions; /* looked up, since the searcher exists */
    uint64_t n_reported;  /* of these, added to the prover's number */
    uint64_t pause_at;    /* value of `n_positions` at which the search returns to the root */
    uint64_t check_at;    /* value of `n_positions` for the next check of the limits */
};

enum { BUSY_COUNTERS = 1 << 16 };

struct prover {
    einspul *handle;
    const struct rules *rules;
    int n_pieces; /* positions of at most so many are in the tables */
    struct memory memory;
    int n_searchers;
    struct searcher **searchers;
    _Atomic uint8_t *busy;    /* by hash of a goal: the searchers below it */
    uint64_t n_roots;         /* paths begun, which numbers their element 0 */
    uint64_t root_numbers[2]; /* by attacker: of the latest path with that question */

    struct prove_limits limits;
    struct prove_result *partial;
    bool proving; /* the search has ended, proofs are being extracted */
    uint64_t start_ns;
    _Atomic uint64_t n_positions; /* of all searchers since the limits were set */
    atomic_bool is_decided;       /* a searcher has answered the question of this turn */
    atomic_bool stopped;          /* a limit is reached */
    atomic_bool has_failed;       /* `status` is not OK */
    einspul_status status;
    einspul_error *error;
};

/* Creates the searchers of a prover. False without memory; free them in any case. */
bool search_create(struct prover *prover, int n_searchers);
void search_free(struct prover *prover);

/* Restarts the counts towards the limits. */
void search_limit(struct prover *prover, const struct prove_limits *limits,
                  struct prove_result *partial, einspul_error *error);

/* Updates and reports the progress; stops the search at a limit, or if the callback returns false. For
 * the first searcher only. */
void search_report(struct searcher *searcher);

/* Begins a new path, with a number that is new for each question, on which the positions of `held` (or
 * NULL) are taken as disproved. */
void search_begin(struct searcher *searcher, enum side attacker, uint64_t root_number,
                  const struct proof *held);

/* Searches a state that follows the root; open when stopped or paused. A disproof that depends on
 * path[0] is valid only if every position of `held` holds. */
struct value search_root(struct searcher *searcher, const struct state *state);

/* Makes a goal element `ply` of the path. `reversible`: a simple king move leads to it. */
void search_push(struct searcher *searcher, const struct state_key *goal, int ply, bool reversible);

/* Searches the state that is element `ply` of the path without a pause. True if its side to move
 * succeeds; `*after` is then the state after a move that does. */
bool search_best_move(struct searcher *searcher, const struct state *state, int ply,
                      struct state *after);

/* True if the tables answer a state: itself, or the states after its captures. */
bool search_is_leaf(const struct prover *prover, const struct state *state);

/* The value of a state at a ply without searching. `reversible`: a simple king move leads to it. */
struct value search_peek(struct searcher *searcher, const struct state *state,
                         const struct state_key *goal, int ply, bool reversible);

/* True if a limit was reached or the search failed. */
static inline bool search_is_over(const struct prover *prover)
{
    return atomic_load_explicit(&prover->stopped, memory_order_relaxed) ||
           atomic_load_explicit(&prover->has_failed, memory_order_relaxed);
}

/* Ends the search with an error, of which the first one counts. */
void search_no_memory(struct prover *prover);

#endif
