/* Decodes blocks. Bytes are copied first; the copy is checked against its checksum and decoded,
 * so a file that changes during the read cannot give a wrong value. */
#include "table/table_block.h"
#include "table/model.h"

#include <stdlib.h>
#include <zstd.h>

static einspul_status corrupt(const struct table *table, uint64_t number, const char *what,
                              einspul_error *error)
{
    return error_set(error, EINSPUL_CORRUPT, "%s: block %llu: %s", path_tail(table->path),
                     (unsigned long long)number, what);
}

/* A block of outcomes for `n_content` bytes of *content, which are to be filled in; NULL: no
 * memory. */
static struct block *outcomes_create(const struct table *table, uint32_t n, size_t n_content,
                                     uint8_t **content)
{
    enum { MOST_COUNTS = MAX_BLOCK_PLACEMENTS / COUNTED * 2, READ_AT_ONCE = 8 };
    struct block *block = malloc(sizeof(struct block) + MOST_COUNTS + n_content + READ_AT_ONCE);
    if (block == NULL)
        return NULL;
    *block = (struct block){.n_placements = n, .is_outcome = true};
    *content = block->data + (block_codes(block, n, table->shape.n_rule_states) - block->data);
    memset(*content + n_content, 0, READ_AT_ONCE);
    block->n_bytes = (size_t)(*content + n_content + READ_AT_ONCE - (uint8_t *)block);
    return block;
}

/* Counts the uneven placements of a block of several rule states; returns how many it has. */
static uint32_t count_uneven(struct block *block, const uint8_t *codes)
{
    uint32_t n = 0;
    for (uint32_t place = 0; place < block->n_placements; place += 32) {
        const uint32_t left = block->n_placements - place;
        const uint64_t mask = left < 32 ? ((uint64_t)1 << 2 * left) - 1 : UINT64_MAX;
        if (place % COUNTED == 0)
            store_u16(block->data + place / COUNTED * 2, (uint16_t)n);
        n += (uint32_t)bits_count(uneven_codes(load_u64(codes + place / 4)) & mask);
    }
    return n;
}

/* Placements with the numbers of their patterns, as a file or a model gives them. */
struct numbered {
    uint32_t n, n_patterns;
    const value_t *patterns; /* the value of pattern i in rule state v: [i * stride + v * apart] */
    size_t stride, apart;
    const uint8_t *low;  /* bytes of the numbers */
    const uint8_t *high; /* NULL: at most 256 patterns */
};

static inline uint32_t number_of(const struct numbered *from, uint32_t place)
{
    return from->low[place] | (from->high == NULL ? 0u : (uint32_t)from->high[place] << 8);
}

/* True if a pattern has one outcome in all rule states that it has values for. */
static bool is_even(const value_t *pattern, size_t length, size_t apart)
{
    for (size_t v = 1; v < length; v++)
        if (pattern[v * apart] != pattern[0] && pattern[v * apart] != VALUE_NONE)
            return false;
    return true;
}

/* Adds a pattern to the content of a block of outcomes, by rule state, and counts it. Returns its code
 * or, from UNEVEN on, its number. */
static uint16_t add_pattern(const value_t *pattern, uint32_t length, size_t apart,
                            uint8_t *patterns)
{
    const uint32_t n = load_u16(patterns - 2);
    uint8_t *codes = patterns + n * code_bytes(length);
    if (is_even(pattern, length, apart))
        return (uint16_t)value_code(pattern[0]);
    for (uint32_t v = 0; v < length; v++)
        code_put(codes, v, value_code(pattern[v * apart]));
    store_u16(patterns - 2, (uint16_t)(n + 1));
    return (uint16_t)(UNEVEN + n);
}

