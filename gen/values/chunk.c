/* In memory: the struct, the pattern numbers (a byte each, or two if there are more than 256
 * patterns), then the patterns; a record of chunk_file.c has the last two in the same order. If
 * placements have a single value, the value is the number, and all chunks share one array of 256
 * patterns. */
#include "gen/values/chunk.h"

#include "core/program/os_write.h"
#include "table/write/pattern.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_PATTERNS = 128, N_BYTES = 256 };
enum { MIN_MAPPED_BYTES = 32 << 10, MAX_MAPPED_CHUNKS = 32 << 10 }; /* bytes, chunks */

static _Atomic int n_mapped; /* chunks of the process */

static const uint8_t every_value[N_BYTES] = {
#define ROW(n)  (n), (n) + 1, (n) + 2, (n) + 3, (n) + 4, (n) + 5, (n) + 6, (n) + 7
#define ROWS(n) ROW(n), ROW((n) + 8), ROW((n) + 16), ROW((n) + 24)
    ROWS(0),   ROWS(32),  ROWS(64), ROWS(96), ROWS(128),
    ROWS(160), ROWS(192), ROWS(224)
#undef ROW
#undef ROWS
};

einspul_status chunk_builder_create(struct chunk_builder **result, int n_rule_states, bool has_keys)
{
    struct chunk_builder *builder = calloc(1, sizeof *builder);
    const size_t length = pattern_bytes(has_keys, n_rule_states);
    uint32_t number = 0;
    *result = builder;
    if (builder == NULL)
        return EINSPUL_NO_MEMORY;
    builder->n_rule_states = n_rule_states;
    builder->has_keys = has_keys;
    if (bytes_set_init(&builder->patterns, length, length == 1 ? N_BYTES : FIRST_PATTERNS,
                       PAGE_CAPACITY) != EINSPUL_OK) {
        free(builder);
        *result = NULL;
        return EINSPUL_NO_MEMORY;
    }
    for (int i = 0; length == 1 && i < N_BYTES; i++)
        bytes_set_add(&builder->patterns, &every_value[i], &number);
    return EINSPUL_OK;
}

void chunk_builder_free(struct chunk_builder *builder)
{
    if (builder == NULL)
        return;
    bytes_set_free(&builder->patterns);
    free(builder);
}

void chunk_builder_begin(struct chunk_builder *builder, uint32_t n_placements)
{
    memset(builder->number, 0, n_placements * sizeof *builder->number);
    if (builder->patterns.length > 1)
        patterns_clear(&builder->patterns);
    builder->n_placements = n_placements;
    builder->last = 0;
}

einspul_status chunk_builder_find(struct chunk_builder *builder, const void *pattern)
{
    uint32_t number = *(const uint8_t *)pattern;
    if (builder->patterns.length > 1 &&
        bytes_set_add(&builder->patterns, pattern, &number) != EINSPUL_OK)
        return EINSPUL_NO_MEMORY;
    builder->last = number;
    return EINSPUL_OK;
}

size_t chunk_number_bytes(const struct chunk_size *size)
{
    return (size_t)size->n_placements * (size->n_patterns > 256 ? 2 : 1);
}

static size_t all_values(const struct chunk_size *size)
{
    return (size_t)size->n_patterns * (size_t)size->n_rule_states;
}

size_t chunk_value_bytes(const struct chunk_size *size)
{
    return size->n_rule_states > 1 ? all_values(size) : 0;
}

static size_t chunk_bytes(const struct chunk_size *size)
{
    return sizeof(struct chunk) + chunk_number_bytes(size) + chunk_value_bytes(size) +
           (size->limited ? all_values(size) : 0);
}

/* Chunks differ in size, so replacing them on the heap fragments it: a sixth of their memory is
 * lost in gaps that cannot be reused or returned. Large chunks therefore get a mapping each, up to
 * a limit: Linux lets a process have 65,530. NULL: too many, or out of memory. */
