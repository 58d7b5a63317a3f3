/* Two ways to read a file. Only regular files are opened. The size is determined once; reading
 * beyond the end of a file that was truncated later is TRUNCATED. */
#include "table/read_file.h"

#include "core/os.h"
#include "table/bytes.h"
#include "table/table_format.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { MAGIC_SIZE = 8 };

/* The status for errno. A shortage of memory is NO_MEMORY, whichever call failed. */
static einspul_status system_error(const struct file *file, const char *what, einspul_error *error)
{
    const int reason = errno;
    return error_set(error, status_of_errno(reason), "%s: %s%s", path_tail(file->path), what,
                     strerror(reason));
}

einspul_status file_no_memory(const char *path, einspul_error *error)
{
    return error_set(error, EINSPUL_NO_MEMORY, "%s: not enough memory to read it", path_tail(path));
}

static einspul_status open_in_system(struct file *file, einspul_error *error)
{
    struct os_info info;
    file->descriptor = os_open(file->path);
    if (file->descriptor < 0 && errno == ENOENT)
        return error_set(error, EINSPUL_NO_TABLE, "%s: no such file", path_tail(file->path));
    if (file->descriptor < 0 || os_info_of(file->descriptor, &info) != 0)
        return system_error(file, "", error);
    if (info.kind != OS_REGULAR)
        return error_set(error, EINSPUL_IO, "%s: not a regular file", path_tail(file->path));
    file->size = info.n_bytes;
    return EINSPUL_OK;
}

static einspul_status open_by_callbacks(struct file *file, einspul_error *error)
{
    const einspul_callbacks *callbacks = file->callbacks;
    file->user_file = callbacks->open(callbacks->user, file->path);
    if (file->user_file == NULL)
        return error_set(error, EINSPUL_NO_TABLE, "%s: no such file", path_tail(file->path));
    const int64_t size = callbacks->size(callbacks->user, file->user_file);
    if (size < 0)
        return error_set(error, EINSPUL_IO, "%s: size unknown", path_tail(file->path));
    file->size = (uint64_t)size;
    return EINSPUL_OK;
}

/* A file that is not open yet. */
static struct file *file_new(const char *path, const einspul_callbacks *callbacks,
                             einspul_error *error)
{
    const size_t n_bytes = strlen(path) + 1;
    struct file *file = malloc(sizeof *file + n_bytes);
    if (file == NULL) {
        file_no_memory(path, error);
        return NULL;
    }
    *file = (struct file){.callbacks = callbacks, .descriptor = -1};
    memcpy(file->path, path, n_bytes);
    return file;
}

einspul_status file_open(const char *path, const einspul_callbacks *callbacks, struct file **result,
                         einspul_error *error)
{
    struct file *file = file_new(path, callbacks, error);
    *result = NULL;
    if (file == NULL)
        return EINSPUL_NO_MEMORY;
    const einspul_status status =
        callbacks != NULL ? open_by_callbacks(file, error) : open_in_system(file, error);
    if (status == EINSPUL_OK)
        *result = file;
    else
        file_close(file);
    return status;
}

einspul_status file_open_part(const struct file *whole, const char *path, uint64_t offset,
                              uint64_t n_bytes, struct file **result, einspul_error *error)
{
    struct file *file = file_new(path, whole->callbacks, error);
    *result = file;
    if (file == NULL)
        return EINSPUL_NO_MEMORY;
    file->descriptor = whole->descriptor;
    file->user_file = whole->user_file;
    file->is_part = true;
    file->offset = offset;
    file->size = n_bytes;
    return EINSPUL_OK;
}

void file_close(struct file *file)
{
    if (file == NULL)
        return;
    if (file->descriptor >= 0 && !file->is_part)
        os_close(file->descriptor);
    if (file->user_file != NULL && !file->is_part)
        file->callbacks->close(file->callbacks->user, file->user_file);
    free(file);
}

