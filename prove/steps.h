/* Legal moves with the states after them, generated from the move lists of core/moves.h, or only
 * counted. */
#ifndef EINSPUL_PROVE_STEPS_H
#define EINSPUL_PROVE_STEPS_H

#include "core/placement.h"
#include "core/status.h"

/* A legal move, with the position after it. */
struct step {
    struct state after;
    squares_t captured; /* 0 for a simple move */
    uint8_t from, to;
    bool reversible; /* a simple move of a king */
};

/* Zero-initialize before first use; free `steps` with free(). */
struct step_list {
    size_t n, room;
    struct step *steps;
};

/* Replaces the list by the legal moves of a state. Errors of moves_generate. */
einspul_status steps_list(const struct rules *rules, const struct state *state,
                          struct step_list *list);

/* The number of legal moves, and of those after which the opponent has no capture. */
struct step_counts {
    int n, n_safe;
};

/* Counts the moves of a state without a capture. */
struct step_counts steps_count(const struct rules *rules, const struct state *state);

#endif
