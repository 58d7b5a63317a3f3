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

/* --- blocks of outcomes ----------------------------------------------------------------------- */

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

/* --- blocks of distances ---------------------------------------------------------------------- */

enum { MAX_BLOCK_PATTERNS = 65533 };

/* A block of distances, without its numbers and patterns; NULL: no memory. */
static struct block *distances_create(const struct table *table, uint32_t n, uint32_t n_patterns)
{
    const size_t length = (size_t)table->shape.n_rule_states;
    const bool is_wide = length > 1 && n_patterns > 256;
    const size_t n_bytes =
        sizeof(struct block) + ((size_t)n << is_wide) + (length > 1 ? n_patterns * length : 0);
    struct block *block = malloc(n_bytes);
    if (block != NULL)
        *block = (struct block){.n_placements = n, .is_wide = is_wide, .n_bytes = n_bytes};
    return block;
}

/* Turns the content of a block of dictionary mode 1 into numbers, then patterns. False if a number is
 * too large. */
static bool copy_distances(struct block *block, const uint8_t *content, size_t length)
{
    const uint32_t n = block->n_placements;
    const size_t n_patterns = load_u32(content);
    const value_t *patterns = content + 4;
    const uint8_t *low = patterns + n_patterns * length;
    const uint8_t *high = low + n;
    uint32_t most = 0;
    for (uint32_t i = 0; i < n && !block->is_wide; i++) {
        most = low[i] > most ? low[i] : most;
        block->data[i] = low[i];
    }
    for (uint32_t i = 0; i < n && block->is_wide; i++) {
        const uint32_t number = low[i] | (uint32_t)high[i] << 8;
        most = number > most ? number : most;
        store_u16(block->data + 2 * (size_t)i, (uint16_t)number);
    }
    if (most >= n_patterns)
        return false;
    value_t *to = block->data + ((size_t)n << block->is_wide);
    for (uint32_t i = 0; i < n && length == 1; i++)
        block->data[i] = patterns[low[i]];
    for (size_t i = 0; i < n_patterns && length > 1; i++)
        for (size_t v = 0; v < length; v++)
            *to++ = patterns[v * n_patterns + i];
    return true;
}

/* Decodes a block of dictionary mode 1 from its decompressed bytes. */
static einspul_status unpack_distances(const struct table *table, uint64_t number, uint32_t n,
                                       const uint8_t *content, size_t n_bytes,
                                       struct block **result, einspul_error *error)
{
    const size_t length = (size_t)table->shape.n_rule_states;
    const uint32_t n_patterns = n_bytes < 4 ? 0 : load_u32(content);
    if (n_patterns == 0 || n_patterns > n || n_patterns > MAX_BLOCK_PATTERNS ||
        (length == 1 && n_patterns > 256))
        return corrupt(table, number, "the number of its patterns cannot be", error);
    if (n_bytes != 4 + n_patterns * length + ((size_t)n << (n_patterns > 256)))
        return corrupt(table, number, "its size is not what its numbers say", error);
    struct block *block = distances_create(table, n, n_patterns);
    if (block == NULL)
        return file_no_memory(table->path, error);
    if (memchr(content + 4, VALUE_NONE, n_patterns * length) != NULL ||
        !copy_distances(block, content, length)) {
        free(block);
        return corrupt(table, number, "a pattern number or value that cannot be", error);
    }
    *result = block;
    return EINSPUL_OK;
}

static einspul_status decode_distances(const struct table *table, uint64_t number, uint32_t n,
                                       const uint8_t *bytes, size_t size, size_t n_content,
                                       struct block **block, einspul_error *error)
{
    uint8_t *content = malloc(n_content + 1);
    einspul_status status = decompress(table, number, bytes, size, content, n_content, error);
    if (status == EINSPUL_OK)
        status = unpack_distances(table, number, n, content, n_content, block, error);
    free(content);
    return status;
}

/* --- blocks with a model ---------------------------------------------------------------------- */

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

/* True if a pattern has one outcome in all rule states that it has values for. */
static bool is_even(const value_t *pattern, size_t length)
{
    for (size_t v = 1; v < length; v++)
        if (pattern[v] != pattern[0] && pattern[v] != VALUE_NONE)
            return false;
    return true;
}

/* The patterns of a block, which move to the beginning of its values as they are found. */
struct found_patterns {
    value_t *values;
    size_t length;
    uint32_t n;
    uint32_t mask;     /* of a power of two of buckets, more than there are placements */
    uint16_t *buckets; /* the number of a pattern, from 1 on; 0: free */
};

/* The number of the pattern of a placement after all those that were numbered. */
static uint32_t number_pattern(struct found_patterns *found, uint32_t place)
{
    const size_t length = found->length;
    const value_t *pattern = found->values + place * length;
    uint32_t at = hash_of(pattern, length) & found->mask;
    while (found->buckets[at] != 0 &&
           memcmp(found->values + (found->buckets[at] - 1u) * length, pattern, length) != 0)
        at = (at + 1) & found->mask;
    if (found->buckets[at] == 0) {
        memmove(found->values + found->n * length, pattern, length);
        found->buckets[at] = (uint16_t)++found->n;
    }
    return found->buckets[at] - 1u;
}

