/* Counting tables: wins, draws, losses, how many of each distance, the longest wins. */
#ifndef EINSPUL_GEN_MATERIAL_STATS_H
#define EINSPUL_GEN_MATERIAL_STATS_H

#include "core/material.h"
#include "core/moves.h"
#include "gen/material/counting.h"
#include "probe/position.h"

/* Counts of one side to move of the material as the table stores it (White the stronger side). For
 * symmetric material the table holds one side; the other has the same counts, flipped round. */
struct stats {
    struct stats_counts fresh[2]; /* by side to move: states without runs, clock 0 */
    struct stats_counts all[2];   /* all rule states, clock 0 */
    struct stats_counts raw[2];   /* limited material only: without the limit */
    struct stats_top top[2];      /* of the fresh states; empty without distances */
    bool limited;
};

/* Counts tables one after the other and keeps the materials that captures lead to in memory between
 * them. Not thread-safe. */
struct stats_session;

/* Starts a session that lists `n_longest` wins, at most MAX_LONGEST_WINS. A material of `max_pieces` or
 * more is not held in memory, unless its table, or that of one that leads to it, omits values.
 * NO_MEMORY. */
einspul_status stats_begin(einspul *handle, int max_pieces, int n_threads, int n_longest,
                           struct stats_session **session, einspul_error *error);
void stats_end(struct stats_session *session);

/* Counts every possible placement of a canonical material, captures included. Distances only where
 * `metric` is EINSPUL_DTW (or the material is limited). The tables of all materials that captures
 * lead to must be there. Errors as probe_table and material_load; the counts do not depend on the
 * number of threads, nor on earlier counts. */
einspul_status stats_table(struct stats_session *session, const struct material *material,
                           einspul_metric metric, struct stats *stats, einspul_error *error);

#endif
