/* Opens a table: header, patterns or model, block index. */
#include "table/table_parts.h"

#include "table/bytes.h"

#include <stdatomic.h>
#include <stdlib.h>

/* --- opening ---------------------------------------------------------------------------------- */

static einspul_status unpack_patterns(struct table *table, const uint8_t *planes,
                                      einspul_error *error)
{
    const uint32_t n = table->header.n_patterns;
    table->patterns = malloc((size_t)n * (size_t)table->shape.n_run_states);
    if (table->patterns == NULL)
        return file_no_memory(table->path, error);
    if (!table_gather_patterns(table, planes, n, table->patterns))
        return error_set(error, EINSPUL_CORRUPT, "%s: a pattern with a value that cannot be",
                         path_text(table->path));
    return EINSPUL_OK;
}

static einspul_status unpack_model(struct table *table, const uint8_t *weights,
                                   einspul_error *error)
{
    return model_unpack(table->model, weights) ? EINSPUL_OK : file_no_memory(table->path, error);
}

/* The patterns of placements with one value. */
static einspul_status list_values(struct table *table, einspul_error *error)
{
    table->patterns = malloc(N_VALUE_PATTERNS);
    if (table->patterns == NULL)
        return file_no_memory(table->path, error);
    for (int value = 0; value < N_VALUE_PATTERNS; value++)
        table->patterns[value] = (uint8_t)value;
    return EINSPUL_OK;
}

/* Sets up a model without weights. */
static einspul_status prepare_model(struct table *table, const struct rules *rules,
                                    einspul_error *error)
{
    table->model = calloc(1, sizeof *table->model);
    if (table->model == NULL)
        return file_no_memory(table->path, error);
    model_init(table->model, rules, &table->shape, table->header.has_distances,
               &table->header.left_out);
    return table->shape.n_run_states > 1 ? EINSPUL_OK : list_values(table, error);
}

static einspul_status bad_patterns(const struct table *table, einspul_error *error)
{
    return error_set(error, EINSPUL_BAD_HEADER, "%s: the patterns fail their checksum",
                     path_text(table->path));
}

/* Reads and unpacks a section of patterns or of a model. `n_bytes` is the size of its content,
 * which follows from material and header, so that memory and reading are bounded. */
static einspul_status read_section(struct table *table, size_t n_bytes,
                                   einspul_status (*unpack)(struct table *, const uint8_t *,
                                                            einspul_error *),
                                   einspul_error *error)
{
    const struct header *header = &table->header;
    const size_t size = (size_t)header->patterns_size;
    uint8_t *bytes = NULL;
    uint8_t *content = NULL;
    einspul_status status = EINSPUL_OK;

    if (header->patterns_size > format_frame_bound(n_bytes))
        return error_set(error, EINSPUL_CORRUPT,
                         "%s: %llu bytes of patterns or model, more than they can take",
                         path_text(table->path), (unsigned long long)header->patterns_size);
    status = file_read(table->file, HEADER_SIZE, header->patterns_size, &bytes, error);
    if (status != EINSPUL_OK)
        return status;
    if (format_checksum(bytes, size) != header->patterns_checksum) {
        status = bad_patterns(table, error);
        goto cleanup;
    }
    content = malloc(n_bytes + 1);
    status = content == NULL ? file_no_memory(table->path, error)
                             : table_decompress(table, "the patterns or the model", bytes, size,
                                                content, n_bytes, error);
    if (status == EINSPUL_OK)
        status = unpack(table, content, error);
cleanup:
    free(bytes);
    free(content);
    return status;
}

static einspul_status read_patterns(struct table *table, const struct rules *rules,
                                    einspul_error *error)
{
    const struct header *header = &table->header;
    einspul_status status = EINSPUL_OK;
    switch (header->dictionary) {
    case DICTIONARY_TABLE:
        return read_section(table, (size_t)header->n_patterns * (size_t)table->shape.n_run_states,
                            unpack_patterns, error);
    case DICTIONARY_BLOCK: /* header_unpack has checked that the section is empty */
        return header->patterns_checksum == format_checksum("", 0) ? EINSPUL_OK
                                                                   : bad_patterns(table, error);
    case DICTIONARY_MODEL:
        break;
    }
    status = prepare_model(table, rules, error);
    if (status == EINSPUL_OK)
        status = read_section(table, model_section_size(table->model), unpack_model, error);
    return status;
}

static einspul_status sizes_disagree(const struct table *table, einspul_error *error)
{
    return error_set(error, EINSPUL_CORRUPT, "%s: the sizes in the block index do not add up",
                     path_text(table->path));
}

/* Unpacks the index, of `n_bytes` bytes. No block may be larger than its content can need, which
 * bounds the bytes read and hashed for a block, whatever the file claims. */
