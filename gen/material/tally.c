/* One dictionary for each metric, with a count for each pattern. Chunks have few patterns, so
 * adding them takes little time, and one lock for all threads is enough. Values have a byte each
 * until one comes that needs two; what was added is widened then, and keeps its numbers and
 * counts. */
#include "gen/material/tally.h"

#include "table/pattern.h"
#include "table/table_format.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

einspul_status tally_create(const struct rules *rules, const struct shape *shape, unsigned metrics,
                            int byte_plies, struct tally **result)
{
    struct tally *tally = calloc(1, sizeof *tally);
    *result = NULL;
    if (tally == NULL)
        return EINSPUL_NO_MEMORY;
    tally->length = (size_t)shape->n_run_states;
    tally->byte_plies = byte_plies > 0 ? byte_plies : BYTE_MAX_PLIES;
    for (int m = 0; m < 2; m++) {
        tally->value_bytes[m] = 1;
        tally->wanted[m] = (metrics >> m & 1) != 0;
        if (!tally->wanted[m])
            continue;
        tally->signs[m] = m + 1 == EINSPUL_WDL && !table_keeps_distances(rules, &shape->material);
        tally->counts[m] = calloc(MAX_TABLE_PATTERNS, sizeof *tally->counts[m]);
        if (tally->counts[m] == NULL ||
            pattern_set_init(&tally->sets[m], (size_t)shape->n_run_states, MAX_TABLE_PATTERNS,
                             MAX_TABLE_PATTERNS) != EINSPUL_OK) {
            tally_free(tally);
            return EINSPUL_NO_MEMORY;
        }
    }
    *result = tally;
    return EINSPUL_OK;
}

void tally_free(struct tally *tally)
{
    if (tally == NULL)
        return;
    for (int m = 0; m < 2; m++) {
        free(tally->counts[m]);
        pattern_set_free(&tally->sets[m]);
    }
    free(tally);
}

void tally_clear(struct tally *tally)
{
    for (int m = 0; m < 2; m++) {
        tally->n_stored[m] = 0;
        tally->too_many[m] = false;
        if (!tally->wanted[m])
            continue;
        memset(tally->counts[m], 0, MAX_TABLE_PATTERNS * sizeof *tally->counts[m]);
        pattern_set_clear(&tally->sets[m]);
    }
}

/* About what is touched of it: buckets, and in the other arrays the places of patterns that may be
 * met. */
uint64_t tally_bytes(const struct shape *shape)
{
    const uint64_t n = shape->n_run_states == 1 ? 256 : MAX_TABLE_PATTERNS;
    const uint64_t most = shape->n_placements < n ? shape->n_placements : n;
    return (512 << 10) + most * ((uint64_t)shape->n_run_states + 24);
}

/* Gives a dictionary two bytes a value. NO_MEMORY leaves it as it was. */
static einspul_status widen(struct tally *tally, int m)
{
    struct pattern_set *set = &tally->sets[m];
    struct pattern_set wide;
    uint8_t pattern[2 * MAX_RUN_STATES];
    uint32_t number = 0;
    if (pattern_set_init(&wide, 2 * tally->length, set->capacity, set->most) != EINSPUL_OK)
        return EINSPUL_NO_MEMORY;
    for (uint32_t i = 0; i < set->n; i++) {
        table_pattern(set->values + i * tally->length, 1, tally->length, 2, pattern);
        pattern_set_add(&wide, pattern, &number);
    }
    pattern_set_free(set);
    *set = wide;
    tally->value_bytes[m] = 2;
    return EINSPUL_OK;
}

/* Whether any of the patterns that count has a value that one byte is not to tell. */
static bool need_two_bytes(const struct tally *tally, const void *patterns, const uint32_t *count,
                           uint32_t n_patterns)
{
    bool fit = true;
    for (size_t i = 0; i < n_patterns; i++)
        for (size_t at = i * tally->length; count[i] > 0 && at < (i + 1) * tally->length; at++)
            fit &= value_plies(value_load(patterns, 2, at)) <= tally->byte_plies;
    return !fit;
}

static void add_pattern(struct tally *tally, int m, const uint8_t *values, int value_bytes,
                        uint64_t count)
{
    uint8_t pattern[2 * MAX_RUN_STATES];
    uint32_t number = 0;
    if (tally->signs[m])
        table_signs(values, value_bytes, tally->length, pattern);
    else
        table_pattern(values, value_bytes, tally->length, tally->value_bytes[m], pattern);
    if (pattern_set_add(&tally->sets[m], pattern, &number) == EINSPUL_OK)
        tally->counts[m][number] += count;
    else
        tally->too_many[m] = true;
}

static einspul_status add_patterns(struct tally *tally, enum side side, const uint8_t *patterns,
                                   int value_bytes, const uint32_t *count, uint32_t n_patterns)
{
    const size_t n_bytes = tally->length * (size_t)value_bytes;
    if (value_bytes > 1 && !tally->wide && need_two_bytes(tally, patterns, count, n_patterns)) {
        for (int m = 0; m < 2; m++)
            if (tally->wanted[m] && !tally->signs[m] && widen(tally, m) != EINSPUL_OK)
                return EINSPUL_NO_MEMORY;
        tally->wide = true;
    }
    for (uint32_t i = 0; i < n_patterns; i++) {
        if (count[i] == 0)
            continue;
        tally->n_stored[side] += count[i];
        for (int m = 0; m < 2; m++)
            if (tally->wanted[m] && !tally->too_many[m])
                add_pattern(tally, m, patterns + i * n_bytes, value_bytes, count[i]);
    }
    return EINSPUL_OK;
}

einspul_status tally_add(struct tally *tally, enum side side, const void *patterns, int value_bytes,
                         const uint32_t *count, uint32_t n_patterns)
{
    einspul_status status = EINSPUL_OK;
#pragma omp critical(tally)
    status = add_patterns(tally, side, patterns, value_bytes, count, n_patterns);
    return status;
}
