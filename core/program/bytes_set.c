/* A hash table with open addressing. */
#include "core/program/bytes_set.h"

#include <stdlib.h>
#include <string.h>

einspul_status bytes_set_init(struct bytes_set *set, size_t length, uint32_t capacity, uint32_t max)
{
    *set = (struct bytes_set){.length = length, .capacity = capacity, .max = max, .shift = 63};
    while (UINT64_MAX >> set->shift < 2 * (uint64_t)capacity - 1)
        set->shift--;
    set->values = malloc(capacity * length);
    set->buckets = calloc((size_t)1 << (64 - set->shift), sizeof *set->buckets);
    if (set->values == NULL || set->buckets == NULL) {
        bytes_set_free(set);
        return EINSPUL_NO_MEMORY;
    }
    return EINSPUL_OK;
}

void bytes_set_free(struct bytes_set *set)
{
    free(set->values);
    free(set->buckets);
    memset(set, 0, sizeof *set);
}

/* Doubles the capacity. */
static einspul_status set_grow(struct bytes_set *set)
{
    struct bytes_set larger;
    const uint32_t capacity = set->max - set->n < set->n ? set->max : 2 * set->n;
    const einspul_status status = bytes_set_init(&larger, set->length, capacity, set->max);
    if (status != EINSPUL_OK)
        return status;
    memcpy(larger.values, set->values, set->n * set->length);
    for (; larger.n < set->n; larger.n++)
        larger.buckets[bytes_set_bucket(&larger, set->values + larger.n * set->length)] =
            larger.n + 1;
    bytes_set_free(set);
    *set = larger;
    return EINSPUL_OK;
}

einspul_status bytes_set_insert(struct bytes_set *set, const uint8_t *bytes, uint32_t *number)
{
    if (set->n == set->max)
        return EINSPUL_TOO_LONG;
    const einspul_status status = set->n == set->capacity ? set_grow(set) : EINSPUL_OK;
    if (status != EINSPUL_OK)
        return status;
    *number = set->n++;
    set->buckets[bytes_set_bucket(set, bytes)] = *number + 1;
    memcpy(set->values + *number * set->length, bytes, set->length);
    return EINSPUL_OK;
}
