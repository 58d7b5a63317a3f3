/* Decodes blocks. Bytes are copied first; the copy is checked against its checksum and decoded,
 * so a file that changes during the read cannot give a wrong value. */
#include "table/table_block.h"
#include "core/bytes_set.h"
#include "table/bytes.h"
#include "table/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

/* Allocates a block of `n` placements: pattern numbers and patterns of `length` values, or plain
 * values if `length` is 1. NULL if out of memory. */
static struct block *block_create(uint32_t n, uint32_t n_patterns, size_t length)
{
    if (length == 1)
        n_patterns = 0;
    const size_t size =
        sizeof(struct block) + block_patterns_at(n, n_patterns > 256) + n_patterns * length;
    struct block *block = malloc(size);
    if (block != NULL)
        *block = (struct block){.n_placements = n, .n_patterns = n_patterns, .n_bytes = size};
    return block;
}

static einspul_status corrupt(const struct table *table, uint64_t number, const char *what,
                              einspul_error *error)
{
    return error_set(error, EINSPUL_CORRUPT, "%s: block %llu: %s", path_tail(table->path),
                     (unsigned long long)number, what);
}

/* Assembles `n` pattern numbers from one or two byte planes; returns the largest. */
static unsigned join_planes(const uint8_t *planes, uint32_t n, bool two, uint8_t *number)
{
    uint16_t *wide = (uint16_t *)(void *)number;
    uint8_t most_byte = 0;
    uint16_t max = 0;
    for (uint32_t i = 0; i < n && two; i++) {
        wide[i] = (uint16_t)(planes[i] | planes[n + i] << 8);
        max = wide[i] > max ? wide[i] : max;
    }
    for (uint32_t i = 0; i < n && !two; i++) {
        number[i] = planes[i];
        most_byte = planes[i] > most_byte ? planes[i] : most_byte;
    }
    return two ? max : most_byte;
}

/* Transposes `n` patterns stored by rule state into consecutive patterns. False if a value is
 * invalid. */
static bool gather_patterns(const struct table *table, const uint8_t *planes, size_t n,
                            uint8_t *patterns)
{
    const size_t length = (size_t)table->shape.n_rule_states;
    unsigned bad = 0;
    for (size_t v = 0; v < length; v++) {
        for (size_t i = 0; i < n; i++) {
            const uint8_t value = planes[v * n + i];
            patterns[i * length + v] = value;
            bad |= table->header.has_distances ? value == VALUE_NONE
                                               : value != value_without_distance(value);
        }
    }
    return bad == 0;
}

/* Builds a block of `n` placements from its decompressed bytes. */
static einspul_status build_block(const struct table *table, uint64_t number, uint32_t n,
                                  const uint8_t *payload, size_t n_bytes, struct block **result,
                                  einspul_error *error)
{
    const size_t length = (size_t)table->shape.n_rule_states;
    const uint32_t n_patterns = n_bytes < 4 ? 0 : load_u32(payload);
    if (n_patterns == 0 || n_patterns > n || (length == 1 && n_patterns > 256))
        return corrupt(table, number, "the number of its patterns cannot be", error);
    const bool wide = n_patterns > 256;
    const size_t at = 4 + n_patterns * length;
    if (n_bytes != at + ((size_t)n << wide))
        return corrupt(table, number, "its size is not what its numbers say", error);

    uint8_t values[256];
    struct block *block = block_create(n, n_patterns, length);
    if (block == NULL)
        return file_no_memory(table->path, error);
    bool good = gather_patterns(table, payload + 4, n_patterns,
                                length == 1 ? values : block->data + block_patterns_at(n, wide));
    if (join_planes(payload + at, n, wide, block->data) >= n_patterns)
        good = false;
    if (!good) {
        free(block);
        return corrupt(table, number, "a pattern number or value that cannot be", error);
    }
    for (uint32_t i = 0; i < n && length == 1; i++)
        block->data[i] = values[block->data[i]];
    *result = block;
    return EINSPUL_OK;
}

/* --- with a model ----------------------------------------------------------------------------- */

/* A model yields the values of each placement. If a placement has several, they are collected into
 * numbered patterns as in any other block; a block that stores nothing has one pattern of zeros. */
enum { FIRST_PATTERNS = 128 };

/* Builds the block of the `n` numbered placements. */
static struct block *gather_block(const struct bytes_set *set, const uint16_t *numbers, uint32_t n)
{
    const uint32_t n_patterns = set->n == 0 ? 1 : set->n;
    struct block *block = block_create(n, n_patterns, set->length);
    if (block == NULL)
        return NULL;
    uint8_t *patterns = block->data + block_patterns_at(n, n_patterns > 256);
    memset(patterns, 0, set->length);
    memcpy(patterns, set->values, set->n * set->length);
    if (n_patterns > 256)
        memcpy(block->data, numbers, n * sizeof *numbers);
    else
        for (uint32_t place = 0; place < n; place++)
            block->data[place] = (uint8_t)numbers[place];
    return block;
}

