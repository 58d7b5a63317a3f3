#include "table/output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static enum status failed(const struct output *output, const char *what, struct error *error)
{
    const int reason = errno;
    const bool full = reason == ENOSPC || reason == EDQUOT;
    return error_set(error, full ? STATUS_NO_SPACE : STATUS_IO, "%s: %s: %s",
                     path_text(output->path), what, strerror(reason));
}

/* NO_MEMORY: NULL. */
static char *temporary_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    const size_t n_folder = slash == NULL ? 0 : (size_t)(slash - path) + 1;
    const size_t n_bytes = strlen(path) + sizeof "..tmp";
    char *temporary = malloc(n_bytes);
    if (temporary != NULL) {
        memcpy(temporary, path, n_folder);
        snprintf(temporary + n_folder, n_bytes - n_folder, ".%s.tmp", path + n_folder);
    }
    return temporary;
}

enum status output_create(struct output *output, const char *path, struct error *error)
{
    output->file = -1;
    output->temporary = temporary_path(path);
    output->path = malloc(strlen(path) + 1);
    if (output->temporary == NULL || output->path == NULL) {
        output_abandon(output);
        return error_set(error, STATUS_NO_MEMORY, "%s: no memory to write it", path_text(path));
    }
    strcpy(output->path, path);
    if (unlink(output->temporary) != 0 && errno != ENOENT)
        return failed(output, "cannot remove what an earlier run left", error);
    output->file = open(output->temporary, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (output->file < 0)
        return failed(output, "cannot make a file", error);
    return STATUS_OK;
}

enum status output_write(struct output *output, uint64_t offset, const void *bytes, size_t n_bytes,
                         struct error *error)
{
    const uint8_t *from = bytes;
    while (n_bytes > 0) {
        const ssize_t n = pwrite(output->file, from, n_bytes, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            if (n == 0)
                errno = ENOSPC;
            return failed(output, "cannot write", error);
        }
        from += n;
        offset += (uint64_t)n;
        n_bytes -= (size_t)n;
    }
    return STATUS_OK;
}

/* Makes the new name last. Some file systems cannot sync a folder, which is no error. */
static enum status sync_folder(const struct output *output, struct error *error)
{
    char *folder = malloc(strlen(output->path) + 2);
    if (folder == NULL)
        return error_set(error, STATUS_NO_MEMORY, "%s: no memory to sync its folder",
                         path_text(output->path));
    strcpy(folder, output->path);
    char *slash = strrchr(folder, '/');
    if (slash == NULL)
        strcpy(folder, ".");
    else
        slash[slash == folder ? 1 : 0] = '\0';
    const int file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    enum status status = STATUS_OK;
    if (file < 0 || (fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP))
        status = failed(output, "cannot sync its folder", error);
    if (file >= 0)
        close(file);
    free(folder);
    return status;
}

enum status output_commit(struct output *output, struct error *error)
{
    if (fsync(output->file) != 0)
        return failed(output, "cannot sync", error);
    const int closed = close(output->file);
    output->file = -1;
    if (closed != 0 || rename(output->temporary, output->path) != 0) {
        const enum status status = failed(output, "cannot put it in its place", error);
        unlink(output->temporary);
        return status;
    }
    return sync_folder(output, error);
}

void output_abandon(struct output *output)
{
    if (output->file >= 0) {
        close(output->file);
        unlink(output->temporary);
    }
    free(output->temporary);
    free(output->path);
    *output = (struct output){.file = -1};
}

void output_remove(const char *path)
{
    char *temporary = temporary_path(path);
    unlink(path);
    if (temporary != NULL)
        unlink(temporary);
    free(temporary);
}
