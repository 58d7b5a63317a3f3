/* Tables with random values, known without a solver. The set of stored placements follows the
 * rules, so the prober accepts them. */
#ifndef EINSPUL_TESTS_SUPPORT_SYNTHETIC_H
#define EINSPUL_TESTS_SUPPORT_SYNTHETIC_H

#include "core/moves.h"
#include "table/table_read.h"
#include "tests/support/table_sides.h"

struct synthetic {
    struct shape shape;
    struct table_side sides[2];
    value_t *patterns[2];
    uint16_t *low[2];
    uint8_t *high[2];
    uint64_t *stored[2];
};

/* Zeroed memory; never NULL. */
void *synthetic_alloc(size_t n_bytes);

/* `n_patterns` random patterns per side, spread over the placements in runs; 0: one per placement.
 * Every possible placement without a capture is stored. */
void synthetic_create(struct synthetic *made, const struct rules *rules, const char *name,
                      uint32_t n_patterns, uint64_t seed);
void synthetic_free(struct synthetic *made);

/* Writes it as a table of its rule set; aborts on failure. */
void synthetic_write(const struct synthetic *made, const struct rules *rules, einspul_metric metric,
                     const char *path, int n_threads);

bool synthetic_stored(const struct synthetic *made, int side, uint64_t index);
value_t synthetic_value(const struct synthetic *made, int side, uint64_t index, int rule_state);

#endif
