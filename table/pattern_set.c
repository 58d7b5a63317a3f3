/* A hash table of patterns with open addressing. Patterns keep their numbers until they are sorted
 * by frequency and content, so that equal sets give equal bytes. */
#include "table/pattern_set.h"

#include "table/bytes.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

void table_pattern(const void *values, int from_bytes, size_t n, int to_bytes, uint8_t *pattern)
{
    if (from_bytes == 1 && to_bytes == 1) {
        memcpy(pattern, values, n);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const value_t value = value_load(values, from_bytes, i);
        if (to_bytes == 1)
            pattern[i] = byte_of_value(value);
        else
            store_u16(pattern + 2 * i, value);
    }
}

void table_signs(const void *values, int from_bytes, size_t n, uint8_t *pattern)
{
    const uint8_t *bytes = values;
    for (size_t i = 0; i < n && from_bytes == 1; i++)
        pattern[i] = bytes[i] == BYTE_NONE ? BYTE_NONE : byte_sign(bytes[i]);
    for (size_t i = 0; i < n && from_bytes > 1; i++) {
        const value_t value = value_load(values, from_bytes, i);
        pattern[i] = value == VALUE_NONE ? BYTE_NONE : byte_of_value(value_sign(value));
    }
}

enum status pattern_set_init(struct pattern_set *set, size_t length, uint32_t capacity)
{
    memset(set, 0, sizeof *set);
    set->length = length;
    set->capacity = capacity;
    set->n_buckets = 16;
    while (set->n_buckets < 2 * capacity)
        set->n_buckets *= 2;
    set->values = malloc(capacity * length);
    set->buckets = calloc(set->n_buckets, sizeof *set->buckets);
    set->order = malloc(capacity * sizeof *set->order);
    if (set->values == NULL || set->buckets == NULL || set->order == NULL) {
        pattern_set_free(set);
        return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

void pattern_set_free(struct pattern_set *set)
{
    free(set->values);
    free(set->buckets);
    free(set->order);
    memset(set, 0, sizeof *set);
}

void pattern_set_clear(struct pattern_set *set)
{
    set->n = 0;
    memset(set->buckets, 0, set->n_buckets * sizeof *set->buckets);
}

/* The bucket of a pattern, or the free bucket where it belongs. */
static uint32_t find_slot(const struct pattern_set *set, const uint8_t *pattern)
{
    uint32_t bucket = (uint32_t)XXH3_64bits(pattern, set->length) & (set->n_buckets - 1);
    while (set->buckets[bucket] != 0 &&
           memcmp(set->values + (set->buckets[bucket] - 1) * set->length, pattern, set->length) !=
               0)
        bucket = (bucket + 1) & (set->n_buckets - 1);
    return bucket;
}

bool pattern_set_find(const struct pattern_set *set, const uint8_t *pattern, uint32_t *number)
{
    const uint32_t bucket = find_slot(set, pattern);
    *number = set->buckets[bucket] - 1;
    return set->buckets[bucket] != 0;
}

bool pattern_set_add(struct pattern_set *set, const uint8_t *pattern, uint32_t *number)
{
    const uint32_t bucket = find_slot(set, pattern);
    if (set->buckets[bucket] != 0) {
        *number = set->buckets[bucket] - 1;
        return true;
    }
    if (set->n == set->capacity)
        return false;
    *number = set->n++;
    set->buckets[bucket] = *number + 1;
    memcpy(set->values + *number * set->length, pattern, set->length);
    return true;
}

/* Whether pattern a is sorted before pattern b. */
static bool comes_before(const struct pattern_set *set, const uint64_t *count, uint32_t a,
                         uint32_t b)
{
    if (count != NULL && count[a] != count[b])
        return count[a] > count[b];
    return memcmp(set->values + a * set->length, set->values + b * set->length, set->length) < 0;
}

/* Moves order[root] down a heap of `n`, whose top is the last in order. */
static void sift_down(struct pattern_set *set, const uint64_t *count, uint32_t root, uint32_t n)
{
    uint32_t *order = set->order;
    const uint32_t moving = order[root];
    for (uint32_t child = 2 * root + 1; child < n; child = 2 * root + 1) {
        if (child + 1 < n && comes_before(set, count, order[child], order[child + 1]))
            child++;
        if (!comes_before(set, count, moving, order[child]))
            break;
        order[root] = order[child];
        root = child;
    }
    order[root] = moving;
}

/* A heap sort: qsort passes no context to its comparison. */
void pattern_set_order(struct pattern_set *set, const uint64_t *count, uint32_t *rank)
{
    for (uint32_t i = 0; i < set->n; i++)
        set->order[i] = i;
    for (uint32_t i = set->n / 2; i-- > 0;)
        sift_down(set, count, i, set->n);
    for (uint32_t n = set->n; n-- > 1;) {
        const uint32_t last = set->order[0];
        set->order[0] = set->order[n];
        set->order[n] = last;
        sift_down(set, count, 0, n);
    }
    for (uint32_t i = 0; i < set->n; i++)
        rank[set->order[i]] = i;
}

void pattern_set_planes(const struct pattern_set *set, uint8_t *planes)
{
    for (size_t v = 0; v < set->length; v++)
        for (uint32_t i = 0; i < set->n; i++)
            *planes++ = set->values[set->order[i] * set->length + v];
}
