/* Patterns are sorted, so that equal sets give equal bytes. */
#include "table/write/pattern.h"

#include "core/bits.h"
#include "table/bytes.h"

#include <string.h>

void patterns_clear(struct bytes_set *set)
{
    set->n = 0;
    memset(set->buckets, 0, ((size_t)1 << (64 - set->shift)) * sizeof *set->buckets);
}

/* True if pattern a is sorted before pattern b. */
static bool comes_before(const struct bytes_set *set, uint32_t a, uint32_t b)
{
    const uint8_t *x = set->values + a * set->length;
    const uint8_t *y = set->values + b * set->length;
    size_t i = 0;
    for (; i + 8 <= set->length; i += 8) {
        const uint64_t other = load_u64(x + i) ^ load_u64(y + i);
        if (other != 0) /* the first byte that differs */
            return x[i + (size_t)bits_first(other) / 8] < y[i + (size_t)bits_first(other) / 8];
    }
    return memcmp(x + i, y + i, set->length - i) < 0;
}

/* Merges two sorted parts, first .. middle - 1 and middle .. last - 1. */
static void merge(const struct bytes_set *set, const uint32_t *from, uint32_t *to, uint32_t first,
                  uint32_t middle, uint32_t last)
{
    uint32_t second = middle;
    for (uint32_t i = first; i < last; i++)
        to[i] = second == last || (first < middle && !comes_before(set, from[second], from[first]))
                    ? from[first++]
                    : from[second++];
}

/* A merge sort, whose second array is `rank`: qsort passes no context to its comparison. */
void patterns_sort(const struct bytes_set *set, uint32_t *order, uint32_t *rank)
{
    uint32_t *from = order;
    uint32_t *to = rank;
    for (uint32_t i = 0; i < set->n; i++)
        from[i] = i;
    for (uint32_t width = 1; width < set->n; width *= 2) {
        for (uint32_t first = 0; first < set->n; first += 2 * width) {
            const uint32_t left = set->n - first;
            merge(set, from, to, first, first + (left < width ? left : width),
                  first + (left < 2 * width ? left : 2 * width));
        }
        uint32_t *sorted = to;
        to = from;
        from = sorted;
    }
    if (from != order)
        memcpy(order, from, set->n * sizeof *order);
    for (uint32_t i = 0; i < set->n; i++)
        rank[order[i]] = i;
}

void patterns_write_planes(const struct bytes_set *set, const uint32_t *order, uint8_t *planes)
{
    for (size_t v = 0; v < set->length; v++)
        for (uint32_t i = 0; i < set->n; i++)
            *planes++ = set->values[order[i] * set->length + v];
}
