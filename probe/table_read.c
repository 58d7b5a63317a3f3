#include "probe/table.h"

#include "probe/bytes.h"
#include "probe/table_format.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <zstd.h>

/* A decompression context that no thread is using, or NULL: making one takes longer than decoding a
 * small block. */
struct idle {
    ZSTD_DCtx *_Atomic context;
};

struct table {
    struct file *file;
    const char *path; /* the file's */
    struct shape shape;
    struct header header;
    uint64_t blocks_per_side;
    value_t *patterns;   /* DICTIONARY_TABLE: n_patterns * n_run_states values */
    uint64_t *block_end; /* by block: where the next one begins, from blocks_offset on */
    uint64_t *checksum;  /* by block */
    struct idle *idle;
};

/* Only in messages, so failing to name it is no error of its own. */
static enum status no_memory(const char *path, struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "%s: no memory to read it", path_text(path));
}

/* --- opening ------------------------------------------------------------------------------------
 */

/* Turns `n` patterns that stand by run state into patterns one after the other. False when a value
 * cannot be. */
static bool gather_patterns(const struct table *table, const uint8_t *planes, size_t n,
                            value_t *patterns)
{
    const size_t length = (size_t)table->shape.n_run_states;
    unsigned bad = 0;
    for (size_t v = 0; v < length; v++) {
        for (size_t i = 0; i < n; i++) {
            const value_t value = planes[v * n + i];
            patterns[i * length + v] = value;
            bad |= table->header.has_distances ? value == VALUE_NONE : value != value_sign(value);
        }
    }
    return bad == 0;
}

static enum status read_patterns(struct table *table, struct error *error)
{
    const struct header *header = &table->header;
    const size_t n_bytes = (size_t)header->n_patterns * (size_t)table->shape.n_run_states;
    const uint8_t *bytes = NULL;
    uint8_t *buffer = NULL;
    uint8_t *planes = NULL;
    enum status status =
        file_get(table->file, HEADER_SIZE, (size_t)header->patterns_size, &bytes, &buffer, error);
    if (status != STATUS_OK)
        goto cleanup;
    if (format_checksum(bytes, (size_t)header->patterns_size) != header->patterns_checksum) {
        status = error_set(error, STATUS_BAD_HEADER, "%s: the patterns fail their checksum",
                           path_text(table->path));
        goto cleanup;
    }
    if (header->dictionary != DICTIONARY_TABLE)
        goto cleanup;
    planes = malloc(n_bytes);
    table->patterns = malloc(n_bytes);
    if (planes == NULL || table->patterns == NULL)
        status = no_memory(table->path, error);
    else if (ZSTD_decompress(planes, n_bytes, bytes, (size_t)header->patterns_size) != n_bytes)
        status = error_set(error, STATUS_CORRUPT, "%s: the patterns do not decompress to %zu bytes",
                           path_text(table->path), n_bytes);
    else if (!gather_patterns(table, planes, header->n_patterns, table->patterns))
        status = error_set(error, STATUS_CORRUPT, "%s: a pattern with a value that cannot be",
                           path_text(table->path));
cleanup:
    free(planes);
    free(buffer);
    return status;
}

static enum status read_index(struct table *table, struct error *error)
{
    const struct header *header = &table->header;
    const size_t n_blocks = (size_t)header->n_blocks;
    const uint8_t *bytes = NULL;
    uint8_t *buffer = NULL;
    uint64_t end = 0;
    bool empty_block = false;
    enum status status = file_get(table->file, header->index_offset, (size_t)header->index_size,
                                  &bytes, &buffer, error);
    if (status != STATUS_OK)
        goto cleanup;
    if (format_checksum(bytes, (size_t)header->index_size) != header->index_checksum) {
        status = error_set(error, STATUS_BAD_HEADER, "%s: the block index fails its checksum",
                           path_text(table->path));
        goto cleanup;
    }
    table->block_end = malloc((n_blocks + 1) * sizeof *table->block_end);
    table->checksum = malloc((n_blocks + 1) * sizeof *table->checksum);
    if (table->block_end == NULL || table->checksum == NULL) {
        status = no_memory(table->path, error);
        goto cleanup;
    }
    for (size_t i = 0; i < n_blocks; i++) {
        const uint32_t size = load_u32(bytes + i * INDEX_ENTRY_SIZE);
        end += size; /* n_blocks is below 2^32: no overflow */
        empty_block = empty_block || size == 0;
        table->block_end[i] = end;
        table->checksum[i] = load_u64(bytes + i * INDEX_ENTRY_SIZE + 4);
    }
    if (end != header->blocks_size || empty_block)
        status = error_set(error, STATUS_CORRUPT, "%s: the sizes in the block index do not add up",
                           path_text(table->path));
cleanup:
    free(buffer);
    return status;
}

