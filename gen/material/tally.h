/* The patterns of a material's quiet placements and how many placements have each: what the
 * dictionaries of its tables are made of. Added to while chunks are made, by any number of
 * threads. */
#ifndef EINSPUL_GEN_MATERIAL_TALLY_H
#define EINSPUL_GEN_MATERIAL_TALLY_H

#include "core/pattern_set.h"
#include "core/rank.h"
#include "core/value.h"
#include "table/metric.h"

struct tally {
    bool wanted[2];             /* by metric - 1 */
    bool signs[2];              /* by metric - 1: the values' distances are dropped */
    bool too_many[2];           /* more patterns than a table's dictionary takes */
    struct pattern_set sets[2]; /* by metric - 1: as in a file */
    size_t length;              /* values of a pattern */
    uint64_t *counts[2];        /* by metric - 1, number in the set */
    uint64_t n_stored[2];       /* by side to move of the table */
};

/* For tables of `metrics` (a bit each, as METRICS_…). NO_MEMORY leaves nothing behind. */
einspul_status tally_create(const struct rules *rules, const struct shape *shape, unsigned metrics,
                            struct tally **tally);
void tally_free(struct tally *tally); /* NULL is allowed */

/* Bytes it takes. */
uint64_t tally_bytes(const struct shape *shape);

/* Adds patterns, `count` placements of each, with a side of the table to move. */
void tally_add(struct tally *tally, enum side side, const value_t *patterns, const uint32_t *count,
               uint32_t n_patterns);

#endif
