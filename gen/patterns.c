/* A hash table of pattern numbers beside an array of the patterns: open addressing, doubled when the
 * array is full, which is at half of the buckets. */
#include "gen/patterns.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FIRST_BUCKETS = 256 };

enum status patterns_init(struct patterns *patterns, int length)
{
    memset(patterns, 0, sizeof *patterns);
    patterns->length = length;
    patterns->capacity = length == 1 ? 256 : FIRST_BUCKETS / 2;
    patterns->n_buckets = FIRST_BUCKETS;
    patterns->values = malloc((size_t)patterns->capacity * (size_t)length);
    patterns->buckets = calloc(patterns->n_buckets, sizeof *patterns->buckets);
    if (patterns->values == NULL || patterns->buckets == NULL) {
        patterns_free(patterns);
        return STATUS_NO_MEMORY;
    }
    if (length == 1) {
        patterns->n = 256;
        for (int i = 0; i < 256; i++)
            patterns->values[i] = (value_t)i;
    }
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
    if (patterns->length == 1)
        return;
    patterns->n = 0;
    memset(patterns->buckets, 0, patterns->n_buckets * sizeof *patterns->buckets);
}

static uint32_t pattern_bucket(const struct patterns *patterns, const value_t *pattern)
{
    const uint64_t hash = XXH3_64bits(pattern, (size_t)patterns->length);
    return (uint32_t)(hash & (patterns->n_buckets - 1));
}

/* Doubles the room. On failure the dictionary is as it was. */
static enum status patterns_grow(struct patterns *patterns)
{
    const size_t length = (size_t)patterns->length;
    const uint32_t n_buckets = 2 * patterns->n_buckets;
    uint32_t *buckets = calloc(n_buckets, sizeof *buckets);
    if (buckets == NULL)
        return STATUS_NO_MEMORY;
    value_t *values = realloc(patterns->values, 2 * (size_t)patterns->capacity * length);
    if (values == NULL) {
        free(buckets);
        return STATUS_NO_MEMORY;
    }
    patterns->values = values;
    patterns->capacity *= 2;
    free(patterns->buckets);
    patterns->buckets = buckets;
    patterns->n_buckets = n_buckets;
    for (uint32_t number = 0; number < patterns->n; number++) {
        uint32_t bucket = pattern_bucket(patterns, patterns->values + number * length);
        while (buckets[bucket] != 0)
            bucket = (bucket + 1) & (n_buckets - 1);
        buckets[bucket] = number + 1;
    }
    return STATUS_OK;
}

enum status patterns_add(struct patterns *patterns, const value_t *pattern, uint32_t *number)
{
    const size_t length = (size_t)patterns->length;
    if (length == 1) {
        *number = *pattern;
        return STATUS_OK;
    }
    uint32_t bucket = pattern_bucket(patterns, pattern);
    while (patterns->buckets[bucket] != 0) {
        *number = patterns->buckets[bucket] - 1;
        if (memcmp(patterns->values + *number * length, pattern, length) == 0)
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
    memcpy(patterns->values + *number * length, pattern, length);
    return STATUS_OK;
}
