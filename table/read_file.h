/* Reading a file by offset, with system calls or through the caller's functions.
 *
 * Files are not mapped: another program may write to a file at any moment, and the bytes that are
 * used must be the ones that were checked. */
#ifndef EINSPUL_TABLE_READ_FILE_H
#define EINSPUL_TABLE_READ_FILE_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

struct file; /* read only once open, so any number of threads may use it */

/* Opens a regular file without blocking; `path` is passed to the system or, unless they are NULL, to
 * the caller's functions, which must last as long as the file.
 * NO_TABLE if there is no such file; IO if it cannot be opened or is not regular; NO_MEMORY. None
 * of these says anything about its content. */
einspul_status file_open(const char *path, const einspul_callbacks *callbacks, struct file **file,
                         einspul_error *error);
void file_close(struct file *file); /* NULL is allowed */

/* Opens a part of an open file, which must be within its size, as a file named `path`; the whole
 * one must stay open. NO_MEMORY. */
einspul_status file_open_part(const struct file *whole, const char *path, uint64_t offset,
                              uint64_t n_bytes, struct file **file, einspul_error *error);

/* The error of a file that there is no memory to read: NO_MEMORY. */
einspul_status file_no_memory(const char *path, einspul_error *error);

const char *file_path(const struct file *file);
uint64_t file_size(const struct file *file); /* bytes, as it was opened */

/* Reads `n_bytes` bytes at `offset`, which must be within the size; release them with free() after
 * OK. IO, TRUNCATED (the file has become shorter), NO_MEMORY, which includes a length that does not
 * fit in a size_t. */
einspul_status file_read(const struct file *file, uint64_t offset, uint64_t n_bytes,
                         uint8_t **bytes, einspul_error *error);

#endif
