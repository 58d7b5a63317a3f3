/* What generator and program need from the operating system beyond os.h: writing files, locks
 * between processes, memory, limits. Not part of the library. Implemented in os_write_posix.c and
 * os_write_windows.c. Errors as in os.h. */
#ifndef EINSPUL_CORE_PROGRAM_OS_WRITE_H
#define EINSPUL_CORE_PROGRAM_OS_WRITE_H

#include "core/os.h"

/* --- files ------------------------------------------------------------------------------------ */

/* Flags of os_open_as, combined with |; 0 opens for reading. */
enum {
    OS_WRITE = 1,   /* open for reading and writing */
    OS_CREATE = 2,  /* create it if it does not exist */
    OS_NEW = 4,     /* create it; EEXIST if it exists */
    OS_NO_LINK = 8, /* ELOOP for a symbolic link */
    OS_PRIVATE = 16 /* only its owner may use a new file */
};

/* Like os_open, with flags. */
int os_open_as(const char *path, unsigned flags);

/* Like os_info_at, but does not follow links: for a link only `kind` (OS_LINK) is set. */
int os_info_at_link(const char *path, struct os_info *info);

/* True if the character separates the names in a path. */
static inline bool os_is_separator(char c)
{
#if defined(_WIN32)
    return c == '/' || c == '\\';
#else
    return c == '/';
#endif
}

/* Writes all bytes or fails; a write of 0 bytes is reported as ENOSPC. Thread-safe. */
int os_write_at(int file, const void *bytes, size_t n_bytes, uint64_t offset);

/* Opens a new temporary file that disappears when it is closed, however the process ends. The file
 * is created in the folder of `path`; it has no name, or (Windows) one derived from `path`. A
 * leftover of an interrupted process at `path` is removed. */
int os_open_hidden(const char *path);

/* Flushes the file to stable storage. */
int os_sync(int file);

/* Like os_sync, for a folder's entries, where supported. Windows has no such call; there os_rename
 * writes through. */
int os_sync_folder(const char *path);

/* Renames a file and replaces an existing one atomically; programs that have the old file open or
 * mapped keep it. On Windows a file in use is moved aside first, so for a moment the name does not
 * exist. */
int os_rename(const char *from, const char *to);

/* Closes a file after the last write and renames it; the lock is kept until the rename is done, so
 * that no process removes the file as a leftover. */
int os_close_and_rename(int file, const char *from, const char *to);

int os_remove(const char *path);

int os_make_folder(const char *path); /* EEXIST if it exists */

/* Gives a file the owner and the mode of the one it will replace. Does nothing on Windows, where a
 * file inherits its permissions from its folder. */
int os_copy_owner(int file, const char *replaced);

/* Lets those write a file of ours who may write in its folder; without effect where that is refused,
 * and on Windows. */
void os_share_file(int file, const char *folder);

/* Locks an open file exclusively until it is closed, against all other opens of the same path,
 * those of this process included. The system releases the lock however the process ends.
 * EWOULDBLOCK if the file is locked. */
int os_lock(int file);

/* Like os_lock, with a shared lock. */
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

/* Resident set size of the process in bytes; 0 if unknown. */
uint64_t os_memory_resident(void);

uint64_t os_page_bytes(void);

enum os_limit { OS_LIMIT_ADDRESS_SPACE, OS_LIMIT_DATA };

/* A limit of the process in bytes; UINT64_MAX: no limit. */
uint64_t os_limit_of_process(enum os_limit limit);

/* The value of an environment variable; release with free(). NULL with errno 0 if it is not set. */
char *os_environment(const char *name);

/* Wall-clock nanoseconds since 1970; the process ID. */
uint64_t os_wall_ns(void);
uint64_t os_process_id(void);

/* The host name, truncated to the size, "" if unknown; and a random number, different for each call
 * and process, 0 if the system provides none. */
void os_host_name(char *name, size_t size);
uint64_t os_random(void);

/* Raises the soft limit on open files to the hard limit. */
void os_raise_file_limit(void);

/* Nanoseconds of a monotonic clock. */
uint64_t os_now_ns(void);

/* Maps zeroed pages, which return to the system when unmapped (unlike freed heap memory). NULL on
 * failure. */
void *os_map_memory(size_t n_bytes);
void os_unmap_memory(void *memory, size_t n_bytes);

#endif
