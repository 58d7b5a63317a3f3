/* In memory: the struct, the pattern numbers (a byte each, or two if there are more than 256
 * patterns), then the patterns; a record of chunk_file.c has the last two in the same order. If
 * placements have a single value, the value is the number, and all chunks share one array of 256
 * patterns. */
#include "gen/values/chunk.h"

#include "core/program/extensions.h"
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
    memset(builder->known, UINT8_MAX, sizeof builder->known);
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

size_t chunk_number_bytes(uint32_t n_placements, uint32_t n_patterns)
{
    return (size_t)n_placements * (n_patterns > 256 ? 2 : 1);
}

size_t chunk_value_bytes(const struct chunk_form *form, uint32_t n_patterns)
{
    return form->n_rule_states > 1 ? (size_t)n_patterns * (size_t)form->n_rule_states : 0;
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

struct chunk *chunk_new(const struct chunk_form *form, uint32_t n_placements, uint32_t n_patterns)
{
    const size_t n_numbers = chunk_number_bytes(n_placements, n_patterns);
    const size_t n_values = chunk_value_bytes(form, n_patterns);
    const size_t n_entry = form->limit > 0 ? (size_t)n_patterns * (size_t)form->n_rule_states : 0;
    const size_t n_bits = form->n_runs[0] > 0 ? n_patterns : 0;
    const size_t bits_at = (sizeof(struct chunk) + n_numbers + n_values + n_entry + 7) & ~(size_t)7;
    const size_t n_bytes = bits_at + n_bits * sizeof(uint64_t);
    struct chunk *chunk = n_bytes < MIN_MAPPED_BYTES ? NULL : map_chunk(n_bytes);
    const bool mapped = chunk != NULL;
    if (!mapped)
        chunk = malloc(n_bytes);
    if (chunk == NULL)
        return NULL;
    memset(chunk, 0, sizeof *chunk);
    chunk->mapped = mapped;
    chunk->n_placements = n_placements;
    chunk->n_patterns = n_patterns;
    chunk->wide = n_patterns > 256;
    chunk->n_bytes = n_bytes;
    chunk->values = n_values > 0 ? chunk->number + n_numbers : every_value;
    chunk->entry_values = n_entry > 0 ? chunk->number + n_numbers + n_values : chunk->values;
    if (n_bits > 0)
        chunk->entry_bits = (uint64_t *)(void *)((uint8_t *)chunk + bits_at);
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

/* What is in the chunk's own memory, to be written. */
static void *own(struct chunk *chunk, const void *at)
{
    return (uint8_t *)chunk + ((const uint8_t *)at - (const uint8_t *)chunk);
}

value_t *chunk_mutable_values(struct chunk *chunk)
{
    return own(chunk, chunk->values);
}

void chunk_finish(struct chunk *chunk, const struct chunk_form *form, uint64_t page)
{
    const size_t n_states = (size_t)form->n_rule_states;
    const bool second = page >= form->n_pages_a_side;
    if (chunk->entry_values != chunk->values) {
        value_t *entry = own(chunk, chunk->entry_values);
        for (size_t i = 0; i < chunk->n_patterns * n_states; i++)
            entry[i] = value_limited(chunk->values[i], form->limit, 0);
    }
    if (chunk->entry_bits == NULL)
        return;
    uint64_t *bits = own(chunk, chunk->entry_bits);
    for (size_t i = 0; i < chunk->n_patterns; i++)
        bits[i] = values_bits(chunk->entry_values + i * n_states, form->n_runs[second],
                              (size_t)form->run_stride[second]);
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

MULTI_TARGET
static void narrow(size_t n, const uint16_t *restrict from, uint8_t *restrict to)
{
    for (size_t i = 0; i < n; i++)
        to[i] = (uint8_t)from[i];
}

struct chunk *chunk_builder_make(const struct chunk_builder *builder, const int *order,
                                 const struct chunk_form *form, uint64_t page)
{
    const struct bytes_set *patterns = &builder->patterns;
    const uint32_t n = builder->n_placements;
    const uint32_t n_patterns = patterns->n > 0 ? patterns->n : 1;
    const size_t n_value_bytes = chunk_value_bytes(form, n_patterns);
    struct chunk *chunk = chunk_new(form, n, n_patterns);
    if (chunk == NULL)
        return NULL;
    if (chunk->wide)
        memcpy(chunk->number, builder->number, n * sizeof *builder->number);
    else
        narrow(n, builder->number, chunk->number);
    if (n_value_bytes > 0 && patterns->n > 0)
        write_values(builder, order, chunk_mutable_values(chunk));
    else if (n_value_bytes > 0)
        memset(chunk_mutable_values(chunk), 0, n_value_bytes);
    chunk_finish(chunk, form, page);
    return chunk;
}
