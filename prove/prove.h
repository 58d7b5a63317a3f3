/* Proof search beyond the tables: decides whether a side can force a win, using table values as
 * leaves.
 *
 * Results are exact or `open`; reaching a limit never produces a guess (docs/method.md). A prover
 * keeps its transposition table for the positions that follow; one thread at a time may use it, and
 * several provers may share a handle. */
#ifndef EINSPUL_PROVE_PROVE_H
#define EINSPUL_PROVE_PROVE_H

#include "probe/probe.h"
#include "verify/proof_file.h"

struct prover;

/* `n_bytes` bounds its transposition table, approximately. Errors of proof_check_tables, NO_MEMORY. */
einspul_status prover_create(einspul *handle, size_t n_bytes, struct prover **prover,
                             einspul_error *error);
void prover_free(struct prover *prover); /* NULL is allowed */

struct prove_result {
    struct known_wins known;
    uint64_t n_positions; /* looked up, in tables or in the transposition table */
    double seconds;
    struct proof_set proofs; /* of all that is known */
    char rejection[256];     /* why the proofs were rejected; empty if the checker accepted them */
};

struct prove_limits {
    double seconds;       /* 0: no limit */
    double proof_seconds; /* for each proof; 0: no limit */
    uint64_t n_positions; /* approximate, without proofs; 0: no limit */
    /* Called a few times per second; `proving` is true while proofs are extracted. Returns false to
     * stop. May be NULL. */
    bool (*progress)(const struct prove_result *partial, bool proving, void *context);
    void *context;
};

/* Searches both questions of a position, extracts a strategy for each answer and has it checked
 * (verify/proof.h). Errors of probe_state, NO_MEMORY. Free the proofs also after an error. */
einspul_status prove_position(struct prover *prover, const struct state *state,
                              const struct prove_limits *limits, struct prove_result *result,
                              einspul_error *error);

/* Finds the certified part of the outcome within `seconds`, with as long again for each proof.
 * Errors of prove_position. */
einspul_status prove_outcome(struct prover *prover, const struct state *state, double seconds,
                             struct known_wins *known, einspul_error *error);

#endif
