/* What counting the values of a material gives. */
#ifndef EINSPUL_GEN_MATERIAL_COUNTS_H
#define EINSPUL_GEN_MATERIAL_COUNTS_H

#include "core/placement.h"
#include "core/value.h"

enum {
    STATS_VALUES = VALUE_NONE + 1,
    STATS_MOST_TOP = 100 /* longest wins that can be asked for */
};

/* Counts for one side to move. */
struct stats_counts {
    uint64_t of_value[STATS_VALUES]; /* states of each value; with outcomes only, by sign */
    uint64_t wins, draws, losses;
    int max_win, max_loss;    /* plies; -1 where there is none or the distances are not known */
    struct state longest_win; /* where max_win > 0: the one of lowest placement and run index */
};

/* A position and the plies to its win. */
struct stats_win {
    struct state state;
    int plies;
};

/* The longest wins of one side to move, longest first, then in the order of placements. */
struct stats_top {
    int n;
    struct stats_win win[STATS_MOST_TOP];
};

#endif
