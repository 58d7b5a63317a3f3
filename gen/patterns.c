#include "gen/patterns.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FIRST_SLOTS = 256 };

enum status patterns_init(struct patterns *patterns, int length)
{
    memset(patterns, 0, sizeof *patterns);
    patterns->length = length;
    patterns->capacity = length == 1 ? 256 : FIRST_SLOTS / 2;
    patterns->n_slots = FIRST_SLOTS;
    patterns->values = malloc((size_t)patterns->capacity * (size_t)length);
    patterns->slots = calloc(patterns->n_slots, sizeof *patterns->slots);
    if (patterns->values == NULL || patterns->slots == NULL) {
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
    free(patterns->slots);
    memset(patterns, 0, sizeof *patterns);
}

void patterns_clear(struct patterns *patterns)
{
    if (patterns->length == 1)
        return;
    patterns->n = 0;
    memset(patterns->slots, 0, patterns->n_slots * sizeof *patterns->slots);
}

static uint32_t pattern_slot(const struct patterns *patterns, const value_t *pattern)
{
    const uint64_t hash = XXH3_64bits(pattern, (size_t)patterns->length);
    return (uint32_t)(hash & (patterns->n_slots - 1));
}

/* Doubles the room. On failure the dictionary is as it was. */
static enum status patterns_grow(struct patterns *patterns)
{
    const size_t length = (size_t)patterns->length;
    const uint32_t n_slots = 2 * patterns->n_slots;
    uint32_t *slots = calloc(n_slots, sizeof *slots);
    if (slots == NULL)
        return STATUS_NO_MEMORY;
    value_t *values = realloc(patterns->values, 2 * (size_t)patterns->capacity * length);
    if (values == NULL) {
        free(slots);
        return STATUS_NO_MEMORY;
    }
    patterns->values = values;
    patterns->capacity *= 2;
    free(patterns->slots);
    patterns->slots = slots;
    patterns->n_slots = n_slots;
    for (uint32_t number = 0; number < patterns->n; number++) {
        uint32_t slot = pattern_slot(patterns, patterns->values + number * length);
        while (slots[slot] != 0)
            slot = (slot + 1) & (n_slots - 1);
        slots[slot] = number + 1;
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
    uint32_t slot = pattern_slot(patterns, pattern);
    while (patterns->slots[slot] != 0) {
        *number = patterns->slots[slot] - 1;
        if (memcmp(patterns->values + *number * length, pattern, length) == 0)
            return STATUS_OK;
        slot = (slot + 1) & (patterns->n_slots - 1);
    }
    if (patterns->n == MAX_PATTERNS)
        return STATUS_TOO_LONG;
    if (patterns->n == patterns->capacity) {
        if (patterns_grow(patterns) != STATUS_OK)
            return STATUS_NO_MEMORY;
        return patterns_add(patterns, pattern, number);
    }
    *number = patterns->n++;
    patterns->slots[slot] = *number + 1;
    memcpy(patterns->values + *number * length, pattern, length);
    return STATUS_OK;
}