static struct chunk *map_chunk(size_t n_bytes)
{
    if (atomic_fetch_add(&n_mapped, 1) < MAX_MAPPED_CHUNKS) {
        struct chunk *chunk = os_map_memory(n_bytes);
        if (chunk != NULL)
            return chunk;
    }
    atomic_fetch_sub(&n_mapped, 1);
    return NULL;
}

struct chunk *chunk_new(const struct chunk_size *size)
{
    const size_t n_bytes = chunk_bytes(size);
    struct chunk *chunk = n_bytes < MIN_MAPPED_BYTES ? NULL : map_chunk(n_bytes);
    const bool mapped = chunk != NULL;
    if (!mapped)
        chunk = malloc(n_bytes);
    if (chunk == NULL)
        return NULL;
    memset(chunk, 0, sizeof *chunk);
    chunk->mapped = mapped;
    chunk->n_placements = size->n_placements;
    chunk->n_patterns = size->n_patterns;
    chunk->wide = size->n_patterns > 256;
    chunk->n_bytes = n_bytes;
    chunk->values =
        chunk_value_bytes(size) > 0 ? chunk->number + chunk_number_bytes(size) : every_value;
    chunk->entry_values = chunk->values;
    return chunk;
}

void chunk_free(struct chunk *chunk)
{
    if (chunk == NULL || !chunk->mapped) {
        free(chunk);
        return;
    }
    os_unmap_memory(chunk, chunk->n_bytes);
    atomic_fetch_sub(&n_mapped, 1);
}

value_t *chunk_mutable_values(struct chunk *chunk)
{
    return chunk->number + (chunk->values - chunk->number);
}

void chunk_limit(struct chunk *chunk, int n_rule_states, int limit)
{
    const size_t n = (size_t)chunk->n_patterns * (size_t)n_rule_states;
    value_t *entry = (uint8_t *)chunk + chunk->n_bytes - n;
    for (size_t i = 0; i < n; i++)
        entry[i] = value_limited(chunk->values[i], limit, 0);
    chunk->entry_values = entry;
}

/* The values of all patterns, in their order in the chunk. */
static void write_values(const struct chunk_builder *builder, const int *order, value_t *buffer)
{
    const struct bytes_set *patterns = &builder->patterns;
    const size_t n_states = (size_t)builder->n_rule_states;
    if (!builder->has_keys && order == NULL) {
        memcpy(buffer, patterns->values, patterns->n * patterns->length);
        return;
    }
    for (size_t i = 0; i < patterns->n; i++) {
        const uint8_t *pattern = patterns->values + i * patterns->length;
        uint64_t key[MAX_KEY_WORDS] = {0};
        if (builder->has_keys)
            memcpy(key, pattern, patterns->length);
        for (size_t state = 0; state < n_states; state++) {
            const int from = order != NULL ? order[state] : (int)state;
            buffer[i * n_states + state] = builder->has_keys ? key_value(key, from) : pattern[from];
        }
    }
}

struct chunk *chunk_builder_make(const struct chunk_builder *builder, const int *order, int limit)
{
    const struct bytes_set *patterns = &builder->patterns;
    const uint32_t n = builder->n_placements;
    const struct chunk_size size = {n, patterns->n > 0 ? patterns->n : 1, builder->n_rule_states,
                                    limit > 0};
    const size_t n_value_bytes = chunk_value_bytes(&size);
    struct chunk *chunk = chunk_new(&size);
    if (chunk == NULL)
        return NULL;
    if (chunk->wide)
        memcpy(chunk->number, builder->number, n * sizeof *builder->number);
    else
        for (uint32_t i = 0; i < n; i++)
            chunk->number[i] = (uint8_t)builder->number[i];
    if (n_value_bytes > 0 && patterns->n > 0)
        write_values(builder, order, chunk_mutable_values(chunk));
    else if (n_value_bytes > 0)
        memset(chunk_mutable_values(chunk), 0, n_value_bytes);
    if (limit > 0)
        chunk_limit(chunk, builder->n_rule_states, limit);
    return chunk;
}
