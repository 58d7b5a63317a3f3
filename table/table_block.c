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

/* Placements with the numbers of their patterns, as a file or a model gives them. */
struct numbered {
    uint32_t n, n_patterns;
    const value_t *patterns; /* the value of pattern i in rule state v: [i * stride + v * apart] */
    size_t stride, apart;
    const uint8_t *low;  /* bytes of the numbers, and 7 zeros */
    const uint8_t *high; /* NULL: at most 256 patterns */
};

/* Stores the new numbers, `per_byte` in a byte: a product moves the old ones together, and a table
 * replaces them at once. */
ALWAYS_INLINE void pack_bytes(const struct numbered *from, const uint16_t *renumber,
                              const unsigned per_byte, uint8_t *to)
{
    const unsigned bits = 8 / per_byte;
    const unsigned ones = (1u << bits) - 1;
    const uint32_t factor = per_byte == 4 ? 0x1041040 : per_byte == 2 ? 0x110 : 1;
    const size_t n_bytes = ((size_t)from->n + per_byte - 1) / per_byte;
    uint8_t renumbered[256] = {(uint8_t)(renumber[0] * (255 / ones))};
    for (unsigned byte = 1; byte < 256; byte++)
        renumbered[byte] =
            (uint8_t)((unsigned)renumbered[byte >> bits] << bits | renumber[byte & ones]);
    for (size_t i = 0; i < n_bytes; i++) {
        const uint8_t *at = from->low + i * per_byte;
        const uint32_t numbers = per_byte == 4 ? load_u32(at) : per_byte == 2 ? load_u16(at) : *at;
        to[i] = renumbered[numbers * factor >> (8 * (per_byte - 1)) & 255];
    }
}

/* Stores new numbers of 1 << shift bits. */
static void pack_numbers(const struct numbered *from, const uint16_t *renumber, unsigned shift,
                         uint8_t *to)
{
    if (shift == 1)
        pack_bytes(from, renumber, 4, to);
    else if (shift == 2)
        pack_bytes(from, renumber, 2, to);
    else if (shift == 3)
        pack_bytes(from, renumber, 1, to);
    for (size_t i = 0; i < from->n && shift == 4; i++)
        store_u16(to + 2 * i,
                  renumber[from->low[i] | (from->high == NULL ? 0u : from->high[i]) << 8]);
}

/* True if a pattern has one outcome in all rule states that it has values for. */
static bool is_even(const value_t *pattern, size_t length, size_t apart)
{
    for (size_t v = 1; v < length; v++)
        if (pattern[v * apart] != pattern[0] && pattern[v * apart] != VALUE_NONE)
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
        const value_t *pattern = from->patterns + i * from->stride;
        if (distances && length == 1)
            renumber[i] = pattern[0];
        else if (!distances && is_even(pattern, length, from->apart))
            renumber[i] = pattern[0] / VALUE_DRAW;
        else
            renumber[i] = (uint16_t)n++;
    }
    return n;
}

/* Builds the block of numbered placements. */
static einspul_status build_block(const struct table *table, const struct numbered *from,
                                  struct block **result, einspul_error *error)
{
    const size_t length = (size_t)table->shape.n_rule_states;
    const bool even = !table->header.has_distances;
    uint16_t *renumber = calloc(from->n_patterns + (size_t)256, sizeof *renumber);
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
            for (size_t v = 0; v < length; v++)
                block->data[at + renumber[i] * length + v] =
                    from->patterns[i * from->stride + v * from->apart];
    }
    free(renumber);
    *result = block;
    return block == NULL ? file_no_memory(table->path, error) : EINSPUL_OK;
}

/* So that new numbers have at most 16 bits. */
enum { MAX_BLOCK_PATTERNS = 65536 - N_EVEN_PATTERNS };

/* True if a file may have all of these values. */
static bool values_are_valid(const struct table *table, const value_t *values, size_t n)
{
    bool good = true;
    if (table->header.has_distances)
        return memchr(values, VALUE_NONE, n) == NULL;
    for (size_t i = 0; i < n; i++)
        good &= values[i] == value_without_distance(values[i]);
    return good;
}

