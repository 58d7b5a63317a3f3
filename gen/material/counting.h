/* Counting the values of a material: how many states have each, and the longest wins. Every thread
 * counts for itself; the sum does not depend on how they share the placements. */
#ifndef EINSPUL_GEN_MATERIAL_COUNTING_H
#define EINSPUL_GEN_MATERIAL_COUNTING_H

#include "gen/values/store.h"

enum {
    STATS_VALUES = VALUE_NONE + 1,
    MAX_LONGEST_WINS = 100 /* the maximum number of listed wins */
};

/* Counts for one side to move. */
struct stats_counts {
    uint64_t n_by_value[STATS_VALUES]; /* states of each value; with outcomes only, by sign */
    uint64_t wins, draws, losses;
    int max_win, max_loss;    /* plies; -1 if there is none or distances are unknown */
    struct state longest_win; /* where max_win > 0: the one of lowest placement and run index */
};

/* The longest wins of one side to move, longest first, then in the order of placements. */
struct stats_top {
    int n;
    struct stats_win {
        struct state state;
        int plies;
    } win[MAX_LONGEST_WINS];
};

/* FRESH: states without runs. ALL: all rule states. RAW: in limited material, all rule states
 * without the limit. */
enum count_kind { FRESH, ALL, RAW, N_KINDS };

/* A counter for each side to move and thread. */
struct counters {
    int n_sides, n_threads;
    struct counter *counter; /* by side * n_threads + thread */
};

/* Counters for fresh states, for all runs, and, if `limit` is above 0 (in moves of White's two kings),
 * for states without that limit; they list `n_longest` wins if values have distances. On NO_MEMORY
 * nothing is allocated. */
einspul_status counters_create(struct counters *counters, const struct shape *shape, int limit,
                               bool distances, int n_longest, int n_threads);
void counters_free(struct counters *counters);

/* Counts a possible placement by its values. */
void counters_add(struct counters *counters, int side, int thread, const value_t *values,
                  uint64_t index);

/* Counts a solved material whose chunks are all in memory. */
void counters_add_solved(struct counters *counters, const struct solved *solved);

/* Merges the counters of a side's threads. */
void counters_merge(struct counters *counters, int side);

/* The counts of a kind, and the wins that were listed, after that. */
struct stats_counts counters_result(const struct counters *counters, int side,
                                    enum count_kind kind);
void counters_top(const struct counters *counters, int side, struct stats_top *top);

#endif
