/* os.h on POSIX. Calls interrupted by a signal are repeated. */
#define _DEFAULT_SOURCE /* madvise, which is not POSIX */

#include "core/os.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#ifndef __wasi__ /* it has no madvise */
#include <sys/mman.h>
#endif

int os_open(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

int os_close(int file)
{
    return close(file);
}

/* Fills `info` from a stat result unless `result` is an error; returns `result`. */
static int info_from_stat(int result, const struct stat *from, struct os_info *info)
{
    if (result == 0)
        *info = (struct os_info){.kind = S_ISREG(from->st_mode)   ? OS_REGULAR
                                         : S_ISDIR(from->st_mode) ? OS_FOLDER
                                                                  : OS_OTHER,
                                 .n_bytes = (uint64_t)from->st_size};
    return result;
}

int os_info_of(int file, struct os_info *info)
{
    struct stat found;
    return info_from_stat(fstat(file, &found), &found, info);
}

int os_info_at(const char *path, struct os_info *info)
{
    struct stat found;
    return info_from_stat(stat(path, &found), &found, info);
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
    char *here = path[0] == '/' ? strdup("") : getcwd(NULL, 0);
    const size_t n = here == NULL ? 0 : strlen(here);
    char *absolute = here == NULL ? NULL : realloc(here, n + strlen(path) + 2);
    if (absolute == NULL)
        free(here);
    else
        strcat(strcpy(absolute + n, path[0] == '/' ? "" : "/"), path);
    return absolute;
}

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

void os_mutex_init(struct os_mutex *mutex)
{
    *mutex = (struct os_mutex){PTHREAD_MUTEX_INITIALIZER};
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
