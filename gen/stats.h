/* Counting a table: wins, draws, losses, the longest win. */
#ifndef EINSPUL_GEN_STATS_H
#define EINSPUL_GEN_STATS_H

#include "probe/probe.h"

/* Counts for one side to move. */
struct stats_counts {
    uint64_t wins, draws, losses;
    int max_win, max_loss;     /* plies; -1 where there is none or the distances are not known */
    struct state longest_win;  /* where max_win > 0: the one of lowest placement and run index */
};

/* Counts of one side to move of the material as it stands in the table (White the stronger side). For
 * symmetric material the table holds one side; the other has the same counts, turned round. */
struct stats {
    struct stats_counts fresh[2]; /* by side to move: states without runs, clock 0 */
    struct stats_counts all[2];   /* all king-run states, clock 0 */
    struct stats_counts raw[2];   /* limited material only: without the limit */
    bool limited;
};

/* Counts every possible placement, captures included. Distances only where `metric` is METRIC_DTW (or
 * the material is limited). Errors as probe_state; does not depend on the number of threads. */
enum status stats_table(einspul *handle, const struct material *material, enum metric metric,
                        int n_threads, struct stats *stats, struct error *error);

#endif
