/* Opens a table: header, model if there is one, block index. */
#include "table/table_read.h"

#include "table/bytes.h"
#include "table/model.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <zstd.h>
#include <zstd_errors.h>

/* Makes the dictionary of blocks from its bytes, which are checked first: zstd does not tell damage
 * from a lack of memory. */
static einspul_status make_dictionary(struct table *table, const uint8_t *bytes, size_t size,
                                      einspul_error *error)
{
    static const uint8_t empty_frame[] = {0x28, 0xb5, 0x2f, 0xfd, 0x20, 0, 1, 0, 0};
    uint8_t none = 0;
    ZSTD_DCtx *context = ZSTD_createDCtx();
    const size_t n = context == NULL ? 0
                                     : ZSTD_decompress_usingDict(context, &none, 0, empty_frame,
                                                                 sizeof empty_frame, bytes, size);
    ZSTD_freeDCtx(context);
    if (ZSTD_isError(n))
        return error_set(error, EINSPUL_CORRUPT, "%s: the dictionary is damaged",
                         path_tail(table->path));
    table->dictionary = context == NULL ? NULL : ZSTD_createDDict(bytes, size);
    return table->dictionary == NULL ? file_no_memory(table->path, error) : EINSPUL_OK;
}

/* Reads and unpacks the model or the dictionary of blocks, if there is one. The size of a model
 * follows from the material and the header, so memory and I/O are bounded. */
static einspul_status read_model(struct table *table, const struct rules *rules,
                                 einspul_error *error)
{
    const struct header *header = &table->header;
    const bool modelled = header->dictionary == DICTIONARY_MODEL;
    size_t n_bytes = 0;
    uint8_t *bytes = NULL;
    uint8_t *weights = NULL;

    if (modelled) {
        table->model = calloc(1, sizeof *table->model);
        if (table->model == NULL)
            return file_no_memory(table->path, error);
        model_init(table->model, rules, &table->shape, header->has_distances, &header->omitted);
        n_bytes = model_section_size(table->model);
        if (header->model_size > format_frame_bound(n_bytes))
            return error_set(error, EINSPUL_CORRUPT, "%s: model too large (%llu bytes)",
                             path_tail(table->path), (unsigned long long)header->model_size);
    }
    einspul_status status = file_read_section(table->file, HEADER_SIZE, header->model_size,
                                              header->model_checksum, "the model", &bytes, error);
    if (status == EINSPUL_OK && modelled) {
        weights = malloc(n_bytes);
        status = weights == NULL
                     ? file_no_memory(table->path, error)
                     : table_decompress(table, "the model", bytes, (size_t)header->model_size,
                                        weights, n_bytes, error);
    }
    if (status == EINSPUL_OK && modelled && !model_unpack(table->model, weights))
        status = file_no_memory(table->path, error);
    if (status == EINSPUL_OK && !modelled && header->model_size > 0)
        status = make_dictionary(table, bytes, (size_t)header->model_size, error);
    free(bytes);
    free(weights);
    return status;
}

/* Unpacks the content of the index. No block may be larger than its content can need, which bounds
 * the bytes read and hashed for a block, whatever the file claims. */
static einspul_status unpack_index(struct table *table, const uint8_t *at, einspul_error *error)
{
    const struct header *header = &table->header;
    const size_t width = format_size_width(header);
    const uint64_t max = format_block_file_bound(&table->shape, header, header->block_placements);
    const uint32_t min = header->dictionary == DICTIONARY_MODEL ? 0 : 1;
    uint64_t end = 0;

    for (size_t i = 0; i < (size_t)header->n_blocks; i++) {
        const uint32_t size = width == 2 ? load_u16(at) : load_u32(at);
        at += width;
        if (size < min || size > max)
            return error_set(error, EINSPUL_CORRUPT,
                             "%s: block %zu has %lu bytes, expected %lu to %llu",
                             path_tail(table->path), i, (unsigned long)size, (unsigned long)min,
                             (unsigned long long)max);
        end += size;
        table->block_end[i] = end;
        if (i + 1 < format_group_end(header, i))
            continue;
        table->checksum[i / header->index_group] = load_u64(at);
        at += CHECKSUM_SIZE;
    }
    if (end == header->blocks_size)
        return EINSPUL_OK;
    return error_set(error, EINSPUL_CORRUPT, "%s: the sizes in the block index do not add up",
                     path_tail(table->path));
}

