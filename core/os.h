/* What the library needs from the operating system: reading files by offset, aligned memory,
 * mutexes. Implemented in os_posix.c and os_windows.c. What only programs need is in os_write.h.
 *
 * A call that fails returns -1 or NULL and sets errno, on Windows too. Paths are UTF-8 there. */
#ifndef EINSPUL_CORE_OS_H
#define EINSPUL_CORE_OS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if !defined(_WIN32)
#include <pthread.h>
#endif

enum os_kind { OS_REGULAR, OS_FOLDER, OS_LINK, OS_OTHER }; /* OS_LINK: os_info_at_link only */

struct os_info {
    enum os_kind kind;
    uint64_t n_bytes;
};

/* Opens a file for reading, close-on-exec. Never blocks, even on a FIFO without a writer; the
 * caller checks what kind of file it is. On Windows other programs may still read, write, rename
 * and remove the file; a folder gives EISDIR. */
int os_open(const char *path);
int os_close(int file);

int os_info_of(int file, struct os_info *info);
int os_info_at(const char *path, struct os_info *info); /* follows links */

/* Reads from `offset`; returns the number of bytes, less than n_bytes only at the end of the file.
 * Thread-safe. */
int64_t os_read_at(int file, void *bytes, size_t n_bytes, uint64_t offset);

/* Separates the paths in a list, as in PATH. */
#if defined(_WIN32)
enum { OS_LIST_SEPARATOR = ';' }; /* paths begin with C: */
#else
enum { OS_LIST_SEPARATOR = ':' };
#endif

/* The absolute form of `path`, relative to the current directory; release with free(). */
char *os_absolute(const char *path);

/* `alignment` is a power of two, at least the size of a pointer, and divides `n_bytes`. Release
 * with os_free_aligned only. */
void *os_alloc_aligned(size_t alignment, size_t n_bytes);
void os_free_aligned(void *memory); /* NULL is allowed */

/* A hint, safe to ignore: large pages for this memory. */
void os_advise_huge(void *memory, size_t n_bytes);

/* A mutex; not recursive. */
struct os_mutex {
#if defined(_WIN32)
    void *lock; /* an SRWLOCK */
#else
    pthread_mutex_t lock;
#endif
};

void os_mutex_init(struct os_mutex *mutex);
void os_mutex_lock(struct os_mutex *mutex);
void os_mutex_unlock(struct os_mutex *mutex);
void os_mutex_destroy(struct os_mutex *mutex);

/* Yields the processor to other threads. */
void os_yield(void);

#endif
