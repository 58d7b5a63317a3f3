/* The identity of a table, its metric, and the values it omits. */
#ifndef EINSPUL_TABLE_METRIC_H
#define EINSPUL_TABLE_METRIC_H

#include "core/material.h"

#include <stddef.h>

/* "wdl" or "dtw", the suffix of file names. */
static inline const char *metric_suffix(einspul_metric metric)
{
    return metric == EINSPUL_DTW ? "dtw" : "wdl";
}

/* Identifies a table: its header must have the same fields. The caller owns `rules`. */
struct table_id {
    const struct rules *rules;
    struct material material;
    einspul_metric metric;
};

/* The name of the rule set of a material's table, which is also that of its folder. */
static inline const char *table_rules_name(const struct rules *rules,
                                           const struct material *material)
{
    return einspul_rules_list()[material_table_rules(rules, material) - 1];
}

/* The path of a table relative to a root, returned by value: "frisian/KMvK.wdl". */
enum { TABLE_NAME_SIZE = 40 };
struct table_name {
    char text[TABLE_NAME_SIZE];
};
struct table_name table_file_name(struct table_id id);

/* True if even a material's .wdl table stores distances. Under Article 18 these are KKvK, to which
 * the limit applies, and KvK, which a capture in KKvK leads to with the limit still in force. */
bool table_always_has_distances(const struct rules *rules, const struct material *material);

/* The values a table omits, because they can be recomputed from the values a few plies later: those
 * of one side to move, and those of states in which a king of the side to move has reached the
 * limit of its run. */
struct omitted {
    bool side[2]; /* to move; at most one */
    bool runs;
};

#endif