static einspul_status unpack_index(struct table *table, const uint8_t *bytes, size_t n_bytes,
                                   einspul_error *error)
{
    const struct header *header = &table->header;
    const uint64_t most = format_block_file_bound(&table->shape, header, header->block_placements);
    const uint32_t least = header->dictionary == DICTIONARY_MODEL ? 0 : 1;
    const uint8_t *at = bytes;
    const uint8_t *const sizes_end = /* the checksum of the last group is behind it */
        bytes + (n_bytes - CHECKSUM_SIZE);
    uint64_t end = 0;

    for (size_t i = 0; i < (size_t)header->n_blocks; i++) {
        uint32_t size = 0;
        if (!format_size_unpack(&at, sizes_end, &size))
            return sizes_disagree(table, error);
        if (size < least || size > most)
            return error_set(error, EINSPUL_CORRUPT, "%s: block %zu of %lu bytes, not %lu to %llu",
                             path_text(table->path), i, (unsigned long)size, (unsigned long)least,
                             (unsigned long long)most);
        end += size;
        table->block_end[i] = end;
        if (i + 1 < format_group_end(header, i))
            continue;
        table->checksum[i / header->index_group] = load_u64(at);
        at += CHECKSUM_SIZE;
    }
    return end == header->blocks_size && at == sizes_end + CHECKSUM_SIZE
               ? EINSPUL_OK
               : sizes_disagree(table, error);
}

/* With a model the index is a frame. */
static einspul_status unpack_packed_index(struct table *table, const uint8_t *bytes,
                                          einspul_error *error)
{
    const size_t size = (size_t)table->header.index_size;
    uint64_t least = 0, most = 0;
    format_index_bounds(&table->header, &least, &most);
    const unsigned long long n_bytes = ZSTD_getFrameContentSize(bytes, size);
    if (n_bytes < least || n_bytes > most)
        return sizes_disagree(table, error);
    uint8_t *content = malloc((size_t)n_bytes);
    if (content == NULL)
        return file_no_memory(table->path, error);
    einspul_status status =
        table_decompress(table, "the block index", bytes, size, content, (size_t)n_bytes, error);
    if (status == EINSPUL_OK)
        status = unpack_index(table, content, (size_t)n_bytes, error);
    free(content);
    return status;
}

static einspul_status read_index(struct table *table, einspul_error *error)
{
    const struct header *header = &table->header;
    const size_t n_blocks = (size_t)header->n_blocks;
    uint8_t *bytes = NULL;
    einspul_status status =
        file_read(table->file, header->index_offset, header->index_size, &bytes, error);
    if (status != EINSPUL_OK)
        return status;
    if (format_checksum(bytes, (size_t)header->index_size) != header->index_checksum) {
        status = error_set(error, EINSPUL_BAD_HEADER, "%s: the block index fails its checksum",
                           path_text(table->path));
        goto cleanup;
    }
    table->block_end = malloc((n_blocks + 1) * sizeof *table->block_end);
    table->checksum = malloc((n_blocks / header->index_group + 1) * sizeof *table->checksum);
    if (table->block_end == NULL || table->checksum == NULL)
        status = file_no_memory(table->path, error);
    else if (header->dictionary == DICTIONARY_MODEL)
        status = unpack_packed_index(table, bytes, error);
    else
        status = unpack_index(table, bytes, (size_t)header->index_size, error);
cleanup:
    free(bytes);
    return status;
}

/* Reads the header and checks it against the file and the requested table. */
static einspul_status read_header(struct table *table, struct table_id id, einspul_error *error)
{
    const uint64_t size = file_size(table->file);
    const size_t n_bytes = size < HEADER_SIZE ? (size_t)size : (size_t)HEADER_SIZE;
    uint8_t *bytes = NULL;
    einspul_status status = file_read(table->file, 0, n_bytes, &bytes, error);
    if (status == EINSPUL_OK)
        status = header_unpack(&table->header, id, &table->shape, bytes, n_bytes, size, table->path,
                               error);
    if (status == EINSPUL_OK)
        table->identity = format_checksum(bytes, n_bytes) | 1;
    free(bytes);
    if (status == EINSPUL_OK && table->header.n_blocks >= SIZE_MAX / 16)
        status = file_no_memory(table->path, error);
    return status;
}

einspul_status table_open_file(struct file *file, struct table_id id, struct table **result,
                               einspul_error *error)
{
    struct table *table = calloc(1, sizeof *table);
    einspul_status status = EINSPUL_OK;

    *result = NULL;
    if (table == NULL) {
        status = file_no_memory(file_path(file), error);
        file_close(file);
        return status;
    }
    table->file = file;
    table->path = file_path(file);
    table->idle = calloc(1, sizeof *table->idle);
    if (table->idle == NULL) {
        status = file_no_memory(table->path, error);
        goto cleanup;
    }
    shape_init(&table->shape, id.rules, &id.material);
    status = read_header(table, id, error);
    if (status != EINSPUL_OK)
        goto cleanup;
    table->blocks_per_side =
        table->header.n_blocks / (uint64_t)format_n_sides(&table->header, &table->shape);
    status = read_patterns(table, id.rules, error);
    if (status == EINSPUL_OK)
        status = read_index(table, error);
    if (table->model != NULL)
        ZSTD_freeDCtx(atomic_exchange(table->idle, NULL)); /* its blocks need none */
cleanup:
    if (status == EINSPUL_OK)
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
        ZSTD_freeDCtx(atomic_load(table->idle));
    free(table->idle);
    free(table->patterns);
    free(table->block_end);
    free(table->checksum);
    if (table->model != NULL)
        model_free(table->model);
    free(table->model);
    free(table);
}
