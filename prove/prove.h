/* Proof search beyond the tables: decides whether a side can force a win, using table values as
 * leaves.
 *
 * Results are certified or `open`; reaching a limit never produces a guess (docs/method.md). A prover
 * keeps its transposition table for the positions that follow; one thread at a time may call it, and
 * several provers may share a handle. */
#ifndef EINSPUL_PROVE_PROVE_H
#define EINSPUL_PROVE_PROVE_H

#include "core/moves.h"
#include "probe/position.h"
#include "verify/proof_file.h"

struct prover;

/* Games and engines search no positions with more pieces than this. */
enum { MAX_PROVED = 12 };

/* `n_bytes` bounds its transposition table, approximately. With several threads, all search the same
 * position; which proof is found first then depends on chance, the outcome does not. Errors of
 * proof_check_tables, NO_MEMORY. */
einspul_status prover_create(einspul *handle, size_t n_bytes, int n_threads, struct prover **prover,
                             einspul_error *error);
void prover_free(struct prover *prover); /* NULL is allowed */

struct prove_result {
    struct known_wins known; /* certified: by `proofs` */
    struct known_wins found; /* answered by the search, perhaps without a certified proof */
    uint32_t numbers[2][2];  /* by attacker, while it is open: the proof numbers of the position for
                                the side to move and its opponent, at the last look; 0: none yet */
    uint64_t n_positions;    /* looked up, in tables or in the transposition table */
    double seconds;
    struct proof_set proofs; /* accepted by the checker */
    char rejection[256];     /* why `found` is not certified; else empty */
};

struct prove_limits {
    double seconds;             /* 0: no limit */
    double proof_seconds;       /* for each proof; 0: no limit */
    uint64_t n_positions;       /* approximate, without proofs; 0: no limit */
    uint64_t n_proof_positions; /* for each proof; 0: no limit */
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