/* Builds a block of outcomes from numbered placements. */
static einspul_status build_outcomes(const struct table *table, const struct numbered *from,
                                     struct block **result, einspul_error *error)
{
    const uint32_t length = (uint32_t)table->shape.n_rule_states;
    const size_t most = format_block_bound(&table->shape, from->n);
    uint8_t *content = NULL;
    uint16_t *codes = malloc(from->n_patterns * sizeof *codes);
    struct block *block = outcomes_create(table, from->n, most, &content);
    *result = block;
    if (codes == NULL || block == NULL) {
        free(codes);
        free(block);
        return file_no_memory(table->path, error);
    }
    memset(content, 0, most);
    uint8_t *patterns = content + code_bytes(from->n) + 2;
    for (uint32_t i = 0; i < from->n_patterns; i++)
        codes[i] = add_pattern(from->patterns + i * from->stride, length, from->apart, patterns);
    block->is_wide = load_u16(patterns - 2) > 256;
    uint8_t *numbers = patterns + load_u16(patterns - 2) * code_bytes(length);
    for (uint32_t i = 0; i < from->n; i++) {
        const uint32_t code = codes[number_of(from, i)];
        code_put(content, i, code < UNEVEN ? code : UNEVEN);
        if (code < UNEVEN)
            continue;
        *numbers++ = (uint8_t)((code - UNEVEN) & 255);
        if (block->is_wide)
            *numbers++ = (uint8_t)((code - UNEVEN) >> 8);
    }
    if (length > 1)
        count_uneven(block, content);
    block->n_bytes -= (size_t)(content + most - numbers);
    free(codes);
    return EINSPUL_OK;
}

/* Builds a block of distances. */
static einspul_status build_distances(const struct table *table, const struct numbered *from,
                                      struct block **result, einspul_error *error)
{
    const size_t length = (size_t)table->shape.n_rule_states;
    const bool is_wide = from->n_patterns > 256;
    const uint32_t n_patterns = length == 1 ? 0 : from->n_patterns;
    const size_t at = (size_t)from->n << is_wide;
    const size_t n_bytes = sizeof(struct block) + at + n_patterns * length;
    struct block *block = malloc(n_bytes);
    *result = block;
    if (block == NULL)
        return file_no_memory(table->path, error);
    *block = (struct block){.n_placements = from->n, .is_wide = is_wide, .n_bytes = n_bytes};
    for (uint32_t i = 0; i < from->n && !is_wide; i++)
        block->data[i] = length == 1 ? from->patterns[from->low[i]] : from->low[i];
    for (uint32_t i = 0; i < from->n && is_wide; i++)
        store_u16(block->data + 2 * (size_t)i, (uint16_t)number_of(from, i));
    for (uint32_t i = 0; i < n_patterns; i++)
        for (size_t v = 0; v < length; v++)
            block->data[at + i * length + v] = from->patterns[i * from->stride + v * from->apart];
    return EINSPUL_OK;
}

static einspul_status build_block(const struct table *table, const struct numbered *from,
                                  struct block **block, einspul_error *error)
{
    return table->header.has_distances ? build_distances(table, from, block, error)
                                       : build_outcomes(table, from, block, error);
}

/* Decompresses a block's content. */
static einspul_status decompress(const struct table *table, uint64_t number, const uint8_t *bytes,
                                 size_t size, uint8_t *to, size_t n, einspul_error *error)
{
    const einspul_status status =
        to == NULL ? EINSPUL_NO_MEMORY : table_decompress(table, "", bytes, size, to, n, NULL);
    return status == EINSPUL_OK        ? EINSPUL_OK
           : status == EINSPUL_CORRUPT ? corrupt(table, number, "decompression failed", error)
                                       : file_no_memory(table->path, error);
}

/* True if the content of a block of outcomes is sound: its sizes, outcomes and numbers. Completes the
 * block. */
static bool outcomes_are_valid(const struct table *table, struct block *block, const uint8_t *codes,
                               size_t n_content)
{
    const size_t size = code_bytes((uint32_t)table->shape.n_rule_states);
    const size_t n_codes = code_bytes(block->n_placements);
    uint64_t bad = 0;
    uint32_t most = 0;
    if (table->shape.n_rule_states == 1) {
        for (size_t i = 0; i < n_content; i += 8)
            bad |= uneven_codes(load_u64(codes + i));
        return bad == 0 && n_content == n_codes;
    }
    if (n_content < n_codes + 2)
        return false;
    const uint8_t *patterns = block_patterns(codes, block->n_placements);
    const size_t n_patterns = load_u16(patterns - 2);
    const uint8_t *numbers = patterns + n_patterns * size;
    const uint32_t n = count_uneven(block, codes);
    block->is_wide = n_patterns > 256;
    if (n_content != n_codes + 2 + n_patterns * size + ((size_t)n << block->is_wide))
        return false;
    for (size_t i = 0; i < n_patterns * size; i++)
        bad |= uneven_codes(patterns[i]);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t number = block->is_wide ? load_u16(numbers + 2 * (size_t)i) : numbers[i];
        most = number > most ? number : most;
    }
    return bad == 0 && (n == 0 || most < n_patterns);
}

