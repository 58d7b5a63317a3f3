/* Counting tables: wins, draws, losses, the longest win. */
#ifndef EINSPUL_GEN_STATS_H
#define EINSPUL_GEN_STATS_H

#include "probe/probe.h"

/* Counts for one side to move. */
struct stats_counts {
    uint64_t wins, draws, losses;
    int max_win, max_loss;    /* plies; -1 where there is none or the distances are not known */
    struct state longest_win; /* where max_win > 0: the one of lowest placement and run index */
};

/* Counts of one side to move of the material as it stands in the table (White the stronger side).
 * For symmetric material the table holds one side; the other has the same counts, turned round. */
struct stats {
    struct stats_counts fresh[2]; /* by side to move: states without runs, clock 0 */
    struct stats_counts all[2];   /* all king-run states, clock 0 */
    struct stats_counts raw[2];   /* limited material only: without the limit */
    bool limited;
};

/* Tables counted one after the other. What captures lead to is kept in memory between them. Not
 * thread-safe. */
struct stats_run;

/* Starts a run. A material of `most_pieces` and more is held only while it, or one that leads to
 * it, is counted or was counted last. NO_MEMORY. */
enum status stats_begin(einspul *handle, int most_pieces, int n_threads, struct stats_run **run,
                        struct error *error);
void stats_end(struct stats_run *run);

/* Counts every possible placement of a canonical material, captures included. Distances only where
 * `metric` is METRIC_DTW (or the material is limited). The tables of all materials that captures
 * lead to must be there. Errors as probe_table and material_load; the counts do not depend on the
 * number of threads, nor on what was counted before. */
enum status stats_table(struct stats_run *run, const struct material *material, enum metric metric,
                        struct stats *stats, struct error *error);

#endif
