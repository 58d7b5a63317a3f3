/* Patterns as tables keep them: the values of one placement over all its king-run states. */
#ifndef EINSPUL_TABLE_WRITE_PATTERN_H
#define EINSPUL_TABLE_WRITE_PATTERN_H

#include "core/pattern_set.h"
#include "core/value.h"

#include <stddef.h>

/* Copies a pattern of `n` values without their distances. */
void table_signs(const value_t *values, size_t n, value_t *pattern);

/* Forgets all patterns; keeps the memory. */
void pattern_set_clear(struct pattern_set *set);

/* Sorts by `count` (indexed by number), highest first, then by content; by content only if
 * `count` is NULL, so that equal sets give equal bytes. order[i] is the number of the i-th
 * pattern, rank[number] its place. */
void pattern_set_order(const struct pattern_set *set, const uint64_t *count, uint32_t *order,
                       uint32_t *rank);

/* Writes patterns order[0], order[1], … byte by byte: all first bytes, then all second ones, and so
 * on; n * length bytes. */
void pattern_set_planes(const struct pattern_set *set, const uint32_t *order, uint8_t *planes);

#endif
