/* A set of distinct patterns for the write side, numbered in order of appearance, then
 * reordered. */
#ifndef EINSPUL_TABLE_PATTERN_SET_H
#define EINSPUL_TABLE_PATTERN_SET_H

#include "core/status.h"
#include "core/value.h"

#include <stdbool.h>

struct pattern_set {
    size_t length;     /* bytes of a pattern */
    uint32_t n;        /* patterns in it */
    uint32_t capacity; /* patterns it can take */
    uint8_t *values;   /* capacity * length */
    uint32_t *buckets; /* open addressing: pattern number + 1, or 0; a power of two of them */
    uint32_t n_buckets;
    uint32_t *order; /* room for pattern_set_order */
};

/* Converts a pattern of `n` values of `from_bytes` bytes each, in the machine's order, to the
 * file's form with `to_bytes` bytes per value, in which all values must fit. */
void table_pattern(const void *values, int from_bytes, size_t n, int to_bytes, uint8_t *pattern);

/* The same without distances, a byte per value. */
void table_signs(const void *values, int from_bytes, size_t n, uint8_t *pattern);

/* NO_MEMORY leaves nothing behind. */
enum status pattern_set_init(struct pattern_set *set, size_t length, uint32_t capacity);
void pattern_set_free(struct pattern_set *set);
void pattern_set_clear(struct pattern_set *set);

/* The number of a pattern, added if it is new. False when the set is full. */
bool pattern_set_add(struct pattern_set *set, const uint8_t *pattern, uint32_t *number);

/* Looks up the number of a pattern; any number of threads may do so. */
bool pattern_set_find(const struct pattern_set *set, const uint8_t *pattern, uint32_t *number);

/* Sorts by `count` (indexed by number), highest first, then by content; by content only if `count`
 * is NULL. rank[old number] is the new one. No patterns can be added afterwards until the set is
 * cleared. */
void pattern_set_order(struct pattern_set *set, const uint64_t *count, uint32_t *rank);

/* Writes pattern `order[i]` for i = 0.. byte by byte: all first bytes, then all second ones, and so
 * on; n * length bytes. After pattern_set_order only. */
void pattern_set_planes(const struct pattern_set *set, uint8_t *planes);

#endif
