/* Writing pattern sets: emptying, sorting, and splitting them into byte planes. */
#ifndef EINSPUL_TABLE_WRITE_PATTERN_H
#define EINSPUL_TABLE_WRITE_PATTERN_H

#include "core/program/bytes_set.h"

/* Work memory, for as many patterns as a block has placements. */
struct pattern_order {
    uint32_t *order; /* numbers of patterns, sorted */
    uint32_t *rank;  /* by number */
    uint64_t *keys;
};

/* Forgets all patterns; keeps the memory. */
void patterns_clear(struct bytes_set *set);

/* Sorts by content, so that equal sets give equal bytes. order[i] is the number of the i-th
 * pattern, rank[number] its position. */
void patterns_sort(const struct bytes_set *set, uint32_t *order, uint32_t *rank);

/* Writes patterns order[0], order[1], … byte by byte: all first bytes, then all second ones, and so
 * on; n * length bytes. */
void patterns_write_planes(const struct bytes_set *set, const uint32_t *order, uint8_t *planes);

#endif
