/* Values a probe has found, by state: captures that are made in another order lead to the same
 * state, and where there are many, most of them do. Used by probes that take long only. */
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

/* Takes a value in that is not there; false when there is no memory for it. */
bool memo_add(struct memo *memo, const struct state *state, enum metric metric, value_t value);

#endif
