/* Writes a table file: first the blocks in order, then header, model and index. */
#ifndef EINSPUL_TABLE_WRITE_TABLE_FILE_H
#define EINSPUL_TABLE_WRITE_TABLE_FILE_H

#include "table/table_format.h"
#include "table/write/output.h"

struct table_file {
    struct output output;
    struct header *header;      /* sizes and checksums are filled in */
    const uint8_t *model_bytes; /* the model, header->model_size bytes */
    struct byte_buffer {
        uint8_t *bytes;
        size_t n, capacity;
    } index, group;    /* the block index, and the blocks of the current group, so far */
    uint64_t n_blocks; /* written */
};

/* `file` must be zero. The header's fields about blocks, index and model must be set; the
 * caller keeps header and model. IO, NO_SPACE, NO_MEMORY. */
einspul_status table_file_create(struct table_file *file, const char *path, struct header *header,
                                 const uint8_t *model_bytes, einspul_error *error);

/* Adds the next block. NO_SPACE, IO, NO_MEMORY. */
einspul_status table_file_add(struct table_file *file, const uint8_t *bytes, size_t n_bytes,
                              einspul_error *error);

/* Compresses the index; to be called after the last block of a table with a model. NO_MEMORY. */
einspul_status table_file_pack_index(struct table_file *file, einspul_error *error);

/* The size of the finished file; valid once the last block has been added and the index
 * compressed. */
uint64_t table_file_size(const struct table_file *file);

/* Completes the file. IO, NO_SPACE. */
einspul_status table_file_commit(struct table_file *file, const struct rules *rules,
                                 const struct shape *shape, einspul_error *error);

/* Removes an uncommitted file and releases memory; to be called after a commit too. */
void table_file_abandon(struct table_file *file);

#endif
