/* Two ways to read a file. Only regular files are opened. The size is determined once; reading
 * beyond the end of a file that was truncated later is TRUNCATED. */
#include "table/read_file.h"

#include "core/os.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

struct file {
    const einspul_callbacks *callbacks; /* NULL: the system's calls */
    uint64_t size;
    int descriptor;           /* -1: none */
    void *opened;             /* by the callbacks */
    const struct file *whole; /* what this is a part of, from `offset`; else NULL */
    uint64_t offset;
    char path[];
};

/* The status for errno. A shortage of memory is NO_MEMORY, whichever call failed. */
static einspul_status system_error(const struct file *file, const char *what, einspul_error *error)
{
    const int reason = errno;
    char text[96] = "";
    return error_set(error, status_of_errno(reason), "%s: %s%s", path_text(file->path), what,
                     os_error_text(reason, text, sizeof text));
}

einspul_status file_no_memory(const char *path, einspul_error *error)
{
    return error_set(error, EINSPUL_NO_MEMORY, "%s: no memory to read it", path_text(path));
}

/* --- opening ---------------------------------------------------------------------------------- */

static einspul_status open_in_system(struct file *file, einspul_error *error)
{
    struct os_info info;
    file->descriptor = os_open(file->path, 0);
    if (file->descriptor < 0 && errno == ENOENT)
        return error_set(error, EINSPUL_NO_TABLE, "%s: there is none", path_text(file->path));
    if (file->descriptor < 0 || os_info_of(file->descriptor, &info) != 0)
        return system_error(file, "", error);
    if (info.kind != OS_REGULAR)
        return error_set(error, EINSPUL_IO, "%s: not a regular file", path_text(file->path));
    file->size = info.n_bytes;
    return EINSPUL_OK;
}

static einspul_status open_by_callbacks(struct file *file, einspul_error *error)
{
    const einspul_callbacks *callbacks = file->callbacks;
    file->opened = callbacks->open(callbacks->user, file->path);
    if (file->opened == NULL)
        return error_set(error, EINSPUL_NO_TABLE, "%s: there is none", path_text(file->path));
    const int64_t size = callbacks->size(callbacks->user, file->opened);
    if (size < 0)
        return error_set(error, EINSPUL_IO, "%s: its size is not known", path_text(file->path));
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
    file->whole = whole;
    file->offset = offset;
    file->size = n_bytes;
    return EINSPUL_OK;
}

void file_close(struct file *file)
{
    if (file == NULL)
        return;
    if (file->descriptor >= 0)
        os_close(file->descriptor);
    if (file->opened != NULL)
        file->callbacks->close(file->callbacks->user, file->opened);
    free(file);
}

const char *file_path(const struct file *file)
{
    return file->path;
}

uint64_t file_size(const struct file *file)
{
    return file->size;
}

/* --- reading ---------------------------------------------------------------------------------- */

static einspul_status read_at(const struct file *file, uint64_t offset, uint8_t *bytes,
                              size_t n_bytes, einspul_error *error)
{
    const einspul_callbacks *callbacks = file->callbacks;
    if (n_bytes == 0)
        return EINSPUL_OK;
    if (callbacks != NULL) {
        if (callbacks->read_at(callbacks->user, file->opened, offset, bytes, n_bytes) == 0)
            return EINSPUL_OK;
        return error_set(error, EINSPUL_IO, "%s: cannot read", path_text(file->path));
    }
    const int64_t n = os_read_at(file->descriptor, bytes, n_bytes, offset);
    if (n < 0)
        return system_error(file, "cannot read: ", error);
    if ((uint64_t)n < n_bytes)
        return error_set(error, EINSPUL_TRUNCATED, "%s: it has become shorter",
                         path_text(file->path));
    return EINSPUL_OK;
}

einspul_status file_read(const struct file *file, uint64_t offset, uint64_t n_bytes_wanted,
                         uint8_t **bytes, einspul_error *error)
{
    const size_t n_bytes = (size_t)n_bytes_wanted;
    *bytes = NULL;
    if (file->whole != NULL)
        return file_read(file->whole, file->offset + offset, n_bytes_wanted, bytes, error);
    if (n_bytes_wanted >= SIZE_MAX)
        return error_set(error, EINSPUL_NO_MEMORY, "%s: %llu bytes of it cannot be addressed",
                         path_text(file->path), (unsigned long long)n_bytes_wanted);
    *bytes = malloc(n_bytes + 1);
    if (*bytes == NULL)
        return file_no_memory(file->path, error);
    const einspul_status status = read_at(file, offset, *bytes, n_bytes, error);
    if (status != EINSPUL_OK) {
        free(*bytes);
        *bytes = NULL;
    }
    return status;
}
