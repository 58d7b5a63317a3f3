/* What generator and program need from the operating system beyond os.h: writing files, locks
 * between processes, memory, limits. Not part of the library. Implemented in os_write_posix.c and
 * os_write_windows.c. Errors as in os.h. */
#ifndef EINSPUL_CORE_PROGRAM_OS_WRITE_H
#define EINSPUL_CORE_PROGRAM_OS_WRITE_H

#include "core/os.h"

/* --- files ------------------------------------------------------------------------------------ */

/* How a file is opened: a sum of these, or 0 to read it. */
enum {
    OS_WRITE = 1,   /* to read and write it */
    OS_CREATE = 2,  /* create it if it does not exist */
    OS_NEW = 4,     /* create it; EEXIST if it exists */
    OS_NO_LINK = 8, /* ELOOP for a symbolic link */
    OS_PRIVATE = 16 /* only its owner may use a new file */
};

/* As os_open, in one of these ways. */
int os_open_as(const char *path, unsigned how);

/* As os_info_at, but a link is OS_LINK, of which nothing else is told. */
int os_info_at_link(const char *path, struct os_info *info);

/* Whether a character separates the names in a path. */
static inline bool os_is_separator(char c)
{
#if defined(_WIN32)
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

/* Writes all bytes or fails; ENOSPC if the system writes none without an error. Thread-safe. */
int os_write_at(int file, const void *bytes, size_t n_bytes, uint64_t offset);

int os_truncate(int file, uint64_t n_bytes);

/* Opens a new temporary file that disappears when it is closed, however the process ends. It lies
 * in the folder of `path`, with a name derived from the path or with none. A file that an
 * interrupted process left at the path is removed. */
int os_open_hidden(const char *path);

/* Returns when the file is on the disk. */
int os_sync(int file);

/* Syncs the names in a folder, if the system can. Windows cannot; there os_rename writes the name
 * through. */
int os_sync_folder(const char *path);

/* Renames a file and replaces an existing one atomically; programs that have the old file open or
 * mapped go on using it. On Windows an open file has to be renamed first, so that for a moment no
 * file has the name. */
int os_rename(const char *from, const char *to);

/* Closes a file after the last write and renames it; its lock holds until it has the new name,
 * so that nobody takes it for a leftover. */
int os_close_and_rename(int file, const char *from, const char *to);

int os_remove(const char *path);

int os_make_folder(const char *path);   /* EEXIST when there is one */
int os_remove_folder(const char *path); /* one that is empty */

/* Gives a file the owner and the mode of the one it will replace. Does nothing on Windows, where a
 * file inherits its permissions from its folder. */
int os_copy_owner(int file, const char *replaced);

/* Locks an open file exclusively until it is closed, against all other opens of the same path,
 * those of this process included. The system releases the lock however the process ends.
 * EWOULDBLOCK if the file is locked. */
int os_lock(int file);

/* The same with a shared lock. */
int os_lock_shared(int file);

/* Free bytes on the disk of an existing path. */
int os_disk_free_bytes(const char *path, uint64_t *n_bytes);

/* --- folders ---------------------------------------------------------------------------------- */

struct os_folder;

struct os_folder *os_folder_open(const char *path);
void os_folder_close(struct os_folder *folder);

/* The name of the next entry, valid until the next call. NULL with errno 0 at the end. */
const char *os_folder_next(struct os_folder *folder);

/* Removes an entry. */
int os_folder_remove(struct os_folder *folder, const char *name);

/* --- machine and process ---------------------------------------------------------------------- */

/* Bytes of memory: on POSIX installed memory, on Windows free memory; UINT64_MAX: unknown. */
uint64_t os_memory_bytes(void);

/* Bytes of the process that are in memory now; 0 where the system does not tell. */
uint64_t os_memory_resident(void);

int os_processors(void); /* 1.. */

uint64_t os_page_bytes(void);

enum os_limit { OS_LIMIT_ADDRESS_SPACE, OS_LIMIT_DATA };

/* A limit of the process in bytes; UINT64_MAX: no limit. */
uint64_t os_limit_of_process(enum os_limit limit);

/* Nanoseconds since 1970; the process's number. */
uint64_t os_wall_ns(void);
uint64_t os_process_id(void);

/* The host name, truncated to the size, "" if there is none; and a random number, different for
 * each call and process, 0 if the system has none. */
void os_host_name(char *name, size_t size);
uint64_t os_random(void);

/* Raises the number of files the process may open to the maximum. */
void os_raise_file_limit(void);

/* Nanoseconds of a monotonic clock. */
uint64_t os_now_ns(void);

/* Processor time of this thread in nanoseconds; os_now_ns where the system counts it too
 * coarsely. */
uint64_t os_thread_ns(void);

/* Pages of the system's own, zeroed, which go back to it whole when they are released. NULL: there
 * are none. */
void *os_map_memory(size_t n_bytes);
void os_unmap_memory(void *memory, size_t n_bytes);

#endif
