/* The temporary file has a unique number in its name, so two writers of one path that no lock
 * excludes each install a complete file, one after the other. A writer locks its temporary file;
 * one that is not locked is a leftover and may be removed. */
#include "table/write/output.h"

#include "core/program/os_write.h"
#include "table/table_format.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

enum { MAX_NAMES = 16 };

static einspul_status failed(const struct output *output, const char *what, einspul_error *error)
{
    const int reason = errno;
    return error_set(error, status_of_errno(reason), "%s: %s: %s", path_tail(output->path), what,
                     strerror(reason));
}

einspul_status output_no_memory(const char *path, einspul_error *error)
{
    return error_set(error, EINSPUL_NO_MEMORY, "%s: not enough memory to write it",
                     path_tail(path));
}

/* --- names ------------------------------------------------------------------------------------ */

/* Bytes of the folder in a path, its slash included; 0: the current one. */
static size_t folder_length(const char *path)
{
    size_t n = strlen(path);
    while (n > 0 && !os_is_separator(path[n - 1]))
        n--;
    return n;
}

/* The folder of a path, "." for the current one, release with free(); NULL if out of memory. */
static char *folder_of(const char *path)
{
    const size_t n = folder_length(path);
    char *folder = malloc(n + sizeof ".");
    if (folder == NULL)
        return NULL;
    memcpy(folder, path, n);
    strcpy(folder + n, n == 0 ? "." : "");
    return folder;
}

uint64_t output_unique_number(void)
{
    static _Atomic uint64_t n_made;
    struct {
        char host[256];
        uint64_t wall, process, made, random;
    } seeds;
    memset(&seeds, 0, sizeof seeds);
    os_host_name(seeds.host, sizeof seeds.host);
    seeds.wall = os_wall_ns();
    seeds.process = os_process_id();
    seeds.made = atomic_fetch_add(&n_made, 1);
    seeds.random = os_random();
    return format_checksum(&seeds, sizeof seeds);
}

/* NULL without memory. */
static char *temporary_path(const char *path, uint64_t number)
{
    const size_t n_folder = folder_length(path);
    const size_t n_bytes = strlen(path) + sizeof "..0123456789abcdef.tmp";
    char *temporary = malloc(n_bytes);
    if (temporary != NULL) {
        memcpy(temporary, path, n_folder);
        snprintf(temporary + n_folder, n_bytes - n_folder, ".%s.%016llx.tmp", path + n_folder,
                 (unsigned long long)number);
    }
    return temporary;
}

/* True if an entry of a folder is a temporary file for `name`, or (NULL) for any table. Its name
 * ends with any number. */
static bool is_temporary(const char *entry, const char *name)
{
    static const char end[] = ".tmp";
    const size_t length = strlen(entry);
    const size_t n = name == NULL ? 0 : strlen(name);
    if (entry[0] != '.' || length < 1 + n + strlen(end) ||
        strcmp(entry + length - strlen(end), end) != 0)
        return false;
    if (name == NULL)
        return strstr(entry, ".wdl.") != NULL || strstr(entry, ".dtw.") != NULL;
    return strncmp(entry + 1, name, n) == 0 && entry[1 + n] == '.';
}

/* Removes a temporary file unless it is locked by its writer. The lock taken here is held until the
 * file is removed; output_create_locked depends on that. */
static void remove_left_over(struct os_folder *entries, const char *folder, const char *entry)
{
    const size_t n = strlen(folder) + strlen(entry) + 2;
    char *path = malloc(n);
    if (path == NULL)
        return;
    snprintf(path, n, "%s/%s", folder, entry);
    const int file = os_open_as(path, OS_WRITE | OS_NO_LINK);
    if (file < 0 || os_lock(file) == 0 || errno != EWOULDBLOCK)
        (void)os_folder_remove(entries, entry);
    if (file >= 0)
        os_close(file);
    free(path);
}

/* Errors are ignored: a leftover only takes space. */
static void remove_temporaries(const char *folder, const char *name)
{
    struct os_folder *entries = os_folder_open(folder);
    const char *entry = NULL;
    while (entries != NULL && (entry = os_folder_next(entries)) != NULL)
        if (is_temporary(entry, name))
            remove_left_over(entries, folder, entry);
    if (entries != NULL)
        os_folder_close(entries);
}

/* Removes leftovers of interrupted writers of a path. */
static void remove_leftovers(const char *path)
{
    char *folder = folder_of(path);
    if (folder != NULL)
        remove_temporaries(folder, path + folder_length(path));
    free(folder);
}

void output_remove_leftovers(const char *folder)
{
    remove_temporaries(folder, NULL);
}

