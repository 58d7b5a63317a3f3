/* A hash table of pattern numbers beside an array of the patterns: open addressing, doubled when the
 * array is full, which is at half of the buckets. */
#include "gen/values/patterns.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FIRST_BUCKETS = 256, N_BYTES = 256 };

static size_t pattern_bytes(const struct patterns *patterns)
{
    return (size_t)patterns->length * (size_t)patterns->value_bytes;
}

static uint32_t pattern_bucket(const struct patterns *patterns, const void *pattern)
{
    const uint64_t hash = XXH3_64bits(pattern, pattern_bytes(patterns));
    return (uint32_t)(hash & (patterns->n_buckets - 1));
}

enum status patterns_init(struct patterns *patterns, int length, int value_bytes)
{
    memset(patterns, 0, sizeof *patterns);
    patterns->length = length;
    patterns->value_bytes = value_bytes;
    patterns->capacity = pattern_bytes(patterns) == 1 ? N_BYTES : FIRST_BUCKETS / 2;
    patterns->n_buckets = 2 * patterns->capacity;
    patterns->values = malloc(patterns->capacity * pattern_bytes(patterns));
    patterns->buckets = calloc(patterns->n_buckets, sizeof *patterns->buckets);
    if (patterns->values == NULL || patterns->buckets == NULL) {
        patterns_free(patterns);
        return STATUS_NO_MEMORY;
    }
    patterns->n = pattern_bytes(patterns) == 1 ? N_BYTES : 0;
    for (uint32_t i = 0; i < patterns->n; i++)
        patterns->values[i] = (uint8_t)i;
    return STATUS_OK;
}

void patterns_free(struct patterns *patterns)
{
    free(patterns->values);
    free(patterns->buckets);
    memset(patterns, 0, sizeof *patterns);
}

void patterns_clear(struct patterns *patterns)
{
    if (pattern_bytes(patterns) == 1)
        return;
    patterns->n = 0;
    memset(patterns->buckets, 0, patterns->n_buckets * sizeof *patterns->buckets);
}

/* Enters the patterns that are there into empty buckets. */
static void fill_buckets(struct patterns *patterns)
{
    const size_t n_bytes = pattern_bytes(patterns);
    for (uint32_t number = 0; number < patterns->n; number++) {
        uint32_t bucket = pattern_bucket(patterns, patterns->values + number * n_bytes);
        while (patterns->buckets[bucket] != 0)
            bucket = (bucket + 1) & (patterns->n_buckets - 1);
        patterns->buckets[bucket] = number + 1;
    }
}

/* Doubles the room. On failure the dictionary is as it was. */
static enum status patterns_grow(struct patterns *patterns)
{
    const uint32_t n_buckets = 2 * patterns->n_buckets;
    uint32_t *buckets = calloc(n_buckets, sizeof *buckets);
    if (buckets == NULL)
        return STATUS_NO_MEMORY;
    uint8_t *values =
        realloc(patterns->values, 2 * (size_t)patterns->capacity * pattern_bytes(patterns));
    if (values == NULL) {
        free(buckets);
        return STATUS_NO_MEMORY;
    }
    patterns->values = values;
    patterns->capacity *= 2;
    free(patterns->buckets);
    patterns->buckets = buckets;
    patterns->n_buckets = n_buckets;
    fill_buckets(patterns);
    return STATUS_OK;
}

enum status patterns_add(struct patterns *patterns, const void *pattern, uint32_t *number)
{
    const size_t n_bytes = pattern_bytes(patterns);
    if (n_bytes == 1) {
        *number = *(const uint8_t *)pattern;
        return STATUS_OK;
    }
    uint32_t bucket = pattern_bucket(patterns, pattern);
    while (patterns->buckets[bucket] != 0) {
        *number = patterns->buckets[bucket] - 1;
        if (memcmp(patterns->values + *number * n_bytes, pattern, n_bytes) == 0)
            return STATUS_OK;
        bucket = (bucket + 1) & (patterns->n_buckets - 1);
    }
    if (patterns->n == MAX_PATTERNS)
        return STATUS_TOO_LONG;
    if (patterns->n == patterns->capacity) {
        if (patterns_grow(patterns) != STATUS_OK)
            return STATUS_NO_MEMORY;
        return patterns_add(patterns, pattern, number);
    }
    *number = patterns->n++;
    patterns->buckets[bucket] = *number + 1;
    memcpy(patterns->values + *number * n_bytes, pattern, n_bytes);
    return STATUS_OK;
}
