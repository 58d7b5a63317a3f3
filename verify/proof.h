/* Checks proofs of what a side can force, with the rules and the tables alone: nothing of a search is
 * in here. docs/method.md has what a proof is and why it proves. */
#ifndef EINSPUL_VERIFY_PROOF_H
#define EINSPUL_VERIFY_PROOF_H

#include "core/bytes_set.h"
#include "core/moves.h"
#include "core/program/state_key.h"
#include "probe/probe.h"

/* What is known of a position: by side, whether it can force a win. */
struct known_wins {
    bool decided[2];
    bool wins[2]; /* the answer */
};

/* The same for the side to move: "win", "draw", "loss", "not-win", "not-loss", "open". */
const char *known_text(const struct known_wins *known, enum side side);

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
    struct bytes_set places;  /* the positions, with their whole rule state */
    struct proof_move *moves; /* by number in `places` */
    size_t room;              /* for so many */
};

/* Begins an empty one, to be released with proof_free also after a failure. NO_MEMORY. */
einspul_status proof_init(struct proof *proof, enum side player, enum proof_claim claim,
                          einspul_error *error);
void proof_free(struct proof *proof);

/* The number of a position; where it is not there it is added, with an empty move. NO_MEMORY. */
einspul_status proof_place(struct proof *proof, const struct state *state, uint32_t *number);

/* The position of a number. */
struct state proof_state(const struct proof *proof, uint32_t number);

/* The move of a position; NULL: the proof does not have the position. */
const struct proof_move *proof_move_of(const struct proof *proof, const struct state *state);

/* The legal move that a proof means; NULL: none. */
const struct move *proof_move_in(const struct move_list *list, const struct proof_move *move);

/* Adds what a proof claims to what is known. */
void proof_claim_add(const struct proof *proof, struct known_wins *known);

struct proof_fault {
    const char *what;   /* is wrong; NULL: nothing */
    struct state state; /* there */
};

/* Whether proofs can be checked here. UNDECIDED under a rule set with a limit of quiet play, whose
 * count is in no table; NO_TABLE without all tables of 2 and 3 pieces, where clocks count. */
einspul_status proof_tables(einspul *handle, einspul_error *error);

/* Whether a proof proves its claim of a position. Errors of proof_tables and probe_state; a table that
 * a proof lacks is a fault of the proof. */
einspul_status proof_check(einspul *handle, const struct proof *proof, const struct state *root,
                           struct proof_fault *fault, einspul_error *error);

/* The same where the proof has been checked already, of another position: it holds for all that
 * follow. */
einspul_status proof_covers(einspul *handle, const struct proof *proof, const struct state *root,
                            struct proof_fault *fault, einspul_error *error);

#endif
