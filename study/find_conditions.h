/* Conditions of a query on a single position, except outcome and zugzwang. Thread-safe. */
#ifndef EINSPUL_STUDY_FIND_CONDITIONS_H
#define EINSPUL_STUDY_FIND_CONDITIONS_H

#include "study/find.h"

/* True if the outcome of some position of a material may depend on a run, or a clock. */
bool find_may_depend(const struct rules *rules, enum find_depends depends,
                     const struct material *material);

/* A sentence that explains why no outcome of this rule set can depend on a run, or on the clock. */
const char *find_independence_reason(const struct rules *rules, enum find_depends depends);

/* Tests a fresh state for the conditions other than outcomes and zugzwang: moves, only move,
 * captures, study, run and clock. */
einspul_status find_conditions(einspul *handle, const struct find_query *query,
                               const struct state *state, einspul_outcome outcome,
                               struct move_list *moves, bool *holds, einspul_error *error);

#endif