static einspul_status read_at(const struct file *file, uint64_t offset, uint8_t *bytes,
                              size_t n_bytes, einspul_error *error)
{
    const einspul_callbacks *callbacks = file->callbacks;
    if (n_bytes == 0)
        return EINSPUL_OK;
    if (callbacks != NULL) {
        if (callbacks->read_at(callbacks->user, file->user_file, offset, bytes, n_bytes) == 0)
            return EINSPUL_OK;
        return error_set(error, EINSPUL_IO, "%s: read error", path_tail(file->path));
    }
    const int64_t n = os_read_at(file->descriptor, bytes, n_bytes, offset);
    if (n < 0)
        return system_error(file, "cannot read: ", error);
    if ((uint64_t)n < n_bytes)
        return error_set(error, EINSPUL_TRUNCATED, "%s: shrank while being read",
                         path_tail(file->path));
    return EINSPUL_OK;
}

einspul_status file_read(const struct file *file, uint64_t offset, uint64_t n_bytes,
                         uint8_t **bytes, einspul_error *error)
{
    *bytes = n_bytes < SIZE_MAX ? malloc((size_t)n_bytes + 1) : NULL;
    if (*bytes == NULL)
        return file_no_memory(file->path, error);
    const einspul_status status =
        read_at(file, file->offset + offset, *bytes, (size_t)n_bytes, error);
    if (status != EINSPUL_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}

einspul_status file_read_section(const struct file *file, uint64_t offset, uint64_t n_bytes,
                                 uint64_t checksum, const char *what, uint8_t **bytes,
                                 einspul_error *error)
{
    const einspul_status status = file_read(file, offset, n_bytes, bytes, error);
    if (status != EINSPUL_OK || format_checksum(*bytes, (size_t)n_bytes) == checksum)
        return status;
    free(*bytes);
    *bytes = NULL;
    return error_set(error, EINSPUL_BAD_HEADER, "%s: %s: checksum mismatch", path_tail(file->path),
                     what);
}

/* Checks a header of which the file has `n_bytes` bytes. */
static einspul_status check_header(const struct file *file, const struct header_spec *spec,
                                   const uint8_t *bytes, size_t n_bytes, einspul_error *error)
{
    const char *path = path_tail(file->path);
    if (n_bytes < MAGIC_SIZE || memcmp(bytes, spec->magic, MAGIC_SIZE) != 0)
        return error_set(error, EINSPUL_NOT_A_TABLE, "%s: %s", path, spec->wrong_magic_text);
    if (n_bytes < spec->n_bytes)
        return error_set(error, EINSPUL_TRUNCATED, "%s: too short to be a table (%zu bytes)", path,
                         n_bytes);
    if (load_u64(bytes + n_bytes - CHECKSUM_SIZE) !=
        format_checksum(bytes, n_bytes - CHECKSUM_SIZE))
        return error_set(error, EINSPUL_BAD_HEADER, "%s: header checksum mismatch", path);
    const int write_version = load_u16(bytes + AT_WRITE_VERSION);
    if (write_version < spec->version)
        return error_set(error, EINSPUL_OLD_VERSION,
                         "%s: format version %d, of an earlier program; generate it again", path,
                         write_version);
    const int read_version = load_u16(bytes + AT_READ_VERSION);
    if (read_version < 1 || read_version > spec->version)
        return error_set(error, EINSPUL_WRONG_VERSION, "%s: format version %d, expected 1 to %d",
                         path, read_version, spec->version);
    const uint64_t expected = load_u64(bytes + spec->at_file_size);
    if (file->size != expected)
        return error_set(error, file->size < expected ? EINSPUL_TRUNCATED : EINSPUL_CORRUPT,
                         "%s: %llu bytes, but the header says %llu", path,
                         (unsigned long long)file->size, (unsigned long long)expected);
    return EINSPUL_OK;
}

einspul_status file_read_header(const struct file *file, const struct header_spec *spec,
                                uint8_t **bytes, einspul_error *error)
{
    const size_t n_bytes = file->size < spec->n_bytes ? (size_t)file->size : spec->n_bytes;
    einspul_status status = file_read(file, 0, n_bytes, bytes, error);
    if (status == EINSPUL_OK)
        status = check_header(file, spec, *bytes, n_bytes, error);
    return status;
}
