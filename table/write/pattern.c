/* Patterns are sorted, so that equal sets give equal bytes. */
#include "table/write/pattern.h"

#include <string.h>

void patterns_clear(struct bytes_set *set)
{
    set->n = 0;
    memset(set->buckets, 0, ((size_t)1 << (64 - set->shift)) * sizeof *set->buckets);
}

/* True if pattern a is sorted before pattern b. */
static bool comes_before(const struct bytes_set *set, uint32_t a, uint32_t b)
{
    return memcmp(set->values + a * set->length, set->values + b * set->length, set->length) < 0;
}

/* Moves order[root] down a heap of `n`, whose top is the last in order. */
static void sift_down(const struct bytes_set *set, uint32_t *order, uint32_t root, uint32_t n)
{
    const uint32_t moving = order[root];
    for (uint32_t child = 2 * root + 1; child < n; child = 2 * root + 1) {
        if (child + 1 < n && comes_before(set, order[child], order[child + 1]))
            child++;
        if (!comes_before(set, moving, order[child]))
            break;
        order[root] = order[child];
        root = child;
    }
    order[root] = moving;
}

/* A heap sort: qsort passes no context to its comparison. */
void patterns_sort(const struct bytes_set *set, uint32_t *order, uint32_t *rank)
{
    for (uint32_t i = 0; i < set->n; i++)
        order[i] = i;
    for (uint32_t i = set->n / 2; i-- > 0;)
        sift_down(set, order, i, set->n);
    for (uint32_t n = set->n; n-- > 1;) {
        const uint32_t last = order[0];
        order[0] = order[n];
        order[n] = last;
        sift_down(set, order, 0, n);
    }
    for (uint32_t i = 0; i < set->n; i++)
        rank[order[i]] = i;
}

void patterns_write_planes(const struct bytes_set *set, const uint32_t *order, uint8_t *planes)
{
    for (size_t v = 0; v < set->length; v++)
        for (uint32_t i = 0; i < set->n; i++)
            *planes++ = set->values[order[i] * set->length + v];
}
