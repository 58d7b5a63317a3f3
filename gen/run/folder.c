/* The lock is os_lock's on <root>/<rules>/.lock: the system drops it however a process ends, so
 * none is ever left over. The file is not removed, because then two processes could lock two files
 * of that name. */
#include "gen/run/folder.h"

#include "core/program/os_write.h"
#include "gen/values/paths.h"
#include "table/write/output.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static einspul_status failed(const char *path, const char *what, int reason, einspul_error *error)
{
    return error_set(error, status_of_errno(reason), "%.200s: %s%s", path, what, strerror(reason));
}

einspul_status folder_make(const char *root, const struct rules *rules, einspul_error *error)
{
    char path[PATHS_SIZE];
    const einspul_status status = path_make(root, path, error, "%s/%s", root, rules->name);
    if (status != EINSPUL_OK)
        return status;
    const size_t n = strlen(path);
    for (size_t i = 1; i <= n; i++) {
        const char end = path[i];
        if (!os_is_separator(end) && end != '\0')
            continue;
        path[i] = '\0';
        if (os_make_folder(path) != 0 && errno != EEXIST)
            return failed(path, "", errno, error);
        path[i] = end;
    }
    return EINSPUL_OK;
}

/* Opens the lock file. A link is not followed, or a file would be created wherever it points; a
 * pipe or a device may block. */
static einspul_status open_lock(const char *root, const char *path, int *lock, einspul_error *error)
{
    struct os_info info;
    *lock = os_open_as(path, OS_WRITE | OS_CREATE | OS_NO_LINK);
    if (*lock < 0) {
        if (errno == ENOENT)
            return error_set(error, EINSPUL_NO_FOLDER, "%.*s: no such directory",
                             (int)(strlen(path) - strlen("/.lock")), path);
        if (errno == ELOOP)
            return error_set(error, EINSPUL_IO, "%.200s: is a symbolic link", path);
        if (errno == ENOTDIR)
            return error_set(error, EINSPUL_IO, "%.200s: not a directory", root);
        return failed(path, "", errno, error);
    }
    if (os_info_of(*lock, &info) != 0)
        return failed(path, "", errno, error);
    if (info.kind != OS_REGULAR)
        return error_set(error, EINSPUL_IO, "%.200s: not a regular file", path);
    return EINSPUL_OK;
}

/* Opens the lock file, sets its path, and locks it by os_lock or os_lock_shared. If `must_hold`,
 * any failure to lock is an error; otherwise only a lock held by another process is. */
static einspul_status take_lock(const char *root, const struct rules *rules, int take(int),
                                bool must_hold, char path[PATHS_SIZE], int *lock,
                                einspul_error *error)
{
    char folder[PATHS_SIZE];
    *lock = -1;
    einspul_status status = path_make(root, folder, error, "%s/%s", root, rules->name);
    if (status == EINSPUL_OK)
        status = path_make(root, path, error, "%s/.lock", folder);
    if (status == EINSPUL_OK)
        status = open_lock(root, path, lock, error);
    if (status == EINSPUL_OK)
        os_share_file(*lock, folder);
    if (status != EINSPUL_OK || take(*lock) == 0)
        return status;
    if (errno == EWOULDBLOCK)
        return error_set(error, EINSPUL_LOCKED,
                         "%.200s: locked, another process is writing here; wait until it ends",
                         path);
    return must_hold ? failed(path, "cannot lock: ", errno, error) : EINSPUL_OK;
}

static einspul_status close_unless(einspul_status status, int *lock)
{
    if (status != EINSPUL_OK && *lock >= 0) {
        os_close(*lock);
        *lock = -1;
    }
    return status;
}

einspul_status folder_lock(const char *root, const struct rules *rules, int *lock,
                           einspul_error *error)
{
    char path[PATHS_SIZE];
    einspul_status status = take_lock(root, rules, os_lock, true, path, lock, error);
    if (status == EINSPUL_OK) {
        path[strlen(path) - strlen("/.lock")] = '\0';
        output_remove_leftovers(path); /* no other process writes here now */
    }
    return close_unless(status, lock);
}

einspul_status folder_share(const char *root, const struct rules *rules, int *lock,
                            einspul_error *error)
{
    char path[PATHS_SIZE];
    return close_unless(take_lock(root, rules, os_lock_shared, false, path, lock, error), lock);
}
