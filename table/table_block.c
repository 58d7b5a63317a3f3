/* Decodes blocks. Bytes are copied first; the copy is checked against its checksum and decoded,
 * so a file that changes during the read cannot give a wrong value. */
#include "table/table_block.h"
#include "table/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <zstd.h>

static einspul_status corrupt(const struct table *table, uint64_t number, const char *what,
                              einspul_error *error)
{
    return error_set(error, EINSPUL_CORRUPT, "%s: block %llu: %s", path_tail(table->path),
                     (unsigned long long)number, what);
}

/* --- building a block ------------------------------------------------------------------------- */

/* Placements with the numbers of their patterns, as a file has them. */
struct numbered {
    uint32_t n, n_patterns;
    const uint8_t *patterns;
    const uint8_t *low, *high; /* bytes of the numbers; `high` NULL: one byte each */
};

/* The greatest of the numbers. */
static unsigned greatest_number(const struct numbered *from)
{
    const uint8_t *low = from->low;
    const uint8_t *high = from->high;
    const uint32_t n = from->n;
    uint8_t of_bytes = 0;
    unsigned max = 0;
    if (high == NULL) {
        for (uint32_t i = 0; i < n; i++)
            of_bytes = low[i] > of_bytes ? low[i] : of_bytes;
        return of_bytes;
    }
    for (uint32_t i = 0; i < n; i++) {
        const unsigned number = low[i] | (unsigned)high[i] << 8;
        max = number > max ? number : max;
    }
    return max;
}

/* Stores the new numbers of all placements, `per_byte` in a byte. */
ALWAYS_INLINE void pack_bytes(const struct numbered *from, const uint16_t *renumber,
                              const uint32_t per_byte, uint8_t *to)
{
    const uint32_t n_whole = from->n / per_byte;
    const uint8_t *low = from->low;
    unsigned packed = 0;
    for (uint32_t i = 0; i < n_whole; i++, low += per_byte) {
        packed = 0;
        for (uint32_t j = 0; j < per_byte; j++)
            packed |= (unsigned)renumber[low[j]] << (j * 8 / per_byte);
        to[i] = (uint8_t)packed;
    }
    packed = 0;
    for (uint32_t j = 0; j < from->n % per_byte; j++)
        packed |= (unsigned)renumber[low[j]] << (j * 8 / per_byte);
    if (from->n % per_byte > 0)
        to[n_whole] = (uint8_t)packed;
}

static void pack_numbers(const struct numbered *from, const uint16_t *renumber, unsigned shift,
                         uint8_t *to)
{
    if (shift == 1)
        pack_bytes(from, renumber, 4, to);
    else if (shift == 2)
        pack_bytes(from, renumber, 2, to);
    else if (shift == 3)
        pack_bytes(from, renumber, 1, to);
    for (uint32_t i = 0; i < from->n && shift == 4; i++)
        store_u16(to + 2 * (size_t)i,
                  renumber[from->low[i] | (from->high == NULL ? 0 : from->high[i] << 8)]);
}

/* True if a pattern has one outcome in all rule states that it has values for. */
static bool is_even(const value_t *pattern, size_t length)
{
    for (size_t i = 1; i < length; i++)
        if (pattern[i] != pattern[0] && pattern[i] != VALUE_NONE)
            return false;
    return true;
}

/* Renumbers the patterns as a block has them; returns how many it needs. */
static uint32_t renumber_patterns(const struct table *table, const struct numbered *from,
                                  uint16_t *renumber)
{
    const size_t length = (size_t)table->shape.n_rule_states;
    const bool distances = table->header.has_distances;
    uint32_t n = distances ? 0 : N_EVEN_PATTERNS;
    for (uint32_t i = 0; i < from->n_patterns; i++) {
        const value_t *pattern = from->patterns + i * length;
        if (distances && length == 1)
            renumber[i] = pattern[0];
        else if (!distances && is_even(pattern, length))
            renumber[i] = pattern[0] / VALUE_DRAW;
        else
            renumber[i] = (uint16_t)n++;
    }
    return n;
}

