/* Values of solved materials. */
#ifndef EINSPUL_TESTS_SUPPORT_SOLVED_VALUES_H
#define EINSPUL_TESTS_SUPPORT_SOLVED_VALUES_H

#include "gen/values/store.h"

/* The values by rule state of a placement index of a side to move; all chunks of the material must
 * be in memory. NULL if a page has none. */
const value_t *solved_values(const struct solved *solved, int side, uint64_t index);

/* Gives all placements one value, in memory: for a material in place of an unsolved one. Errors of
 * pages_add. */
einspul_status solved_fill(struct solved *solved, const value_t *values, einspul_error *error);

#endif
