/* Checks proofs of what a side can force, with the rules and the tables alone: nothing of a search is
 * in here. docs/method.md has what a proof is and why it proves. */
#ifndef EINSPUL_VERIFY_PROOF_H
#define EINSPUL_VERIFY_PROOF_H

#include "core/pattern_set.h"
#include "probe/probe.h"

/* What a proof claims of its player: that he wins, or that his opponent does not. */
enum proof_claim { PROOF_WINS, PROOF_HOLDS };

struct proof_move {
    squares_t captured;
    uint8_t from, to;
    uint32_t rank; /* of a win: 1.., it falls; of a hold: 0 */
};

/* A strategy: a move for each position of a set, in which the player is to move. */
struct proof {
    enum side player;
    enum proof_claim claim;
    struct pattern_set places; /* the positions, with their whole rule state */
    struct proof_move *moves;  /* by number in `places` */
    size_t room;               /* for so many */
};

/* Begins an empty one, to be released with proof_free also after a failure. NO_MEMORY. */
einspul_status proof_init(struct proof *proof, enum side player, enum proof_claim claim,
                          einspul_error *error);
void proof_free(struct proof *proof);

/* Adds a position and its move. BAD_ARGUMENT if it is there already; NO_MEMORY. */
einspul_status proof_add(struct proof *proof, const struct state *state,
                         const struct proof_move *move, einspul_error *error);

/* The position of a number. */
struct state proof_state(const struct proof *proof, uint32_t number);

struct proof_fault {
    const char *what;   /* is wrong; NULL: nothing */
    struct state state; /* there */
};

/* Whether a proof proves its claim of a position. An error is one of the tables, or of the rule set:
 * UNDECIDED for one with a limit of quiet play; NO_TABLE without all tables of 2 and 3 pieces; as
 * probe_state. A table that a proof lacks is a fault of the proof. */
einspul_status proof_check(einspul *handle, const struct proof *proof, const struct state *root,
                           struct proof_fault *fault, einspul_error *error);

#endif