/* Decodes a block of dictionary mode 3, whose content stays as it is. */
static einspul_status decode_outcomes(const struct table *table, uint64_t number, uint32_t n,
                                      const uint8_t *bytes, size_t size, size_t n_content,
                                      struct block **result, einspul_error *error)
{
    uint8_t *content = NULL;
    struct block *block = outcomes_create(table, n, n_content, &content);
    einspul_status status = decompress(table, number, bytes, size, content, n_content, error);
    if (status == EINSPUL_OK && !outcomes_are_valid(table, block, content, n_content))
        status = corrupt(table, number, "a size, outcome or number that cannot be", error);
    if (status == EINSPUL_OK)
        *result = block;
    else
        free(block);
    return status;
}

enum { MAX_BLOCK_PATTERNS = 65533 };

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

/* True if all numbers are below n_patterns. */
static bool numbers_are_valid(const struct numbered *from)
{
    uint8_t low = 0;
    bool good = true;
    for (uint32_t i = 0; i < from->n; i++)
        low = from->low[i] > low ? from->low[i] : low;
    for (uint32_t i = 0; i < from->n && from->high != NULL; i++)
        good &= number_of(from, i) < from->n_patterns;
    return good && (from->high != NULL || low < from->n_patterns);
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
 * others have zeros, the last pattern. `buckets` has a power of two of zeros, `mask` + 1, more than
 * `n`. Returns the number of patterns. */
static uint32_t number_values(value_t *values, const uint8_t *outcomes, uint32_t n, size_t length,
                              uint16_t *buckets, uint32_t mask, uint8_t *low, uint8_t *high)
{
    uint32_t n_values = 0;
    uint32_t n_patterns = 0;
    for (uint32_t place = 0; place < n; place++) {
        const value_t *pattern = values + place * length;
        if (outcomes[place] == OUTCOME_NONE)
            continue;
        n_values++;
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
    if (n_values == n)
        return n_patterns;
    memset(values + n_patterns * length, VALUE_LOST, length);
    for (uint32_t place = 0; place < n; place++) {
        if (outcomes[place] != OUTCOME_NONE)
            continue;
        low[place] = (uint8_t)(n_patterns & 255);
        high[place] = (uint8_t)(n_patterns >> 8);
    }
    return n_patterns + 1;
}

/* The block of the values that a model yields, numbered as in any other block. */
static einspul_status value_block(const struct table *table, const struct model_scratch *scratch,
                                  uint32_t n, struct block **block, einspul_error *error)
{
    const size_t length = (size_t)table->shape.n_rule_states;
    uint32_t mask = 1;
    while (mask <= n)
        mask = 2 * mask + 1;
    uint16_t *buckets = calloc(mask + 1 + (size_t)n, sizeof *buckets);
    if (buckets == NULL)
        return file_no_memory(table->path, error);
    uint8_t *low = (uint8_t *)(buckets + mask + 1);
    uint8_t *high = low + n;
    const uint32_t n_patterns =
        number_values(scratch->values, scratch->outcomes, n, length, buckets, mask, low, high);
    const struct numbered numbered = {.n = n,
                                      .n_patterns = n_patterns,
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

    *block = NULL;
    if (header->dictionary == DICTIONARY_MODEL)
        return decode_model(table, side, first, n, last, bytes, size, block, error);
    const unsigned long long content = ZSTD_getFrameContentSize(bytes, size);
    if (content > format_block_bound(&table->shape, n))
        return corrupt(table, number, "its size is not what its numbers say", error);
    if (header->dictionary == DICTIONARY_OUTCOMES)
        return decode_outcomes(table, number, n, bytes, size, (size_t)content, block, error);
    uint8_t *payload = malloc((size_t)content + 1);
    einspul_status status = decompress(table, number, bytes, size, payload, (size_t)content, error);
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
