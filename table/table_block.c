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

/* Placements with the numbers of their patterns. */
struct numbered {
    uint32_t n, n_patterns;
    const value_t *patterns;
    uint16_t *numbers;
};

/* Stores the new numbers of all placements, `per_byte` in a byte. */
ALWAYS_INLINE void pack_bytes(const struct numbered *from, const uint16_t *renumber,
                              const uint32_t per_byte, uint8_t *to)
{
    const uint32_t n = from->n;
    for (uint32_t i = 0; i < n; i += per_byte) {
        const uint32_t left = n - i < per_byte ? n - i : per_byte;
        unsigned packed = 0;
        for (uint32_t j = 0; j < left; j++)
            packed |= (unsigned)renumber[from->numbers[i + j]] << (j * 8 / per_byte);
        *to++ = (uint8_t)packed;
    }
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
    for (size_t i = 0; i < from->n && shift == 4; i++)
        store_u16(to + 2 * i, renumber[from->numbers[i]]);
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

/* Builds the block of numbered placements. */
static einspul_status build_block(const struct table *table, const struct numbered *from,
                                  struct block **result, einspul_error *error)
{
    const size_t length = (size_t)table->shape.n_rule_states;
    const bool even = !table->header.has_distances;
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

/* Assembles `n` pattern numbers from one or two byte planes; returns the largest. */
static unsigned join_planes(const uint8_t *planes, uint32_t n, bool two, uint16_t *numbers)
{
    uint16_t max = 0;
    for (uint32_t i = 0; i < n; i++) {
        numbers[i] = (uint16_t)(planes[i] | (two ? planes[n + i] << 8 : 0));
        max = numbers[i] > max ? numbers[i] : max;
    }
    return max;
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
    const size_t at = 4 + n_patterns * length;
    if (n_bytes != at + ((size_t)n << wide))
        return corrupt(table, number, "its size is not what its numbers say", error);

    uint16_t *numbers = malloc(n * sizeof *numbers + n_patterns * length);
    if (numbers == NULL)
        return file_no_memory(table->path, error);
    value_t *patterns = (value_t *)(numbers + n);
    const struct numbered numbered = {n, n_patterns, patterns, numbers};
    const einspul_status status =
        !gather_patterns(table, payload + 4, n_patterns, patterns) ||
                join_planes(payload + at, n, wide, numbers) >= n_patterns
            ? corrupt(table, number, "a pattern number or value that cannot be", error)
            : build_block(table, &numbered, block, error);
    free(numbers);
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
                              uint16_t *buckets, uint32_t mask, uint16_t *numbers)
{
    uint32_t n_patterns = 0;
    for (uint32_t place = 0; place < n; place++) {
        const value_t *pattern = values + place * length;
        numbers[place] = 0;
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
        numbers[place] = (uint16_t)(buckets[at] - 1);
    }
    return n_patterns;
}

/* The block of the values that a model yields, numbered as in any other block; a block that stores
 * nothing has one pattern of zeros. */
static einspul_status value_block(const struct table *table, const struct model_scratch *scratch,
                                  uint32_t n, struct block **block, einspul_error *error)
{
    uint32_t mask = 1;
    while (mask <= n)
        mask = 2 * mask + 1;
    uint16_t *buckets = calloc(mask + 1 + (size_t)n, sizeof *buckets);
    if (buckets == NULL)
        return file_no_memory(table->path, error);
    struct numbered numbered = {.n = n, .patterns = scratch->values, .numbers = buckets + mask + 1};
    const uint32_t n_patterns =
        number_values(scratch->values, scratch->outcomes, n, (size_t)table->shape.n_rule_states,
                      buckets, mask, numbered.numbers);
    numbered.n_patterns = n_patterns == 0 ? 1 : n_patterns;
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
