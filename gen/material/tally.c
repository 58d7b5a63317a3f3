/* One dictionary for each metric, with a count for each pattern. Chunks have few patterns, so
 * adding them takes little time, and one lock for all threads is enough. */
#include "gen/material/tally.h"

#include "table/table_format.h"
#include "table/write/pattern.h"

#include <omp.h>
#include <stdlib.h>

einspul_status tally_create(const struct rules *rules, const struct shape *shape, unsigned metrics,
                            struct tally **result)
{
    struct tally *tally = calloc(1, sizeof *tally);
    *result = NULL;
    if (tally == NULL)
        return EINSPUL_NO_MEMORY;
    tally->length = (size_t)shape->n_run_states;
    for (int m = 0; m < 2; m++) {
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

/* About what is touched of it: buckets, and in the other arrays the places of patterns that may be
 * met. */
uint64_t tally_bytes(const struct shape *shape)
{
    const uint64_t n = shape->n_run_states == 1 ? 256 : MAX_TABLE_PATTERNS;
    const uint64_t most = shape->n_placements < n ? shape->n_placements : n;
    return (512 << 10) + most * ((uint64_t)shape->n_run_states + 24);
}

static void add_pattern(struct tally *tally, int m, const value_t *values, uint64_t count)
{
    value_t signs[MAX_RUN_STATES];
    uint32_t number = 0;
    if (tally->signs[m]) {
        table_signs(values, tally->length, signs);
        values = signs;
    }
    if (pattern_set_add(&tally->sets[m], values, &number) == EINSPUL_OK)
        tally->counts[m][number] += count;
    else
        tally->too_many[m] = true;
}

void tally_add(struct tally *tally, enum side side, const value_t *patterns, const uint32_t *count,
               uint32_t n_patterns)
{
#pragma omp critical(tally)
    for (uint32_t i = 0; i < n_patterns; i++) {
        if (count[i] == 0)
            continue;
        tally->n_stored[side] += count[i];
        for (int m = 0; m < 2; m++)
            if (tally->wanted[m] && !tally->too_many[m])
                add_pattern(tally, m, patterns + i * tally->length, count[i]);
    }
}
