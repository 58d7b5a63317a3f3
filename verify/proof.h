/* Checks proofs of what a side can force, using only the rules and the tables, and no search code.
 * docs/method.md defines proofs and shows why they are sufficient. */
#ifndef EINSPUL_VERIFY_PROOF_H
#define EINSPUL_VERIFY_PROOF_H

#include "core/moves.h"
#include "core/program/bytes_set.h"
#include "core/program/state_key.h"
#include "probe/position.h"

/* Known results for a position: by side, whether it can force a win. */
struct known_wins {
    bool decided[2];
    bool wins[2]; /* the answer where it is decided */
};

/* The outcome for `side`, or the bound that is known: "win", "draw", "loss", "not-win", "not-loss",
 * "open". */
const char *known_text(const struct known_wins *known, enum side side);

/* The results that an outcome for `side` gives. */
struct known_wins known_of_outcome(einspul_outcome outcome, enum side side);

/* True if both questions are decided; `*outcome` is then the outcome for `side`. */
bool known_outcome(const struct known_wins *known, enum side side, einspul_outcome *outcome);

/* The claim of a proof about its player: he wins, or his opponent does not. */
enum proof_claim { PROOF_WINS, PROOF_HOLDS };

struct proof_move {
    squares_t captured;
    uint8_t from, to;
    uint32_t rank; /* of a win: 1.., smaller after each move of the player; of a hold: 0 */
};

/* A strategy: a move for each position of a set, in which the player is to move. */
struct proof {
    enum side player;
    enum proof_claim claim;
    struct bytes_set positions; /* with their whole rule state */
    struct proof_move *moves;   /* by number in `positions` */
    size_t capacity;            /* of `moves` */
};

/* Initializes an empty proof; call proof_free also after a failure. NO_MEMORY. */
einspul_status proof_init(struct proof *proof, enum side player, enum proof_claim claim,
                          einspul_error *error);
void proof_free(struct proof *proof);

/* The number of a position; a missing position is added, with an empty move. NO_MEMORY. */
einspul_status proof_add_position(struct proof *proof, const struct state *state, uint32_t *number);

/* The position with a number. */
struct state proof_state(const struct proof *proof, uint32_t number);

/* The move of a position; NULL if the proof does not have the position. */
const struct proof_move *proof_move_of(const struct proof *proof, const struct state *state);

/* The legal move that matches a move of a proof; NULL if there is none. */
const struct move *proof_find_legal_move(const struct move_list *list,
                                         const struct proof_move *move);

/* Adds the claim of a proof to known results. */
void proof_claim_add(const struct proof *proof, struct known_wins *known);

struct proof_fault {
    const char *what;   /* the fault; NULL if none */
    struct state state; /* where it is */
};

/* Checks that the tables allow proofs. UNDECIDED under a rule set with a quiet-play limit, which tables
 * do not account for; NO_TABLE unless all tables of 2 and 3 pieces are present, because clocks run
 * there. */
einspul_status proof_check_tables(einspul *handle, einspul_error *error);

/* Checks that a proof proves its claim of a position; a fault is in `*fault`. Errors of
 * proof_check_tables and probe_state; a missing table is a fault of the proof. */
einspul_status proof_check(einspul *handle, const struct proof *proof, const struct state *root,
                           struct proof_fault *fault, einspul_error *error);

/* Like proof_check, for a proof already checked with another root: only the step from `root` into the
 * proof is checked. */
einspul_status proof_check_root(einspul *handle, const struct proof *proof,
                                const struct state *root, struct proof_fault *fault,
                                einspul_error *error);

#endif
