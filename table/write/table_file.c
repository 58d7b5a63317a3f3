/* Writes blocks one after the other, leaves space for header and model, and at the end fills them
 * in and adds the index, when sizes and checksums are known. */
#include "table/write/table_file.h"

#include "table/bytes.h"
#include "table/write/header_write.h"

#include <stdlib.h>
#include <zstd.h>

enum { INDEX_LEVEL = 19 /* zstd's */ };

einspul_status table_file_create(struct table_file *file, const char *path, struct header *header,
                                 const uint8_t *model_bytes, einspul_error *error)
{
    *file =
        (struct table_file){.output = {.file = -1}, .header = header, .model_bytes = model_bytes};
    header->blocks_size = 0;
    header->model_checksum = format_checksum(model_bytes, (size_t)header->model_size);
    header_layout(header);
    return output_create(&file->output, path, error);
}

static bool append(struct byte_buffer *buffer, const uint8_t *bytes, size_t n_bytes)
{
    const size_t size = buffer->n + n_bytes;
    if (size > buffer->capacity) {
        uint8_t *grown = realloc(buffer->bytes, 2 * size);
        if (grown == NULL)
            return false;
        buffer->bytes = grown;
        buffer->capacity = 2 * size;
    }
    if (n_bytes > 0)
        memcpy(buffer->bytes + buffer->n, bytes, n_bytes);
    buffer->n = size;
    return true;
}

/* Adds the size of a block to the index, and after the last block of a group its checksum. */
static bool add_to_index(struct table_file *file, uint64_t block, size_t n_bytes)
{
    uint8_t size[4];
    uint8_t checksum[CHECKSUM_SIZE];
    store_u32(size, (uint32_t)n_bytes);
    if (!append(&file->index, size, format_size_width(file->header)))
        return false;
    if (block + 1 < format_group_end(file->header, block))
        return true;
    store_u64(checksum, format_checksum(file->group.bytes, file->group.n));
    file->group.n = 0;
    return append(&file->index, checksum, CHECKSUM_SIZE);
}

einspul_status table_file_add(struct table_file *file, const uint8_t *bytes, size_t n_bytes,
                              einspul_error *error)
{
    struct header *header = file->header;
    if (!append(&file->group, bytes, n_bytes) || !add_to_index(file, file->n_blocks++, n_bytes))
        return output_no_memory(file->output.path, error);
    const uint64_t offset = header->blocks_offset + header->blocks_size;
    header->blocks_size += n_bytes;
    return n_bytes == 0 ? EINSPUL_OK : output_write(&file->output, offset, bytes, n_bytes, error);
}

einspul_status table_file_pack_index(struct table_file *file, einspul_error *error)
{
    struct byte_buffer *index = &file->index;
    const size_t bound = ZSTD_compressBound(index->n);
    uint8_t *frame = malloc(bound);
    const size_t size =
        frame == NULL ? 0 : ZSTD_compress(frame, bound, index->bytes, index->n, INDEX_LEVEL);
    if (frame == NULL || ZSTD_isError(size)) {
        free(frame);
        return output_no_memory(file->output.path, error);
    }
    free(index->bytes);
    *index = (struct byte_buffer){.bytes = frame, .n = size, .capacity = bound};
    return EINSPUL_OK;
}

uint64_t table_file_size(const struct table_file *file)
{
    return file->header->blocks_offset + file->header->blocks_size + file->index.n;
}

einspul_status table_file_commit(struct table_file *file, const struct rules *rules,
                                 const struct shape *shape, einspul_error *error)
{
    struct header *header = file->header;
    struct output *output = &file->output;
    uint8_t bytes[HEADER_SIZE];

    header->index_size = file->index.n;
    header->index_checksum = format_checksum(file->index.bytes, file->index.n);
    header_layout(header);
    header_write(header, rules, shape, bytes);
    einspul_status status = output_write(output, 0, bytes, HEADER_SIZE, error);
    if (status == EINSPUL_OK)
        status =
            output_write(output, HEADER_SIZE, file->model_bytes, (size_t)header->model_size, error);
    if (status == EINSPUL_OK)
        status =
            output_write(output, header->index_offset, file->index.bytes, file->index.n, error);
    if (status == EINSPUL_OK)
        status = output_commit(output, error);
    return status;
}

void table_file_abandon(struct table_file *file)
{
    output_abandon(&file->output);
    free(file->index.bytes);
    free(file->group.bytes);
}