/* Builds the block of numbered placements. CORRUPT if a number has no pattern. */
static einspul_status build_block(const struct table *table, uint64_t number,
                                  const struct numbered *from, struct block **result,
                                  einspul_error *error)
{
    const size_t length = (size_t)table->shape.n_rule_states;
    const bool even = !table->header.has_distances;
    if (greatest_number(from) >= from->n_patterns)
        return corrupt(table, number, "a pattern number or value that cannot be", error);
    uint16_t *renumber = malloc(from->n_patterns * sizeof *renumber);
    if (renumber == NULL)
        return file_no_memory(table->path, error);
    const uint32_t n = renumber_patterns(table, from, renumber);
    const unsigned shift = n == 0 ? 3 : n <= 4 ? 1 : n <= 16 ? 2 : n <= 256 ? 3 : 4;
    const size_t at = block_patterns_at(from->n, shift);
    const size_t n_bytes = sizeof(struct block) + at + n * length;
    struct block *block = malloc(n_bytes);
    if (block != NULL) {
        *block = (struct block){from->n, false, (uint8_t)shift, n, n_bytes};
        pack_numbers(from, renumber, shift, block->data);
        for (uint32_t i = 0; i < N_EVEN_PATTERNS && even; i++)
            memset(block->data + at + i * length, (int)i * VALUE_DRAW, length);
        for (uint32_t i = 0; i < from->n_patterns && n > 0; i++)
            memcpy(block->data + at + renumber[i] * length, from->patterns + i * length, length);
    }
    free(renumber);
    *result = block;
    return block == NULL ? file_no_memory(table->path, error) : EINSPUL_OK;
}

/* So that new numbers have at most 16 bits. */
enum { MAX_BLOCK_PATTERNS = 65536 - N_EVEN_PATTERNS };

/* --- with patterns of its own ----------------------------------------------------------------- */

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
static einspul_status unpack_block(const struct table *table, uint64_t number, uint32_t n,
                                   const uint8_t *payload, size_t n_bytes, struct block **block,
                                   einspul_error *error)
{
    const size_t length = (size_t)table->shape.n_rule_states;
    const uint32_t n_patterns = n_bytes < 4 ? 0 : load_u32(payload);
    if (n_patterns == 0 || n_patterns > n || n_patterns > MAX_BLOCK_PATTERNS ||
        (length == 1 && n_patterns > 256))
        return corrupt(table, number, "the number of its patterns cannot be", error);
    const bool wide = n_patterns > 256;
    const uint8_t *low = payload + 4 + n_patterns * length;
    if (n_bytes != 4 + n_patterns * length + ((size_t)n << wide))
        return corrupt(table, number, "its size is not what its numbers say", error);

    uint8_t *patterns = malloc(n_patterns * length);
    const struct numbered numbered = {n, n_patterns, patterns, low, wide ? low + n : NULL};
    einspul_status status = EINSPUL_OK;
    if (patterns == NULL)
        status = file_no_memory(table->path, error);
    else if (!gather_patterns(table, payload + 4, n_patterns, patterns))
        status = corrupt(table, number, "a pattern number or value that cannot be", error);
    else
        status = build_block(table, number, &numbered, block, error);
    free(patterns);
    return status;
}

/* --- with a model ----------------------------------------------------------------------------- */

static uint32_t hash_of(const value_t *values, size_t length)
{
    uint64_t hash = 0;
    for (size_t at = 0; at < length; at += sizeof hash) {
        uint64_t word = 0;
        memcpy(&word, values + at, length - at < sizeof word ? length - at : sizeof word);
        hash = (hash ^ hash >> 29 ^ word) * 0x9e3779b97f4a7c15u;
    }
    return (uint32_t)(hash >> 32);
}

/* Numbers the patterns of the placements with a value, which move to the beginning of `values`;
 * others get the number 0. `buckets` has a power of two of zeros, `mask` + 1, more than `n`. Returns
 * the number of patterns. */