/* With a model the index is compressed (a zstd frame). */
static einspul_status read_index(struct table *table, einspul_error *error)
{
    const struct header *header = &table->header;
    const size_t n_blocks = (size_t)header->n_blocks;
    uint8_t *bytes = NULL;
    uint8_t *content = NULL;
    einspul_status status =
        file_read_section(table->file, header->index_offset, header->index_size,
                          header->index_checksum, "the block index", &bytes, error);
    if (status == EINSPUL_OK && header->dictionary == DICTIONARY_MODEL) {
        const size_t n_content = (size_t)format_index_content(header);
        content = malloc(n_content);
        status = content == NULL
                     ? file_no_memory(table->path, error)
                     : table_decompress(table, "the block index", bytes, (size_t)header->index_size,
                                        content, n_content, error);
    }
    if (status != EINSPUL_OK)
        goto cleanup;
    table->block_end = malloc((n_blocks + 1) * sizeof *table->block_end);
    table->checksum = malloc((n_blocks / header->index_group + 1) * sizeof *table->checksum);
    status = table->block_end == NULL || table->checksum == NULL
                 ? file_no_memory(table->path, error)
                 : unpack_index(table, content != NULL ? content : bytes, error);
cleanup:
    free(bytes);
    free(content);
    return status;
}

/* Reads the header and checks it against the file and the requested table. */
static einspul_status read_header(struct table *table, struct table_id id, einspul_error *error)
{
    static const struct header_spec kind = {table_magic, "not an einspul table", FORMAT_VERSION,
                                            HEADER_SIZE, AT_FILE_SIZE};
    uint8_t *bytes = NULL;
    einspul_status status = file_read_header(table->file, &kind, &bytes, error);
    if (status == EINSPUL_OK)
        status = header_unpack(&table->header, id, &table->shape, bytes, table->path, error);
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
        status = file_no_memory(file->path, error);
        file_close(file);
        return status;
    }
    table->file = file;
    table->path = file->path;
    table->spare_context = calloc(1, sizeof *table->spare_context);
    if (table->spare_context == NULL) {
        status = file_no_memory(table->path, error);
        goto cleanup;
    }
    shape_init(&table->shape, id.rules, &id.material);
    status = read_header(table, id, error);
    if (status != EINSPUL_OK)
        goto cleanup;
    table->blocks_per_side =
        table->header.n_blocks / (uint64_t)format_n_sides(&table->header, &table->shape);
    status = read_model(table, id.rules, error);
    if (status == EINSPUL_OK)
        status = read_index(table, error);
    if (table->model != NULL)
        ZSTD_freeDCtx(atomic_exchange(table->spare_context, NULL)); /* its blocks need none */
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
    if (table->spare_context != NULL)
        ZSTD_freeDCtx(atomic_load(table->spare_context));
    ZSTD_freeDDict(table->dictionary);
    free(table->spare_context);
    free(table->block_end);
    free(table->checksum);
    if (table->model != NULL)
        model_free(table->model);
    free(table->model);
    free(table);
}

uint64_t table_first_block(const struct table *table, enum side side)
{
    return side == BLACK && table_stores(table, WHITE) ? table->blocks_per_side : 0;
}

enum side table_block_side(const struct table *table, uint64_t number)
{
    return table_stores(table, WHITE) && number < table->blocks_per_side ? WHITE : BLACK;
}

bool table_stores(const struct table *table, enum side side)
{
    return (int)side < table->shape.n_sides && !table->header.omitted.side[side];
}

int table_max_run(const struct table *table, enum side side)
{
    if (!table_stores(table, side))
        return -1;
    return table->header.omitted.runs && table->shape.n_runs[side] > 1 ? MAX_RUN_COUNT - 1
                                                                       : ANY_RUN;
}

einspul_status table_decompress(const struct table *table, const char *what, const uint8_t *bytes,
                                size_t size, uint8_t *to, size_t n_bytes, einspul_error *error)
{
    /* zstd would also accept its formats before 0.8, which allocate memory of their own. */
    if (size < 4 || load_u32(bytes) != ZSTD_MAGICNUMBER)
        return error_set(error, EINSPUL_CORRUPT, "%s: %s: not a zstd frame", path_tail(table->path),
                         what);
    ZSTD_DCtx *context = atomic_exchange(table->spare_context, NULL);
    if (context == NULL)
        context = ZSTD_createDCtx();
    const size_t n = context == NULL ? (size_t)-ZSTD_error_memory_allocation
                                     : ZSTD_decompress_usingDDict(context, to, n_bytes, bytes, size,
                                                                  table->dictionary);
    ZSTD_freeDCtx(atomic_exchange(table->spare_context, context));
    if (n == n_bytes)
        return EINSPUL_OK;
    /* Do not report a lack of memory as damage. */
    return ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation
               ? file_no_memory(table->path, error)
               : error_set(error, EINSPUL_CORRUPT, "%s: %s: decompression failed",
                           path_tail(table->path), what);
}
