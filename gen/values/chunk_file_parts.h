/* What the files of files of chunks share: chunk_record.c has the outline. */
#ifndef EINSPUL_GEN_VALUES_CHUNK_FILE_PARTS_H
#define EINSPUL_GEN_VALUES_CHUNK_FILE_PARTS_H

#include "gen/values/chunk_file.h"

#include <stdatomic.h>

enum {
    CHUNK_HEAD_SIZE = 48,
    CHUNK_FILE_BUILD = 8 + CHUNK_FILE_KEY_SIZE + 8, /* offset of the build's number; last */
    CHUNK_FILE_START = CHUNK_FILE_BUILD + 8
};

struct chunk_file {
    int file;
    char *path; /* NULL: it has no name */
    struct chunk_form form;
    _Atomic uint64_t end;
};

/* What stands before the content of a record. */
struct chunk_head {
    uint64_t page;
    uint32_t n_placements, n_patterns;
    uint32_t n_raw, n_bytes; /* of the content, as it is and as it stands in the file */
};

/* What a file of a key begins with: a magic number, the key, the numbers of the form and the
 * build. */
void chunk_file_start(const uint8_t key[CHUNK_FILE_KEY_SIZE], uint8_t start[CHUNK_FILE_START]);

/* Errors that name the file; the second tells of errno. */
einspul_status chunk_file_no_memory(const struct chunk_file *file, einspul_error *error);
einspul_status chunk_file_failed(const struct chunk_file *file, einspul_error *error);

const char *chunk_file_name(const struct chunk_file *file);

/* IO, NO_SPACE. */
einspul_status chunk_file_write(struct chunk_file *file, uint64_t offset, const uint8_t *bytes,
                                size_t n, einspul_error *error);

/* Returns the bytes that could be read: fewer at the end of the file, CHUNK_NOT_READ if it
 * fails. */
#define CHUNK_NOT_READ SIZE_MAX
size_t chunk_file_read(const struct chunk_file *file, uint64_t offset, uint8_t *bytes, size_t n);

/* Reads and checks a record, of any size and page where its `n_bytes` is 0. EINSPUL_CORRUPT without
 * a text where it is damaged; `head` is zero where its head is. */
einspul_status chunk_file_record(const struct chunk_file *file, struct chunk_record record,
                                 uint64_t page, struct chunk_head *head, struct chunk **chunk,
                                 uint32_t **count, einspul_error *error);

/* A file that is not open, with a copy of its path if that is not NULL. NO_MEMORY. */
einspul_status chunk_file_new(const char *path, const struct chunk_form *form,
                              struct chunk_file **file, einspul_error *error);

/* Tells of the sound records of a file that may be another process's, if it begins as `like` does,
 * and removes it if its writer is there no more, as far as locks tell. Errors of `found`;
 * NO_MEMORY; IO where a record cannot be read. */
einspul_status chunk_file_look(const char *path, const struct chunk_file *like, chunk_found *found,
                               void *context, einspul_error *error);

#endif
