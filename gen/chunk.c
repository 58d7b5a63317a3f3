/* Numbers stand behind the header, in one byte where there are few patterns; then the patterns.
 * Where a placement has one value, that is its number, and all chunks share their 256 patterns. */
#include "gen/chunk.h"

#include <stdlib.h>
#include <string.h>

static const value_t every_value[256] = {
#define ROW(n)  (n), (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7
#define ROWS(n) ROW(n), ROW((n) + 8), ROW((n) + 16), ROW((n) + 24)
    ROWS(0),   ROWS(32),  ROWS(64), ROWS(96), ROWS(128),
    ROWS(160), ROWS(192), ROWS(224)
#undef ROW
#undef ROWS
};

enum status builder_create(struct builder **result, int n_run_states)
{
    struct builder *builder = calloc(1, sizeof *builder);
    *result = builder;
    if (builder == NULL)
        return STATUS_NO_MEMORY;
    builder->count_capacity = 256;
    builder->count = calloc(builder->count_capacity, sizeof *builder->count);
    if (builder->count == NULL || patterns_init(&builder->patterns, n_run_states) != STATUS_OK) {
        free(builder->count);
        free(builder);
        *result = NULL;
        return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

void builder_free(struct builder *builder)
{
    if (builder == NULL)
        return;
    patterns_free(&builder->patterns);
    free(builder->count);
    free(builder);
}

void builder_begin(struct builder *builder, uint32_t n_placements)
{
    memset(builder->count, 0, builder->count_capacity * sizeof *builder->count);
    memset(builder->number, 0, n_placements * sizeof *builder->number);
    patterns_clear(&builder->patterns);
    builder->n_placements = n_placements;
}

static enum status grow_counts(struct builder *builder)
{
    const uint32_t capacity = builder->patterns.capacity;
    uint32_t *count = realloc(builder->count, capacity * sizeof *count);
    if (count == NULL)
        return STATUS_NO_MEMORY;
    memset(count + builder->count_capacity, 0,
           (capacity - builder->count_capacity) * sizeof *count);
    builder->count = count;
    builder->count_capacity = capacity;
    return STATUS_OK;
}

enum status builder_put(struct builder *builder, uint32_t place, const value_t *pattern, bool quiet)
{
    uint32_t number = 0;
    const enum status status = patterns_add(&builder->patterns, pattern, &number);
    if (status != STATUS_OK)
        return status;
    if (number >= builder->count_capacity && grow_counts(builder) != STATUS_OK)
        return STATUS_NO_MEMORY;
    builder->count[number] += quiet;
    builder->number[place] = (uint16_t)number;
    return STATUS_OK;
}

size_t chunk_bytes(uint32_t n_placements, uint32_t n_patterns, int n_run_states, bool limited)
{
    const size_t n_values = n_run_states > 1 ? (size_t)n_patterns * (size_t)n_run_states : 0;
    return sizeof(struct chunk) + (size_t)n_placements * (n_patterns > 256 ? 2 : 1) + n_values +
           (limited ? (size_t)n_patterns * (size_t)n_run_states : 0);
}

struct chunk *chunk_new(uint32_t n_placements, uint32_t n_patterns, int n_run_states, bool limited)
{
    const size_t n_bytes = chunk_bytes(n_placements, n_patterns, n_run_states, limited);
    struct chunk *chunk = malloc(n_bytes);
    if (chunk == NULL)
        return NULL;
    memset(chunk, 0, sizeof *chunk);
    chunk->n_placements = n_placements;
    chunk->n_patterns = n_patterns;
    chunk->wide = n_patterns > 256;
    chunk->n_bytes = n_bytes;
    chunk->values = n_run_states > 1
                        ? chunk->number + (size_t)n_placements * (n_patterns > 256 ? 2 : 1)
                        : every_value;
    chunk->entry = chunk->values;
    return chunk;
}

void chunk_limit(struct chunk *chunk, enum side side, int n_run_states, int limit)
{
    const size_t n = (size_t)chunk->n_patterns * (size_t)n_run_states;
    value_t *entry = (value_t *)chunk + chunk->n_bytes - n;
    for (size_t i = 0; i < n; i++) /* in canonical material White has the two kings */
        entry[i] = value_limited(chunk->values[i], limit, 0, side == WHITE);
    chunk->entry = entry;
}

struct chunk *builder_chunk(const struct builder *builder, enum side side, int limit)
{
    const struct patterns *patterns = &builder->patterns;
    const int length = patterns->length;
    const uint32_t n = builder->n_placements;
    const uint32_t n_patterns = patterns->n > 0 ? patterns->n : 1;
    struct chunk *chunk = chunk_new(n, n_patterns, length, limit > 0);
    if (chunk == NULL)
        return NULL;
    if (chunk->wide)
        memcpy(chunk->number, builder->number, n * sizeof *builder->number);
    else
        for (uint32_t i = 0; i < n; i++)
            chunk->number[i] = (uint8_t)builder->number[i];
    if (length > 1) {
        value_t *values = chunk->number + (size_t)n * (chunk->wide ? 2 : 1);
        memset(values, 0, (size_t)length);
        memcpy(values, patterns->values, (size_t)patterns->n * (size_t)length);
    }
    if (limit > 0)
        chunk_limit(chunk, side, length, limit);
    return chunk;
}
