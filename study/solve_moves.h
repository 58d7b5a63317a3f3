/* The positions after all legal moves, for a search that needs many of them: several times as fast
 * as core/moves.h. Thread-safe. */
#ifndef EINSPUL_STUDY_SOLVE_MOVES_H
#define EINSPUL_STUDY_SOLVE_MOVES_H

#include "core/placement.h"

struct step {
    struct state after;
    squares_t captured; /* 0 for a simple move */
    uint8_t from, to;
    bool reversible; /* a simple move of a king */
};

struct step_list {
    size_t n, capacity;
    struct step *steps; /* to be freed */
};

/* Appends the steps of a state without a clock; a capture that can be made in several ways appears
 * once. A capture of all enemy pieces appears alone. `*n_steps` is how many. NO_MEMORY; BAD_POSITION
 * as moves_captures. */
einspul_status steps_append(const struct rules *rules, const struct state *state,
                            struct step_list *list, size_t *n_steps);

/* The number of legal moves of a state without a capture. */
int steps_count(const struct rules *rules, const struct state *state);

#endif
