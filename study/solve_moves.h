/* The positions after all legal moves, for a search that keeps many of them. Thread-safe. */
#ifndef EINSPUL_STUDY_SOLVE_MOVES_H
#define EINSPUL_STUDY_SOLVE_MOVES_H

#include "core/placement.h"

struct step {
    struct state after;
    squares_t captured; /* 0 for a simple move */
    uint8_t from, to;
    bool reversible; /* a simple move of a king */
};

/* All zero at first; `steps` is to be freed. */
struct step_list {
    size_t n, room;
    struct step *steps;
};

/* Lists the steps of a state in place of those that are there. Errors of moves_generate. */
einspul_status steps_list(const struct rules *rules, const struct state *state,
                          struct step_list *list);

/* The number of legal moves of a state without a capture. */
int steps_count(const struct rules *rules, const struct state *state);

#endif
