/* Values found during a probe, by state: the same captures in another order lead to the same state,
 * as most do in positions with many captures. Only probes that take long use it. */
#ifndef EINSPUL_PROBE_MEMO_H
#define EINSPUL_PROBE_MEMO_H

#include "core/pattern_set.h"
#include "core/placement.h"
#include "core/value.h"
#include "table/metric.h"

struct memo_value {
    value_t value;
    bool undecided; /* or a draw */
};

struct memo {
    struct pattern_set states;
    struct memo_value *found; /* by the number of the state */
    size_t room;              /* for so many */
};

void memo_free(struct memo *memo); /* NULL is allowed */

/* Whether the value of a state is known, in a metric; `memo` may be NULL, and empty then. */
bool memo_find(const struct memo *memo, const struct state *state, einspul_metric metric,
               struct memo_value *found);

/* Adds a value that is not there yet; `*memo` is made if it is NULL. False if there is no memory. */
bool memo_add(struct memo **memo, const struct state *state, einspul_metric metric,
              struct memo_value found);

#endif