/* --- creating --------------------------------------------------------------------------------- */

/* Checks that `path` is a regular file, or (*found false) does not exist. */
static einspul_status look_at(const char *path, struct os_info *info, bool *found,
                              einspul_error *error)
{
    *found = os_info_at_link(path, info) == 0;
    const int reason = *found ? 0 : errno;
    if (*found ? info->kind == OS_REGULAR : reason == ENOENT)
        return EINSPUL_OK;
    return error_set(error, status_of_errno(reason), "%s: %s", path_tail(path),
                     !*found                 ? strerror(reason)
                     : info->kind == OS_LINK ? "is a symbolic link; refusing to write through it"
                                             : "not a regular file");
}

einspul_status output_check(const char *path, einspul_error *error)
{
    struct os_info info;
    bool found = false;
    return look_at(path, &info, &found, error);
}

int output_create_locked(const char *path, unsigned how)
{
    struct os_info info;
    const int file = os_open_as(path, OS_WRITE | OS_NEW | how);
    if (file < 0)
        return -1;
    const bool is_found = os_lock(file) != 0 && errno == EWOULDBLOCK;
    if (!is_found && (os_info_at_link(path, &info) == 0 || errno != ENOENT))
        return file;
    os_close(file);
    os_remove(path);
    errno = EAGAIN;
    return -1;
}

/* Opens the temporary file, with a new name after each EAGAIN: another process removed the file as
 * a leftover. */
static einspul_status open_temporary(struct output *output, bool replaces, einspul_error *error)
{
    for (int i = 0; i < MAX_NAMES; i++) {
        free(output->temporary);
        output->temporary = temporary_path(output->path, output_unique_number());
        if (output->temporary == NULL)
            break;
        output->file = output_create_locked(output->temporary, replaces ? (unsigned)OS_PRIVATE : 0);
        if (output->file >= 0)
            return EINSPUL_OK;
        if (errno != EAGAIN)
            return failed(output, "cannot create a file", error);
    }
    if (output->temporary != NULL)
        return failed(output, "cannot create a file", error);
    return output_no_memory(output->path, error);
}

einspul_status output_create(struct output *output, const char *path, einspul_error *error)
{
    struct os_info old;
    bool replaces = false;
    einspul_status status = look_at(path, &old, &replaces, error);

    output->file = -1;
    if (status != EINSPUL_OK)
        return status;
    output->temporary = NULL;
    output->path = malloc(strlen(path) + 1);
    if (output->path == NULL)
        return output_no_memory(path, error);
    strcpy(output->path, path);
    remove_leftovers(path);
    status = open_temporary(output, replaces, error);
    if (status == EINSPUL_OK && replaces && os_copy_owner(output->file, path) != 0)
        return failed(output, "cannot preserve owner and mode", error);
    return status;
}

/* --- writing ---------------------------------------------------------------------------------- */

einspul_status output_write(struct output *output, uint64_t offset, const void *bytes,
                            size_t n_bytes, einspul_error *error)
{
    return os_write_at(output->file, bytes, n_bytes, offset) == 0
               ? EINSPUL_OK
               : failed(output, "cannot write", error);
}

/* Syncs the folder of a path. IO, NO_MEMORY. */
static einspul_status output_sync_folder(const char *path, einspul_error *error)
{
    char *folder = folder_of(path);
    if (folder == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "%s: not enough memory to sync its folder",
                         path_tail(path));
    einspul_status status = EINSPUL_OK;
    if (os_sync_folder(folder) != 0) {
        const int reason = errno;
        status = error_set(error, status_of_errno(reason), "%s: cannot sync its folder: %s",
                           path_tail(path), strerror(reason));
    }
    free(folder);
    return status;
}

einspul_status output_commit(struct output *output, einspul_error *error)
{
    if (os_sync(output->file) != 0)
        return failed(output, "cannot sync", error);
    const einspul_status status = output_commit_unsynced(output, error);
    return status == EINSPUL_OK ? output_sync_folder(output->path, error) : status;
}

einspul_status output_commit_unsynced(struct output *output, einspul_error *error)
{
    const int file = output->file;
    output->file = -1;
    if (os_close_and_rename(file, output->temporary, output->path) != 0) {
        const einspul_status status = failed(output, "cannot rename the temporary file", error);
        os_remove(output->temporary);
        return status;
    }
    return EINSPUL_OK;
}

void output_abandon(struct output *output)
{
    if (output->file >= 0) {
        os_close(output->file);
        os_remove(output->temporary);
    }
    free(output->temporary);
    free(output->path);
    *output = (struct output){.file = -1};
}
