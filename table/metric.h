/* Which table it is, what it tells, and what it leaves out. */
#ifndef EINSPUL_TABLE_METRIC_H
#define EINSPUL_TABLE_METRIC_H

#include "core/material.h"

/* What a table tells of a state. Numbers stand in table files. */
enum metric { METRIC_WDL = 1, METRIC_DTW = 2 };

/* "wdl" or "dtw", what the names of files end with. */
static inline const char *metric_suffix(enum metric metric)
{
    return metric == METRIC_DTW ? "dtw" : "wdl";
}

/* Which table of all: what its header must say. `rules` are the caller's. */
struct table_id {
    const struct rules *rules;
    struct material material;
    enum metric metric;
};

/* The name of the rule set that a material's table is of, which is that of its folder as well. */
static inline const char *table_rules_name(const struct rules *rules,
                                           const struct material *material)
{
    return rules_names()[material_tables(rules, material) - 1];
}

/* True when a table of the material has distances whatever its metric: where Article 18 is in
 * force, KKvK, which it limits, and KvK, which captures out of KKvK lead to while the limit still
 * counts. */
bool table_keeps_distances(const struct rules *rules, const struct material *material);

/* What a table need not tell, as it is the best of what a ply leads to: the values of one side to
 * move, or those of states that have moved their only king for the last time in a row. */
struct left_out {
    bool side[2]; /* to move; one at most */
    bool runs;
};

static inline bool leaves_nothing_out(const struct left_out *left_out)
{
    return !left_out->side[WHITE] && !left_out->side[BLACK] && !left_out->runs;
}

#endif
