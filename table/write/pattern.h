/* Patterns as tables keep them: the values of one placement over all its king-run states. */
#ifndef EINSPUL_TABLE_WRITE_PATTERN_H
#define EINSPUL_TABLE_WRITE_PATTERN_H

#include "core/bytes_set.h"

/* Forgets all patterns; keeps the memory. */
void pattern_set_clear(struct bytes_set *set);

/* Sorts by content, so that equal sets give equal bytes. order[i] is the number of the i-th
 * pattern, rank[number] its place. */
void pattern_set_order(const struct bytes_set *set, uint32_t *order, uint32_t *rank);

/* Writes patterns order[0], order[1], … byte by byte: all first bytes, then all second ones, and so
 * on; n * length bytes. */
void pattern_set_planes(const struct bytes_set *set, const uint32_t *order, uint8_t *planes);

#endif