static uint32_t number_values(value_t *values, const uint8_t *outcomes, uint32_t n, size_t length,
                              uint16_t *buckets, uint32_t mask, uint8_t *low)
{
    uint32_t n_patterns = 0;
    for (uint32_t place = 0; place < n; place++) {
        const value_t *pattern = values + place * length;
        uint32_t at = outcomes[place] == OUTCOME_NONE ? 0 : hash_of(pattern, length) & mask;
        if (outcomes[place] != OUTCOME_NONE) {
            while (buckets[at] != 0 &&
                   memcmp(values + (buckets[at] - 1u) * length, pattern, length) != 0)
                at = (at + 1) & mask;
            if (buckets[at] == 0) {
                memmove(values + n_patterns * length, pattern, length);
                buckets[at] = (uint16_t)++n_patterns;
            }
        }
        const unsigned number = outcomes[place] == OUTCOME_NONE ? 0 : buckets[at] - 1u;
        low[place] = (uint8_t)(number & 0xff);
        low[n + place] = (uint8_t)(number >> 8);
    }
    return n_patterns;
}

/* A model yields the values of each placement. If a placement has several, they are collected into
 * numbered patterns as in any other block; a block that stores nothing has one pattern of zeros. */
static einspul_status value_block(const struct table *table, uint64_t number,
                                  struct model_scratch *scratch, uint32_t n, struct block **block,
                                  einspul_error *error)
{
    const size_t length = (size_t)table->shape.n_rule_states;
    struct numbered numbered = {.n = n};
    value_t all[256];
    if (length == 1) {
        for (int value = 0; value < 256; value++)
            all[value] = table->header.has_distances ? (value_t)value
                                                     : value_without_distance((value_t)value);
        numbered.n_patterns = table->header.has_distances ? 256 : VALUE_NONE;
        numbered.patterns = all;
        numbered.low = scratch->values;
        return build_block(table, number, &numbered, block, error);
    }
    uint32_t mask = 1;
    while (mask <= n)
        mask = 2 * mask + 1;
    uint8_t *low = malloc(2 * (size_t)n);
    uint16_t *buckets = calloc(mask + 1, sizeof *buckets);
    einspul_status status = EINSPUL_NO_MEMORY;
    if (low == NULL || buckets == NULL) {
        file_no_memory(table->path, error);
    } else {
        const uint32_t n_patterns =
            number_values(scratch->values, scratch->outcomes, n, length, buckets, mask, low);
        numbered.n_patterns = n_patterns == 0 ? 1 : n_patterns;
        numbered.patterns = scratch->values;
        numbered.low = low;
        numbered.high = numbered.n_patterns > 256 ? low + n : NULL;
        status = build_block(table, number, &numbered, block, error);
    }
    free(low);
    free(buckets);
    return status;
}

static einspul_status decode_model(const struct table *table, uint64_t number, enum side side,
                                   uint64_t first, uint32_t n, uint32_t last, const uint8_t *bytes,
                                   size_t size, struct block **block, einspul_error *error)
{
    struct model_scratch scratch = {0};
    einspul_status status = EINSPUL_OK;
    if (model_scratch_init(&scratch, &table->model->plans[side], n)) {
        const uint32_t n_decoded =
            model_decode(table->model, side, first, n, last, bytes, size, &scratch);
        status = value_block(table, number, &scratch, n_decoded, block, error);
        if (status == EINSPUL_OK)
            (*block)->is_partial = n_decoded < n;
    } else {
        status = file_no_memory(table->path, error);
    }
    model_scratch_free(&scratch);
    return status;
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
        return decode_model(table, number, side, first, n, last, bytes, size, block, error);
    const unsigned long long content = ZSTD_getFrameContentSize(bytes, size);
    if (content > format_block_bound(&table->shape, n))
        return corrupt(table, number, "its size is not what its numbers say", error);
    snprintf(what, sizeof what, "block %llu", (unsigned long long)number);
    einspul_status status = table_decompress(table, what, bytes, size, content, &payload, error);
    if (status == EINSPUL_OK)
        status = unpack_block(table, number, n, payload, (size_t)content, block, error);
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