/* Reads the header and checks it against the file and what was asked for. */
static enum status read_header(struct table *table, const struct rules *rules, enum metric metric,
                               struct error *error)
{
    const uint64_t size = file_size(table->file);
    const size_t n_bytes = size < HEADER_SIZE ? (size_t)size : (size_t)HEADER_SIZE;
    const uint8_t *bytes = NULL;
    uint8_t *buffer = NULL;
    enum status status = file_get(table->file, 0, n_bytes, &bytes, &buffer, error);
    if (status == STATUS_OK)
        status = header_unpack(&table->header, rules, &table->shape, metric, bytes, n_bytes, size,
                               table->path, error);
    free(buffer);
    if (status == STATUS_OK && table->header.n_blocks >= SIZE_MAX / 16)
        status = no_memory(table->path, error);
    return status;
}

enum status table_open(const char *path, const struct rules *rules, const struct material *material,
                       enum metric metric, const struct file_io *io, struct table **result,
                       struct error *error)
{
    struct table *table = calloc(1, sizeof *table);
    enum status status = STATUS_OK;

    *result = NULL;
    if (table == NULL)
        return no_memory(path, error);
    table->idle = calloc(1, sizeof *table->idle);
    if (table->idle == NULL) {
        status = no_memory(path, error);
        goto cleanup;
    }
    shape_init(&table->shape, rules, material);
    status = file_open(path, io, &table->file, error);
    if (status != STATUS_OK)
        goto cleanup;
    table->path = file_path(table->file);
    status = read_header(table, rules, metric, error);
    if (status != STATUS_OK)
        goto cleanup;
    table->blocks_per_side = table->header.n_blocks / (uint64_t)table->shape.n_sides;
    status = read_patterns(table, error);
    if (status == STATUS_OK)
        status = read_index(table, error);
cleanup:
    if (status == STATUS_OK)
        *result = table;
    else
        table_close(table);
    return status;
}

void table_close(struct table *table)
{
    if (table == NULL)
        return;
    file_close(table->file);
    if (table->idle != NULL)
        ZSTD_freeDCtx(atomic_load(&table->idle->context));
    free(table->idle);
    free(table->patterns);
    free(table->block_end);
    free(table->checksum);
    free(table);
}

const struct shape *table_shape(const struct table *table)
{
    return &table->shape;
}

const char *table_path(const struct table *table)
{
    return table->path;
}

bool table_has_distances(const struct table *table)
{
    return table->header.has_distances;
}

uint64_t table_value_hash(const struct table *table)
{
    return table->header.value_hash;
}

const value_t *table_patterns(const struct table *table)
{
    return table->patterns;
}

uint64_t table_block_placements(const struct table *table)
{
    return table->header.block_placements;
}

uint64_t table_blocks_per_side(const struct table *table)
{
    return table->blocks_per_side;
}

/* --- blocks -------------------------------------------------------------------------------------
 */

static enum status corrupt(const struct table *table, uint64_t number, const char *what,
                           struct error *error)
{
    return error_set(error, STATUS_CORRUPT, "%s: block %llu: %s", path_text(table->path),
                     (unsigned long long)number, what);
}

/* Takes the planes of pattern numbers over; returns the largest number. */
static unsigned join_planes(const uint8_t *planes, uint32_t n, bool two, uint8_t *number)
{
    unsigned most = 0;
    if (two) {
        uint16_t *pattern = (uint16_t *)(void *)number;
        for (uint32_t i = 0; i < n; i++) {
            pattern[i] = (uint16_t)(planes[i] | planes[n + i] << 8);
            most = pattern[i] > most ? pattern[i] : most;
        }
    } else {
        uint8_t most_byte = 0;
        for (uint32_t i = 0; i < n; i++) {
            number[i] = planes[i];
            most_byte = planes[i] > most_byte ? planes[i] : most_byte;
        }
        most = most_byte;
    }
    return most;
}

