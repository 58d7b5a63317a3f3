/* What the library asks of the operating system: files that are read at places or mapped, folders,
 * aligned memory, a clock, locks between threads. os_posix.c and os_windows.c are its two forms. What
 * whoever writes files asks besides is in os_write.h.
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

/* --- files ------------------------------------------------------------------------------------ */

enum os_kind { OS_REGULAR, OS_FOLDER, OS_LINK, OS_OTHER };

struct os_info {
    enum os_kind kind;
    uint64_t n_bytes;
    uint64_t device, number;     /* the two are the file's own, whatever its name */
    uint64_t modified, changed;  /* nanoseconds since 1970: content, attributes */
    uint32_t owner, group, mode; /* zero on Windows */
};

/* How a file is opened: 0 to read it, or a sum of these. */
enum {
    OS_WRITE = 1,   /* to read and write it */
    OS_CREATE = 2,  /* it is made when it is not there */
    OS_NEW = 4,     /* it is made; EEXIST when it is there */
    OS_NO_LINK = 8, /* ELOOP for a symbolic link */
    OS_PRIVATE = 16 /* what is made is its owner's alone */
};

/* A file by a number, which a program begun from this one does not get. Nothing is waited for,
 * whatever stands at the path: a FIFO without a writer would never answer. Whoever opens looks what
 * kind of file it is. On Windows others may go on reading, writing, renaming and removing the file;
 * a folder is EISDIR. */
int os_open(const char *path, unsigned how);
int os_close(int file);

int os_info_of(int file, struct os_info *info);
int os_info_at(const char *path, struct os_info *info);      /* a link's is that of its target */
int os_info_at_link(const char *path, struct os_info *info); /* a link's is its own */

/* Bytes read from `offset` on: n_bytes, or fewer at the end of the file. Thread-safe. */
int64_t os_read_at(int file, void *bytes, size_t n_bytes, uint64_t offset);

/* The first bytes (1..) of a file, to be read at any places; the file may be closed. What becomes of
 * the mapping when the file gets shorter is the system's: POSIX ends a process that reads there,
 * Windows keeps the file from getting shorter. */
const void *os_map(int file, size_t n_bytes);
void os_unmap(const void *start, size_t n_bytes);

/* Where a path may be cut: behind such a character there is a name. */
static inline bool os_is_separator(char c)
{
#if defined(_WIN32)
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

/* What an errno says, in `text`, which is returned. Thread-safe. */
const char *os_error_text(int reason, char *text, size_t size);

/* --- folders ---------------------------------------------------------------------------------- */

struct os_folder;

struct os_folder *os_folder_open(const char *path);
void os_folder_close(struct os_folder *folder);

/* The name of one more entry, until the next call. NULL with errno 0 when there are no more. */
const char *os_folder_next(struct os_folder *folder);

/* Of what an entry is, or links to. */
int os_folder_info(struct os_folder *folder, const char *name, struct os_info *info);

/* --- memory, time, threads -------------------------------------------------------------------- */

/* `alignment` is a power of two from the size of a pointer on, and divides `n_bytes`. Only
 * os_free_aligned releases it. */
void *os_alloc_aligned(size_t alignment, size_t n_bytes);
void os_free_aligned(void *memory); /* NULL is allowed */

/* A hint, safe to ignore: large pages for this memory. */
void os_advise_huge(void *memory, size_t n_bytes);

/* Nanoseconds since some moment, never running back. */
uint64_t os_now_ns(void);

/* A lock that one thread at a time holds; not to be taken twice by one. */
struct os_mutex {
#if defined(_WIN32)
    void *lock; /* an SRWLOCK */
#else
    pthread_mutex_t lock;
#endif
};

int os_mutex_init(struct os_mutex *mutex);
void os_mutex_lock(struct os_mutex *mutex);
void os_mutex_unlock(struct os_mutex *mutex);
void os_mutex_destroy(struct os_mutex *mutex);

/* Lets other threads go first. */
void os_yield(void);

#endif
