/* Writes blocks one after the other, leaves space for header, section and index, and fills them in
 * at the end, when sizes and checksums are known. */
#include "table/table_file.h"

#include "table/bytes.h"

#include <stdlib.h>

static enum status no_memory(const char *path, struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "%s: no memory to write it", path_text(path));
}

enum status table_file_create(struct table_file *file, const char *path, struct header *header,
                              const uint8_t *section, struct error *error)
{
    *file = (struct table_file){.output = {.file = -1}, .header = header, .section = section};
    header->blocks_size = 0;
    header->patterns_checksum = format_checksum(section, (size_t)header->patterns_size);
    header_layout(header);
    file->index = malloc((size_t)header->index_size + 1);
    if (file->index == NULL)
        return no_memory(path, error);
    return output_create(&file->output, path, error);
}

static bool add_to_group(struct table_file *file, const uint8_t *bytes, size_t n_bytes)
{
    const size_t size = file->group_size + n_bytes;
    if (size > file->group_room) {
        uint8_t *grown = realloc(file->group, 2 * size);
        if (grown == NULL)
            return false;
        file->group = grown;
        file->group_room = 2 * size;
    }
    if (n_bytes > 0)
        memcpy(file->group + file->group_size, bytes, n_bytes);
    file->group_size = size;
    return true;
}

enum status table_file_add(struct table_file *file, const uint8_t *bytes, size_t n_bytes,
                           struct error *error)
{
    struct header *header = file->header;
    const uint64_t block = file->n_blocks++;

    if ((uint64_t)n_bytes >> (8 * header->index_width) != 0)
        return error_set(error, STATUS_CORRUPT, "%s: a block of %zu bytes is too large",
                         path_text(file->output.path), n_bytes);
    if (block % header->index_group == 0)
        file->group_size = 0;
    if (!add_to_group(file, bytes, n_bytes))
        return no_memory(file->output.path, error);
    store_number(file->index + format_index_size_at(header, block), header->index_width, n_bytes);
    if (block + 1 == format_group_end(header, block))
        store_u64(file->index + format_index_checksum_at(header, block),
                  format_checksum(file->group, file->group_size));
    const uint64_t offset = header->blocks_offset + header->blocks_size;
    header->blocks_size += n_bytes;
    return n_bytes == 0 ? STATUS_OK : output_write(&file->output, offset, bytes, n_bytes, error);
}

enum status table_file_commit(struct table_file *file, const struct rules *rules,
                              const struct shape *shape, struct error *error)
{
    struct header *header = file->header;
    struct output *output = &file->output;
    uint8_t bytes[HEADER_SIZE];

    header->index_checksum = format_checksum(file->index, (size_t)header->index_size);
    header_layout(header);
    header_pack(header, rules, shape, bytes);
    enum status status = output_write(output, 0, bytes, HEADER_SIZE, error);
    if (status == STATUS_OK)
        status =
            output_write(output, HEADER_SIZE, file->section, (size_t)header->patterns_size, error);
    if (status == STATUS_OK)
        status = output_write(output, header->index_offset, file->index, (size_t)header->index_size,
                              error);
    if (status == STATUS_OK)
        status = output_commit(output, error);
    return status;
}

void table_file_abandon(struct table_file *file)
{
    output_abandon(&file->output);
    free(file->index);
    free(file->group);
}
