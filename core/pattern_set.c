/* A hash table of patterns with open addressing. */
#include "core/pattern_set.h"

#include <stdlib.h>
#include <string.h>

einspul_status pattern_set_init(struct pattern_set *set, size_t length, uint32_t capacity,
                                uint32_t most)
{
    *set = (struct pattern_set){.length = length, .capacity = capacity, .most = most, .shift = 63};
    while (UINT64_MAX >> set->shift < 2 * (uint64_t)capacity - 1)
        set->shift--;
    set->values = malloc(capacity * length);
    set->buckets = calloc((size_t)1 << (64 - set->shift), sizeof *set->buckets);
    if (set->values == NULL || set->buckets == NULL) {
        pattern_set_free(set);
        return EINSPUL_NO_MEMORY;
    }
    return EINSPUL_OK;
}

void pattern_set_free(struct pattern_set *set)
{
    free(set->values);
    free(set->buckets);
    memset(set, 0, sizeof *set);
}

void pattern_set_clear(struct pattern_set *set)
{
    set->n = 0;
    memset(set->buckets, 0, ((size_t)1 << (64 - set->shift)) * sizeof *set->buckets);
}

/* Doubles the room. */
static einspul_status set_grow(struct pattern_set *set)
{
    struct pattern_set larger;
    const uint32_t capacity = set->most - set->n < set->n ? set->most : 2 * set->n;
    const einspul_status status = pattern_set_init(&larger, set->length, capacity, set->most);
    if (status != EINSPUL_OK)
        return status;
    memcpy(larger.values, set->values, set->n * set->length);
    for (; larger.n < set->n; larger.n++)
        larger.buckets[pattern_set_bucket(&larger, set->values + larger.n * set->length)] =
            larger.n + 1;
    pattern_set_free(set);
    *set = larger;
    return EINSPUL_OK;
}

einspul_status pattern_set_insert(struct pattern_set *set, const uint8_t *pattern, uint32_t *number)
{
    if (set->n == set->most)
        return EINSPUL_TOO_LONG;
    const einspul_status status = set->n == set->capacity ? set_grow(set) : EINSPUL_OK;
    if (status != EINSPUL_OK)
        return status;
    *number = set->n++;
    set->buckets[pattern_set_bucket(set, pattern)] = *number + 1;
    memcpy(set->values + *number * set->length, pattern, set->length);
    return EINSPUL_OK;
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
static void sift_down(const struct pattern_set *set, const uint64_t *count, uint32_t *order,
                      uint32_t root, uint32_t n)
{
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
void pattern_set_order(const struct pattern_set *set, const uint64_t *count, uint32_t *order,
                       uint32_t *rank)
{
    for (uint32_t i = 0; i < set->n; i++)
        order[i] = i;
    for (uint32_t i = set->n / 2; i-- > 0;)
        sift_down(set, count, order, i, set->n);
    for (uint32_t n = set->n; n-- > 1;) {
        const uint32_t last = order[0];
        order[0] = order[n];
        order[n] = last;
        sift_down(set, count, order, 0, n);
    }
    for (uint32_t i = 0; i < set->n; i++)
        rank[order[i]] = i;
}

void pattern_set_planes(const struct pattern_set *set, const uint32_t *order, uint8_t *planes)
{
    for (size_t v = 0; v < set->length; v++)
        for (uint32_t i = 0; i < set->n; i++)
            *planes++ = set->values[order[i] * set->length + v];
}
