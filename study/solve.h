/* Proofs beyond the tables: a search that ends in them decides whether a side can force a win.
 *
 * The answers are exact, or open: a limit that ends the search never leaves a guess. docs/method.md
 * has the argument why. A prover keeps what it has proved for the positions that follow; it is used
 * by one thread at a time, and several may share a handle. */
#ifndef EINSPUL_STUDY_SOLVE_H
#define EINSPUL_STUDY_SOLVE_H

#include "probe/probe.h"
#include "verify/proof_file.h"

struct prover;

/* With about `n_bytes` for what it remembers. The tables of 2 and 3 pieces must be there: NO_TABLE.
 * UNDECIDED under a rule set with a limit of quiet play, whose count is in no table. NO_MEMORY. */
einspul_status prover_create(einspul *handle, size_t n_bytes, struct prover **prover,
                             einspul_error *error);
void prover_free(struct prover *prover); /* NULL is allowed */

/* Asked a few times a second; returning false ends the search. */
typedef bool solve_tell(uint64_t n_positions, void *context);

struct solve_limits {
    double seconds;       /* 0: any number */
    uint64_t n_positions; /* about as many at most; 0: any number */
    solve_tell *tell;     /* may be NULL */
    void *context;
};

struct solved_position {
    bool decided[2];      /* by side: whether it can force a win */
    bool wins[2];         /* the answer */
    uint64_t n_positions; /* looked at, in tables or in what is remembered */
    double seconds;
};

/* Decides what it can of a position. Errors of probe_state, NO_MEMORY. */
einspul_status solve_position(struct prover *prover, const struct state *state,
                              const struct solve_limits *limits, struct solved_position *solved,
                              einspul_error *error);

/* What is known of a position for the side to move: "win", "draw", "loss", "not-win", "not-loss",
 * "open". */
const char *solved_text(const struct solved_position *solved, enum side side);

/* --- proofs ----------------------------------------------------------------------------------- */

/* Writes down the strategy by which `attacker` wins a position, or his opponent keeps him from it; it
 * must be decided. What tables answer is left out. STOPPED if a part is not remembered any more and
 * was not found again within the limits. Errors of solve_position. To be released with proof_free
 * also after an error. */
einspul_status solve_strategy(struct prover *prover, const struct state *state, enum side attacker,
                              bool wins, const struct solve_limits *limits, struct proof *proof,
                              einspul_error *error);

/* The proofs of all that is decided of a position, checked (verify/proof.h): certified where
 * EINSPUL_OK is returned and fault->what is NULL. Errors of solve_strategy and proof_check. To be
 * released with proof_set_free also after an error. */
einspul_status solve_prove(struct prover *prover, const struct state *state,
                           const struct solved_position *solved, const struct solve_limits *limits,
                           struct proof_set *set, struct proof_fault *fault, einspul_error *error);

/* What is decided of a position in so many seconds and certified: no more than that is left in
 * `solved`. Errors of solve_position. */
einspul_status solve_certain(struct prover *prover, const struct state *state, double seconds,
                             struct solved_position *solved, einspul_error *error);

#endif
