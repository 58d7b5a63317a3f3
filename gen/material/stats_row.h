/* Reading the counts that `einspul stats` printed (data/statistics). */
#ifndef EINSPUL_GEN_MATERIAL_STATS_ROW_H
#define EINSPUL_GEN_MATERIAL_STATS_ROW_H

#include "gen/material/stats.h"

struct stats_row {
    struct stats_counts counts;
    char fen[EINSPUL_FEN_SIZE]; /* of a longest win; empty: none */
};

/* Finds the row of a canonical material, a side ("white", "black") and kind of states ("fresh", "all",
 * "raw") in the text of a file; false if there is none. */
bool stats_row_find(const char *text, const char *material, const char *side, const char *states,
                    struct stats_row *row);

#endif
