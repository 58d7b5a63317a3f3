/* A dictionary (hash set) of byte strings of one length, numbered in order of insertion. In chunks,
 * tables and blocks these are patterns: the values of one placement over all its rule states;
 * in proofs and proof searches, keys of positions. */
#ifndef EINSPUL_CORE_PROGRAM_BYTES_SET_H
#define EINSPUL_CORE_PROGRAM_BYTES_SET_H

#include "core/status.h"

#include <stdbool.h>
#include <string.h>

struct bytes_set {
    size_t length;     /* bytes of a string */
    uint32_t n;        /* number of strings */
    uint32_t capacity; /* strings allocated */
    uint32_t max;      /* maximum number of strings */
    uint8_t *values;   /* capacity * length */
    uint32_t *buckets; /* open addressing: number of a string + 1, or 0 */
    int shift;         /* there are 2^(64 - shift) buckets, twice the capacity or more */
};

/* Creates an empty set with space for `capacity` strings, which grows by doubling up to `max`. On
 * NO_MEMORY nothing is allocated. */
einspul_status bytes_set_init(struct bytes_set *set, size_t length, uint32_t capacity,
                              uint32_t max);
void bytes_set_free(struct bytes_set *set);

static inline uint64_t bytes_word(const uint8_t *bytes, size_t n)
{
    uint64_t word = 0;
    memcpy(&word, bytes, n);
    return word;
}

/* A hash of a string, without collisions for up to 8 bytes. */
static inline uint64_t bytes_hash(const uint8_t *bytes, size_t n)
{
    if (n == 1)
        return bytes[0];
    if (n < 4)
        return bytes_word(bytes, 2) | (uint64_t)bytes[n - 1] << 16;
    if (n < 8)
        return bytes_word(bytes, 4) | bytes_word(bytes + n - 4, 4) << 32;
    uint64_t hash = bytes_word(bytes + n - 8, 8);
    for (size_t i = 0; i + 8 < n; i += 8)
        hash = (hash ^ hash >> 29 ^ bytes_word(bytes + i, 8)) * 0x9e3779b97f4a7c15u;
    return hash;
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

/* The bucket of a string, or the free one where it belongs. */
static inline size_t bytes_set_bucket(const struct bytes_set *set, const uint8_t *bytes)
{
    const uint64_t hash = bytes_hash(bytes, set->length);
    size_t bucket = (size_t)(hash * 0x9e3779b97f4a7c15u >> set->shift);
    while (set->buckets[bucket] != 0 &&
           !bytes_equal(set->values + (set->buckets[bucket] - 1) * set->length, bytes, set->length))
        bucket = (bucket + 1) & (size_t)(UINT64_MAX >> set->shift);
    return bucket;
}

/* Looks up the number of a string; any number of threads may do so. */
static inline bool bytes_set_find(const struct bytes_set *set, const uint8_t *bytes,
                                  uint32_t *number)
{
    const size_t bucket = bytes_set_bucket(set, bytes);
    *number = set->buckets[bucket] - 1;
    return set->buckets[bucket] != 0;
}

/* The number of a string, added if it is new. TOO_LONG if the set already has `max` strings; on
 * NO_MEMORY it is unchanged. */
einspul_status bytes_set_insert(struct bytes_set *set, const uint8_t *bytes, uint32_t *number);
static inline einspul_status bytes_set_add(struct bytes_set *set, const uint8_t *bytes,
                                           uint32_t *number)
{
    return bytes_set_find(set, bytes, number) ? EINSPUL_OK : bytes_set_insert(set, bytes, number);
}

#endif