/* True if all numbers are below n_patterns. Numbers of one byte are compared eight at a time. */
static bool numbers_are_valid(const struct numbered *from)
{
    const uint64_t each = UINT64_MAX / 255;
    const uint64_t add = ((0 - from->n_patterns) & 127) * each;
    const uint64_t low_half = from->n_patterns <= 128 ? UINT64_MAX : 0;
    uint64_t bad = 0;
    for (size_t i = 0; i < from->n && from->high == NULL; i += 8) {
        const uint64_t word = load_u64(from->low + i);
        const uint64_t sum = (word & 127 * each) + add;
        bad |= ((sum & word) | ((sum | word) & low_half)) & 128 * each;
    }
    for (size_t i = 0; i < from->n && from->high != NULL; i++)
        bad |= (from->low[i] | (unsigned)from->high[i] << 8) >= from->n_patterns;
    return bad == 0;
}

/* Builds a block of `n` placements from its decompressed bytes, which 7 zeros follow. */
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
    const size_t at = 4 + n_patterns * length;
    if (n_bytes != at + ((size_t)n << wide))
        return corrupt(table, number, "its size is not what its numbers say", error);
    const struct numbered numbered = {.n = n,
                                      .n_patterns = n_patterns,
                                      .patterns = payload + 4,
                                      .stride = 1,
                                      .apart = n_patterns,
                                      .low = payload + at,
                                      .high = wide ? payload + at + n : NULL};
    return !values_are_valid(table, numbered.patterns, n_patterns * length) ||
                   !numbers_are_valid(&numbered)
               ? corrupt(table, number, "a pattern number or value that cannot be", error)
               : build_block(table, &numbered, block, error);
}

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
 * others keep the number 0. `buckets` has a power of two of zeros, `mask` + 1, more than `n`. Returns
 * the number of patterns. */
static uint32_t number_values(value_t *values, const uint8_t *outcomes, uint32_t n, size_t length,
                              uint16_t *buckets, uint32_t mask, uint8_t *low, uint8_t *high)
{
    uint32_t n_patterns = 0;
    for (uint32_t place = 0; place < n; place++) {
        const value_t *pattern = values + place * length;
        if (outcomes[place] == OUTCOME_NONE)
            continue;
        uint32_t at = hash_of(pattern, length) & mask;
        while (buckets[at] != 0 &&
               memcmp(values + (buckets[at] - 1u) * length, pattern, length) != 0)
            at = (at + 1) & mask;
        if (buckets[at] == 0) {
            memmove(values + n_patterns * length, pattern, length);
            buckets[at] = (uint16_t)++n_patterns;
        }
        low[place] = (uint8_t)((buckets[at] - 1) & 255);
        high[place] = (uint8_t)((buckets[at] - 1) >> 8);
    }
    return n_patterns;
}

/* The block of the values that a model yields, numbered as in any other block; a block that stores
 * nothing has one pattern of zeros. */
static einspul_status value_block(const struct table *table, const struct model_scratch *scratch,
                                  uint32_t n, struct block **block, einspul_error *error)
{
    const size_t length = (size_t)table->shape.n_rule_states;
    uint32_t mask = 1;
    while (mask <= n)
        mask = 2 * mask + 1;
    uint16_t *buckets = calloc(mask + 1 + (size_t)n + 8, sizeof *buckets);
    if (buckets == NULL)
        return file_no_memory(table->path, error);
    uint8_t *low = (uint8_t *)(buckets + mask + 1);
    uint8_t *high = low + n + 8;
    const uint32_t n_patterns =
        number_values(scratch->values, scratch->outcomes, n, length, buckets, mask, low, high);
    const struct numbered numbered = {.n = n,
                                      .n_patterns = n_patterns == 0 ? 1 : n_patterns,
                                      .patterns = scratch->values,
                                      .stride = length,
                                      .apart = 1,
                                      .low = low,
                                      .high = n_patterns > 256 ? high : NULL};
    const einspul_status status = build_block(table, &numbered, block, error);
    free(buckets);
    return status;
}

static einspul_status decode_model(const struct table *table, enum side side, uint64_t first,
                                   uint32_t n, uint32_t last, const uint8_t *bytes, size_t size,
                                   struct block **block, einspul_error *error)
{
    struct model_scratch scratch = {0};
    einspul_status status = EINSPUL_OK;
    if (model_scratch_init(&scratch, &table->model->plans[side], n)) {
        const uint32_t n_decoded =
            model_decode(table->model, side, first, n, last, bytes, size, &scratch);
        status = value_block(table, &scratch, n_decoded, block, error);
        if (status == EINSPUL_OK)
            (*block)->is_partial = n_decoded < n;
    } else {
        status = file_no_memory(table->path, error);
    }
    model_scratch_free(&scratch);
    return status;
}

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
