/* os.h on POSIX. Calls interrupted by a signal are repeated. */
#define _DEFAULT_SOURCE  /* madvise, which is not POSIX */
#define _DARWIN_C_SOURCE /* on macOS: times of files to the nanosecond */

#include "core/os.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef __wasi__ /* it has no madvise */
#include <sys/mman.h>
#endif

/* --- files ------------------------------------------------------------------------------------ */

int os_open(const char *path, unsigned how)
{
    const int flags = ((how & OS_WRITE) != 0 ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK |
                      O_NOCTTY | ((how & OS_CREATE) != 0 ? O_CREAT : 0) |
                      ((how & OS_NEW) != 0 ? O_CREAT | O_EXCL : 0) |
                      ((how & OS_NO_LINK) != 0 ? O_NOFOLLOW : 0);
    return open(path, flags, (how & OS_PRIVATE) != 0 ? S_IRUSR | S_IWUSR : 0666);
}

int os_close(int file)
{
    return close(file);
}

static uint64_t nanoseconds(struct timespec time)
{
    return (uint64_t)time.tv_sec * 1000000000u + (uint64_t)time.tv_nsec;
}

#if defined(__APPLE__) && !defined(st_mtim) /* macOS has older names for them */
#define st_mtim st_mtimespec
#define st_ctim st_ctimespec
#endif

/* Fills `info` if the call succeeded. */
static int tell(int result, const struct stat *from, struct os_info *info)
{
    if (result == 0)
        *info = (struct os_info){.kind = S_ISREG(from->st_mode)   ? OS_REGULAR
                                         : S_ISDIR(from->st_mode) ? OS_FOLDER
                                                                  : OS_OTHER,
                                 .n_bytes = (uint64_t)from->st_size,
                                 .device = (uint64_t)from->st_dev,
                                 .number = (uint64_t)from->st_ino,
                                 .modified = nanoseconds(from->st_mtim),
                                 .changed = nanoseconds(from->st_ctim),
                                 .owner = (uint32_t)from->st_uid,
                                 .group = (uint32_t)from->st_gid,
                                 .mode = (uint32_t)from->st_mode & 07777};
    return result;
}

int os_info_of(int file, struct os_info *info)
{
    struct stat found;
    return tell(fstat(file, &found), &found, info);
}

int os_info_at(const char *path, struct os_info *info)
{
    struct stat found;
    return tell(stat(path, &found), &found, info);
}

int64_t os_read_at(int file, void *bytes, size_t n_bytes, uint64_t offset)
{
    uint8_t *to = bytes;
    size_t n_read = 0;
    while (n_read < n_bytes) {
        const ssize_t n = pread(file, to + n_read, n_bytes - n_read, (off_t)(offset + n_read));
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return -1;
        if (n == 0)
            break;
        n_read += (size_t)n;
    }
    return (int64_t)n_read;
}

char *os_absolute(const char *path)
{
    if (path[0] == '/')
        return strdup(path);
    for (size_t size = 256;; size *= 2) {
        char *absolute = malloc(size + strlen(path) + 2);
        if (absolute == NULL)
            return NULL;
        if (getcwd(absolute, size) != NULL) {
            strcat(absolute, "/");
            return strcat(absolute, path);
        }
        const int reason = errno;
        free(absolute);
        errno = reason;
        if (reason != ERANGE)
            return NULL;
    }
}

char *os_variable(const char *name)
{
    const char *value = getenv(name);
    errno = 0;
    return value == NULL ? NULL : strdup(value);
}

const char *os_error_text(int reason, char *text, size_t size)
{
    if (strerror_r(reason, text, size) != 0)
        snprintf(text, size, "error %d", reason);
    return text;
}

/* --- memory, threads -------------------------------------------------------------------------- */

void *os_alloc_aligned(size_t alignment, size_t n_bytes)
{
    return aligned_alloc(alignment, n_bytes);
}

void os_free_aligned(void *memory)
{
    free(memory);
}

void os_advise_huge(void *memory, size_t n_bytes)
{
#ifdef MADV_HUGEPAGE
    madvise(memory, n_bytes, MADV_HUGEPAGE);
#else
    (void)memory;
    (void)n_bytes;
#endif
}

int os_mutex_init(struct os_mutex *mutex)
{
    errno = pthread_mutex_init(&mutex->lock, NULL);
    return errno == 0 ? 0 : -1;
}

void os_mutex_lock(struct os_mutex *mutex)
{
    pthread_mutex_lock(&mutex->lock);
}

void os_mutex_unlock(struct os_mutex *mutex)
{
    pthread_mutex_unlock(&mutex->lock);
}

void os_mutex_destroy(struct os_mutex *mutex)
{
    pthread_mutex_destroy(&mutex->lock);
}

void os_yield(void)
{
    sched_yield();
}