/* Makes a block of `n` placements from its decompressed bytes. */
static enum status build_block(const struct table *table, uint64_t number, uint32_t n,
                               const uint8_t *payload, size_t n_bytes, struct block **result,
                               struct error *error)
{
    const bool own = table->header.dictionary == DICTIONARY_BLOCK;
    const size_t length = (size_t)table->shape.n_run_states;
    uint32_t n_patterns = table->header.n_patterns;
    size_t n_pattern_bytes = 0;
    size_t at = 0;

    if (own) {
        n_patterns = n_bytes < 4 ? 0 : load_u32(payload);
        if (n_patterns == 0 || n_patterns > n)
            return corrupt(table, number, "the number of its patterns cannot be", error);
        n_pattern_bytes = n_patterns * length;
        at = 4 + n_pattern_bytes;
    }
    const size_t n_number_bytes = (n_patterns > 256 ? 2 : 1) * (size_t)n;
    if (n_bytes != at + n_number_bytes)
        return corrupt(table, number, "its size is not what its numbers say", error);

    const size_t size = sizeof(struct block) + n_number_bytes + n_pattern_bytes;
    struct block *block = malloc(size);
    if (block == NULL)
        return no_memory(table->path, error);
    block->n_placements = n;
    block->n_patterns = n_patterns;
    block->n_bytes = size;
    block->patterns = table->patterns;
    bool good = true;
    if (own) {
        value_t *patterns = block->number + n_number_bytes;
        good = gather_patterns(table, payload + 4, n_patterns, patterns);
        block->patterns = patterns;
    }
    if (join_planes(payload + at, n, n_patterns > 256, block->number) >= n_patterns)
        good = false;
    if (!good) {
        free(block);
        return corrupt(table, number, "a pattern number or value that cannot be", error);
    }
    *result = block;
    return STATUS_OK;
}

/* Decompresses a block, which must have `n_bytes` bytes then. */
static enum status decompress(const struct table *table, uint64_t number, const uint8_t *bytes,
                              size_t size, uint8_t *payload, size_t n_bytes, struct error *error)
{
    ZSTD_DCtx *context = atomic_exchange(&table->idle->context, NULL);
    if (context == NULL)
        context = ZSTD_createDCtx();
    if (context == NULL)
        return no_memory(table->path, error);
    const size_t n = ZSTD_decompressDCtx(context, payload, n_bytes, bytes, size);
    ZSTD_freeDCtx(atomic_exchange(&table->idle->context, context));
    return n == n_bytes ? STATUS_OK : corrupt(table, number, "it does not decompress", error);
}

enum status table_decode_bytes(const struct table *table, uint64_t number, const uint8_t *bytes,
                               size_t size, struct block **block, struct error *error)
{
    const struct header *header = &table->header;
    const uint64_t first = number % table->blocks_per_side * header->block_placements;
    const uint64_t left = table->shape.n_placements - first;
    const uint32_t n = left < header->block_placements ? (uint32_t)left : header->block_placements;
    const unsigned long long content = ZSTD_getFrameContentSize(bytes, size);

    *block = NULL;
    if (content > format_block_bound(&table->shape, header->dictionary, n))
        return corrupt(table, number, "its size is not what its numbers say", error);
    uint8_t *payload = malloc((size_t)content + 1);
    if (payload == NULL)
        return no_memory(table->path, error);
    enum status status = decompress(table, number, bytes, size, payload, (size_t)content, error);
    if (status == STATUS_OK)
        status = build_block(table, number, n, payload, (size_t)content, block, error);
    free(payload);
    return status;
}

enum status table_decode_block(const struct table *table, uint64_t number, struct block **block,
                               struct error *error)
{
    const struct header *header = &table->header;
    const uint8_t *bytes = NULL;
    uint8_t *buffer = NULL;

    *block = NULL;
    if (number >= header->n_blocks)
        return corrupt(table, number, "there is no such block", error);
    const uint64_t start = number == 0 ? 0 : table->block_end[number - 1];
    const size_t size = (size_t)(table->block_end[number] - start);
    enum status status =
        file_get(table->file, header->blocks_offset + start, size, &bytes, &buffer, error);
    if (status == STATUS_OK && format_checksum(bytes, size) != table->checksum[number])
        status = error_set(error, STATUS_BAD_BLOCK, "%s: block %llu fails its checksum",
                           path_text(table->path), (unsigned long long)number);
    if (status == STATUS_OK)
        status = table_decode_bytes(table, number, bytes, size, block, error);
    free(buffer);
    return status;
}
