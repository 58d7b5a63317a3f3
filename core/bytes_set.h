/* A dictionary of patterns, numbered in order of first appearance. A pattern is a fixed number of
 * bytes: in chunks, tables and blocks the values of one placement over all its king-rule states, in
 * searches what tells one node from another. */
#ifndef EINSPUL_CORE_BYTES_SET_H
#define EINSPUL_CORE_BYTES_SET_H

#include "core/status.h"

#include <stdbool.h>
#include <string.h>

struct bytes_set {
    size_t length;     /* bytes of a pattern */
    uint32_t n;        /* patterns in it */
    uint32_t capacity; /* patterns there is room for */
    uint32_t most;     /* patterns it takes */
    uint8_t *values;   /* capacity * length */
    uint32_t *buckets; /* open addressing: pattern number + 1, or 0 */
    int shift;         /* there are 2^(64 - shift) buckets, twice the capacity or more */
};

/* With room for `capacity` patterns, doubled when it is full until there are `most`. NO_MEMORY
 * leaves nothing behind. */
einspul_status bytes_set_init(struct bytes_set *set, size_t length, uint32_t capacity,
                              uint32_t most);
void bytes_set_free(struct bytes_set *set);

static inline uint64_t bytes_word(const uint8_t *bytes, size_t n)
{
    uint64_t word = 0;
    memcpy(&word, bytes, n);
    return word;
}

/* Differs for different patterns of up to 8 bytes, mostly for longer ones. */
static inline uint64_t bytes_hash(const uint8_t *pattern, size_t n)
{
    if (n == 1)
        return pattern[0];
    if (n < 4)
        return bytes_word(pattern, 2) | (uint64_t)pattern[n - 1] << 16;
    if (n < 8)
        return bytes_word(pattern, 4) | bytes_word(pattern + n - 4, 4) << 32;
    uint64_t key = bytes_word(pattern + n - 8, 8);
    for (size_t i = 0; i + 8 < n; i += 8)
        key = (key ^ key >> 29 ^ bytes_word(pattern + i, 8)) * 0x9e3779b97f4a7c15u;
    return key;
}

static inline bool bytes_equal(const uint8_t *a, const uint8_t *b, size_t n)
{
    if (n < 8)
        return bytes_hash(a, n) == bytes_hash(b, n);
    for (size_t i = 0; i + 8 < n; i += 8)
        if (bytes_word(a + i, 8) != bytes_word(b + i, 8))
            return false;
    return bytes_word(a + n - 8, 8) == bytes_word(b + n - 8, 8);
}

/* The bucket of a pattern, or the free one where it belongs. */
static inline size_t bytes_set_bucket(const struct bytes_set *set, const uint8_t *pattern)
{
    const uint64_t key = bytes_hash(pattern, set->length);
    size_t bucket = (size_t)(key * 0x9e3779b97f4a7c15u >> set->shift);
    while (
        set->buckets[bucket] != 0 &&
        !bytes_equal(set->values + (set->buckets[bucket] - 1) * set->length, pattern, set->length))
        bucket = (bucket + 1) & (size_t)(UINT64_MAX >> set->shift);
    return bucket;
}

/* Looks up the number of a pattern; any number of threads may do so. */
static inline bool bytes_set_find(const struct bytes_set *set, const uint8_t *pattern,
                                  uint32_t *number)
{
    const size_t bucket = bytes_set_bucket(set, pattern);
    *number = set->buckets[bucket] - 1;
    return set->buckets[bucket] != 0;
}

/* The number of a pattern, added if it is new. TOO_LONG when there are `most`; NO_MEMORY leaves the
 * dictionary as it was. */
einspul_status bytes_set_insert(struct bytes_set *set, const uint8_t *pattern, uint32_t *number);
static inline einspul_status bytes_set_add(struct bytes_set *set, const uint8_t *pattern,
                                           uint32_t *number)
{
    return bytes_set_find(set, pattern, number) ? EINSPUL_OK
                                                : bytes_set_insert(set, pattern, number);
}

#endif