/* Numbers the placements of a block: distances by their patterns, outcomes by their codes or, from
 * UNEVEN on, by the patterns of uneven ones. Don't-cares have 0. */
static void number_places(struct found_patterns *found, const uint8_t *outcomes, uint32_t n,
                          bool are_outcomes, uint16_t *number)
{
    for (uint32_t place = 0; place < n; place++) {
        const value_t *pattern = found->values + place * found->length;
        number[place] = 0;
        if (outcomes[place] == OUTCOME_NONE)
            continue;
        if (are_outcomes && is_even(pattern, found->length))
            number[place] = (uint16_t)value_code(pattern[0]);
        else
            number[place] =
                (uint16_t)(number_pattern(found, place) + (are_outcomes ? (unsigned)UNEVEN : 0));
    }
}

static struct block *numbered_distances(const struct table *table,
                                        const struct found_patterns *found, uint32_t n,
                                        const uint16_t *number)
{
    const uint32_t n_patterns = found->n > 0 ? found->n : 1; /* don't-cares have one */
    struct block *block = distances_create(table, n, n_patterns);
    if (block == NULL)
        return NULL;
    for (uint32_t i = 0; i < n && !block->is_wide; i++)
        block->data[i] = (uint8_t)number[i];
    for (uint32_t i = 0; i < n && block->is_wide; i++)
        store_u16(block->data + 2 * (size_t)i, number[i]);
    memcpy(block->data + ((size_t)n << block->is_wide), found->values, n_patterns * found->length);
    return block;
}

static struct block *numbered_outcomes(const struct table *table,
                                       const struct found_patterns *found, uint32_t n,
                                       const uint16_t *number)
{
    const uint32_t length = (uint32_t)found->length;
    const bool is_wide = found->n > 256;
    const size_t n_before = code_bytes(n) + (length == 1 ? 0 : 2 + found->n * code_bytes(length));
    uint8_t *content = NULL;
    uint32_t n_uneven = 0;
    for (uint32_t i = 0; i < n; i++)
        n_uneven += number[i] >= UNEVEN;
    struct block *block =
        outcomes_create(table, n, n_before + ((size_t)n_uneven << is_wide), &content);
    if (block == NULL)
        return NULL;
    block->is_wide = is_wide;
    memset(content, 0, n_before);
    uint8_t *numbers = content + n_before;
    for (uint32_t i = 0; i < n; i++) {
        code_put(content, i, number[i] < UNEVEN ? number[i] : UNEVEN);
        if (number[i] < UNEVEN)
            continue;
        *numbers++ = (uint8_t)((number[i] - UNEVEN) & 255);
        if (is_wide)
            *numbers++ = (uint8_t)((number[i] - UNEVEN) >> 8);
    }
    if (length == 1)
        return block;
    uint8_t *patterns = content + code_bytes(n) + 2;
    store_u16(patterns - 2, (uint16_t)found->n);
    for (uint32_t i = 0; i < found->n; i++, patterns += code_bytes(length))
        for (uint32_t v = 0; v < length; v++)
            code_put(patterns, v, value_code(found->values[i * length + v]));
    count_uneven(block, content);
    return block;
}

/* The block of the values that a model yields; NULL: no memory. */
static struct block *value_block(const struct table *table, const struct model_scratch *scratch,
                                 uint32_t n)
{
    struct found_patterns found = {
        .values = scratch->values, .length = (size_t)table->shape.n_rule_states, .mask = 1};
    const bool has_distances = table->header.has_distances;
    struct block *block = NULL;
    if (has_distances && found.length == 1) {
        block = distances_create(table, n, 0);
        if (block != NULL)
            memcpy(block->data, scratch->values, n);
        return block;
    }
    while (found.mask <= n)
        found.mask = 2 * found.mask + 1;
    found.buckets = calloc(found.mask + 1 + (size_t)n, sizeof *found.buckets);
    if (found.buckets == NULL)
        return NULL;
    uint16_t *number = found.buckets + found.mask + 1;
    number_places(&found, scratch->outcomes, n, !has_distances, number);
    block = has_distances ? numbered_distances(table, &found, n, number)
                          : numbered_outcomes(table, &found, n, number);
    free(found.buckets);
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
        *block = value_block(table, &scratch, n_decoded);
        if (*block != NULL)
            (*block)->is_partial = n_decoded < n;
    }
    model_scratch_free(&scratch);
    return *block != NULL ? EINSPUL_OK : file_no_memory(table->path, error);
}

/* --- reading ---------------------------------------------------------------------------------- */

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
    return header->dictionary == DICTIONARY_OUTCOMES
               ? decode_outcomes(table, number, n, bytes, size, (size_t)content, block, error)
               : decode_distances(table, number, n, bytes, size, (size_t)content, block, error);
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