/* A block of `n` placements from the values the model gives, or NULL without memory. */
static struct block *value_block(const struct model_scratch *scratch, uint32_t n, size_t length)
{
    struct bytes_set set = {0};
    struct block *block = NULL;
    if (length == 1) {
        block = block_create(n, 0, 1);
        if (block != NULL)
            memcpy(block->data, scratch->values, n);
        return block;
    }
    uint16_t *numbers = calloc(n, sizeof *numbers);
    bool ready = numbers != NULL && bytes_set_init(&set, length, FIRST_PATTERNS, n) == EINSPUL_OK;
    for (uint32_t place = 0; place < n && ready; place++) {
        uint32_t number = 0;
        ready = scratch->outcomes[place] == 0 ||
                bytes_set_add(&set, scratch->values + place * length, &number) == EINSPUL_OK;
        numbers[place] = (uint16_t)number;
    }
    if (ready)
        block = gather_block(&set, numbers, n);
    free(numbers);
    bytes_set_free(&set);
    return block;
}

static einspul_status decode_model(const struct table *table, enum side side, uint64_t first,
                                   uint32_t n, uint32_t last, const uint8_t *bytes, size_t size,
                                   struct block **block, einspul_error *error)
{
    struct model_scratch scratch = {0};
    if (model_scratch_init(&scratch, &table->model->plans[side], n)) {
        const uint32_t n_decoded =
            model_decode(table->model, side, first, n, last, bytes, size, &scratch);
        *block = value_block(&scratch, n_decoded, (size_t)table->shape.n_rule_states);
        if (*block != NULL)
            (*block)->is_partial = n_decoded < n;
    }
    model_scratch_free(&scratch);
    return *block == NULL ? file_no_memory(table->path, error) : EINSPUL_OK;
}

/* --- any block -------------------------------------------------------------------------------- */

/* Placements of a block, and its side and first index. */
static uint32_t block_span(const struct table *table, uint64_t number, enum side *side,
                           uint64_t *first)
{
    const uint64_t n = table->header.block_placements;
    *side = table_block_side(table, number);
    *first = number % table->blocks_per_side * n;
    const uint64_t left = table->shape.n_placements - *first;
    return (uint32_t)(left < n ? left : n);
}

einspul_status table_block_from_bytes(const struct table *table, uint64_t number, uint32_t last,
                                      const uint8_t *bytes, size_t size, struct block **block,
                                      einspul_error *error)
{
    const struct header *header = &table->header;
    uint64_t first = 0;
    enum side side = WHITE;
    const uint32_t n = block_span(table, number, &side, &first);
    uint8_t *payload = NULL;
    char what[32];

    *block = NULL;
    if (header->dictionary == DICTIONARY_MODEL)
        return decode_model(table, side, first, n, last, bytes, size, block, error);
    const unsigned long long content = ZSTD_getFrameContentSize(bytes, size);
    if (content > format_block_bound(&table->shape, n))
        return corrupt(table, number, "its size is not what its numbers say", error);
    snprintf(what, sizeof what, "block %llu", (unsigned long long)number);
    einspul_status status = table_decompress(table, what, bytes, size, content, &payload, error);
    if (status == EINSPUL_OK)
        status = build_block(table, number, n, payload, (size_t)content, block, error);
    free(payload);
    return status;
}

static uint64_t block_start(const struct table *table, uint64_t number)
{
    return number == 0 ? 0 : table->block_end[number - 1];
}

einspul_status table_decode_block(const struct table *table, uint64_t number, uint32_t last,
                                  struct block **block, einspul_error *error)
{
    const struct header *header = &table->header;
    uint8_t *bytes = NULL;

    *block = NULL;
    if (number >= header->n_blocks)
        return corrupt(table, number, "there is no such block", error);
    const uint64_t group = format_group_first(header, number);
    const uint64_t group_start = block_start(table, group);
    const uint64_t start = block_start(table, number);
    const uint64_t group_size =
        table->block_end[format_group_end(header, number) - 1] - group_start;
    einspul_status status =
        file_read(table->file, header->blocks_offset + group_start, group_size, &bytes, error);
    if (status == EINSPUL_OK &&
        format_checksum(bytes, (size_t)group_size) != table->checksum[number / header->index_group])
        status = error_set(error, EINSPUL_BAD_BLOCK, "%s: block %llu: checksum mismatch",
                           path_tail(table->path), (unsigned long long)number);
    if (status == EINSPUL_OK)
        status = table_block_from_bytes(table, number, last, bytes + (start - group_start),
                                        (size_t)(table->block_end[number] - start), block, error);
    free(bytes);
    return status;
}
