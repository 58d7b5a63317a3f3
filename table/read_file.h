/* Reading a file by offset, with system calls or through the caller's functions.
 *
 * Files are not mapped: another program may write to a file at any moment, and the bytes that are
 * used must be the ones that were checked. */
#ifndef EINSPUL_TABLE_READ_FILE_H
#define EINSPUL_TABLE_READ_FILE_H

#include "core/status.h"

#include <stdint.h>

/* Immutable once open, so any number of threads may use it. */
struct file {
    uint64_t size;                      /* bytes, when it was opened */
    const einspul_callbacks *callbacks; /* NULL: the system's calls */
    void *user_file;                    /* of the callbacks; NULL: none */
    int descriptor;                     /* -1: none */
    bool is_part; /* a part, from `offset` on, of a file that its opener closes */
    uint64_t offset;
    char path[];
};

/* Opens a regular file without blocking; `path` is passed to the system or, unless they are NULL,
 * to the caller's functions, which must last as long as the file. NO_TABLE if there is no such
 * file; IO if it cannot be opened or is not regular; NO_MEMORY. None of these says anything about
 * its content. */
einspul_status file_open(const char *path, const einspul_callbacks *callbacks, struct file **file,
                         einspul_error *error);
void file_close(struct file *file); /* NULL is allowed */

/* Opens a part of an open file, which must be within its size, as a file named `path`; the whole
 * one must stay open. NO_MEMORY. */
einspul_status file_open_part(const struct file *whole, const char *path, uint64_t offset,
                              uint64_t n_bytes, struct file **file, einspul_error *error);

/* Reports that there is not enough memory to read `path`; returns NO_MEMORY. */
einspul_status file_no_memory(const char *path, einspul_error *error);

/* Reads `n_bytes` bytes at `offset`, which must be within the size; release them with free() after
 * OK. IO, TRUNCATED (the file has become shorter), NO_MEMORY. */
einspul_status file_read(const struct file *file, uint64_t offset, uint64_t n_bytes,
                         uint8_t **bytes, einspul_error *error);

/* Like file_read, and verifies the checksum: BAD_HEADER if it differs. `what` names the section in
 * the message. */
einspul_status file_read_section(const struct file *file, uint64_t offset, uint64_t n_bytes,
                                 uint64_t checksum, const char *what, uint8_t **bytes,
                                 einspul_error *error);

/* The layout that headers of tables and packs share: magic, read and write version at 8, checksum in
 * the last 8 bytes. */
struct header_spec {
    const uint8_t *magic;         /* 8 bytes */
    const char *wrong_magic_text; /* the message for a file with another magic */
    int version;                  /* the one that is read */
    size_t n_bytes;
    size_t at_file_size;
};

/* Reads a header and checks magic, checksum, version and file size. NOT_A_TABLE, BAD_HEADER,
 * OLD_VERSION, WRONG_VERSION, TRUNCATED, CORRUPT (the file is longer than the header says); errors of
 * file_read. */
einspul_status file_read_header(const struct file *file, const struct header_spec *spec,
                                uint8_t **bytes, einspul_error *error);

#endif
