/* A file that is read at places: mapped, read by the system, or through the caller's functions.
 *
 * What is read is always a copy, of a mapped file too: another program may write to the file at any
 * moment, and bytes that were found good must be the ones that are used. */
#ifndef EINSPUL_TABLE_FILE_H
#define EINSPUL_TABLE_FILE_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

/* How files are read. */
enum file_how { FILE_MAP, FILE_READ, FILE_CALLBACKS };

/* Functions of the caller's, with the meaning and the thread rule of einspul_callbacks. */
struct file_callbacks {
    void *(*open)(void *user, const char *name);
    int64_t (*size)(void *user, void *file);
    int (*read_at)(void *user, void *file, uint64_t offset, void *bytes, size_t n_bytes);
    void (*close)(void *user, void *file);
    void *user;
};

struct file_io {
    enum file_how how;
    struct file_callbacks callbacks; /* FILE_CALLBACKS only */
};

extern const struct file_io file_io_map;
extern const struct file_io file_io_read;

struct file; /* read only once open, so any number of threads may use it */

/* Opens a file; `path` is what the caller's functions or the system get. Only regular files are
 * opened, and nothing is waited for. NO_TABLE when there is no such file; IO when it cannot be
 * opened or is no regular file; NO_MEMORY. None of these says anything about what is in it. */
enum status file_open(const char *path, const struct file_io *io, struct file **file,
                      struct error *error);
void file_close(struct file *file); /* NULL is allowed */

/* What the system says of a file, which changes when the file does: bytes; when its content and when
 * its attributes were last changed, in nanoseconds of the system's count. */
struct file_stamp {
    uint64_t n_bytes;
    uint64_t modified, changed;
};

static inline bool file_stamp_equal(const struct file_stamp *a, const struct file_stamp *b)
{
    return a->n_bytes == b->n_bytes && a->modified == b->modified && a->changed == b->changed;
}

/* What it says now. False when it cannot be asked: FILE_READ only. */
bool file_stamp(const struct file *file, struct file_stamp *stamp);

const char *file_path(const struct file *file);
uint64_t file_size(const struct file *file); /* bytes, as it was opened */

/* Reads `n_bytes` bytes from `offset` on, which are known to be within the size; release them with
 * free(), after an error there is nothing to release. IO, TRUNCATED (it has become shorter),
 * NO_MEMORY, also where they are more than there are addresses for: after OK a size_t holds them. */
enum status file_read(const struct file *file, uint64_t offset, uint64_t n_bytes, uint8_t **bytes,
                      struct error *error);

#endif
