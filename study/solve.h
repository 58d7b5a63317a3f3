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

/* With about `n_bytes` for what it remembers. Errors of proof_tables, NO_MEMORY. */
einspul_status prover_create(einspul *handle, size_t n_bytes, struct prover **prover,
                             einspul_error *error);
void prover_free(struct prover *prover); /* NULL is allowed */

struct solved_position {
    struct known_wins known;
    uint64_t n_positions; /* looked at, in tables or in what is remembered */
    double seconds;
    struct proof_set proofs; /* of all that is known */
    char doubt[256];         /* why they are not certified; "": they passed the checker */
};

struct solve_limits {
    double seconds;       /* 0: any number */
    double proof_seconds; /* the same for each proof */
    uint64_t n_positions; /* about as many at most, without proofs; 0: any number */
    /* Told a few times a second how far it is, at last that the proofs are being written; returning
     * false ends it. May be NULL. */
    bool (*tell)(const struct solved_position *so_far, bool proving, void *context);
    void *context;
};

/* Decides what it can of a position, writes down the strategies behind that, and has them checked
 * (verify/proof.h). Errors of probe_state, NO_MEMORY. The proofs are to be freed also after an
 * error. */
einspul_status solve_position(struct prover *prover, const struct state *state,
                              const struct solve_limits *limits, struct solved_position *solved,
                              einspul_error *error);

/* What is certain of a position in so many seconds; the same for the proofs. Errors of
 * solve_position. */
einspul_status solve_certain(struct prover *prover, const struct state *state, double seconds,
                             struct known_wins *known, einspul_error *error);

#endif
