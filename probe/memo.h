/* Values found during a probe, by state: the same captures in another order lead to the same state,
 * as most do in positions with many captures. Only probes that take long use it. */
#ifndef EINSPUL_PROBE_MEMO_H
#define EINSPUL_PROBE_MEMO_H

#include "core/placement.h"
#include "core/value.h"
#include "table/metric.h"

struct memo_entry;

/* All zero: empty. */
struct memo {
    struct memo_entry *entries; /* open addressing */
    uint32_t n, n_slots;
};

void memo_free(struct memo *memo);

/* Whether the value of a state is known, in a metric. */
bool memo_find(const struct memo *memo, const struct state *state, enum metric metric,
               value_t *value);

/* Adds a value that is not there yet; false if there is no memory for it. */
bool memo_add(struct memo *memo, const struct state *state, enum metric metric, value_t value);

#endif
