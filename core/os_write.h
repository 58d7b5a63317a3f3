/* What generator and program ask of the operating system beyond os.h: files that are written, locks
 * between processes, what the machine has. Not part of the library. Two forms: os_write_posix.c and
 * os_write_windows.c. Errors as in os.h. */
#ifndef EINSPUL_CORE_OS_WRITE_H
#define EINSPUL_CORE_OS_WRITE_H

#include "core/os.h"

/* --- files ------------------------------------------------------------------------------------ */

/* Writes all bytes or fails; ENOSPC where the system writes none and says nothing. Thread-safe. */
int os_write_at(int file, const void *bytes, size_t n_bytes, uint64_t offset);

int os_truncate(int file, uint64_t n_bytes);

/* A new file to read and write that is gone when it is closed, however the process ends. It stands
 * in the folder of `path`, under a name made from the path's, or under none. What a stopped process
 * left at the path is removed. */
int os_open_hidden(const char *path);

/* Returns when the file is on the disk. */
int os_sync(int file);

/* Makes new names in a folder last, where the system has a call for that: Windows has none, and
 * writes them through in os_rename. */
int os_sync_folder(const char *path);

/* Gives a file a name, which another one may have now: that one is replaced, and goes on for
 * whoever has it open or mapped. At no moment is there none of that name, but for one that is open
 * on Windows: there it is renamed first. */
int os_rename(const char *from, const char *to);

int os_remove(const char *path);
int os_folder_remove(struct os_folder *folder, const char *name);

int os_make_folder(const char *path);   /* EEXIST when there is one */
int os_remove_folder(const char *path); /* one that is empty */

/* What a file takes over from the one it is to replace. Nothing is done on Windows, where a file
 * inherits from its folder who may use it. */
int os_set_owner(int file, uint32_t owner, uint32_t group);
int os_set_mode(int file, uint32_t mode);

/* Locks a file for as long as it is open, against every other one that is opened at its path, by
 * this process too. The system drops the lock however the process ends. EWOULDBLOCK when it is
 * locked. */
int os_lock(int file);

/* The same beside others that lock it so too. */
int os_lock_shared(int file);

/* Bytes that may still be written where a path, which is there, lies. */
int os_disk_free(const char *path, uint64_t *n_bytes);

/* --- machine and process ---------------------------------------------------------------------- */

/* Bytes of memory: with POSIX what there is, with Windows what is free; UINT64_MAX: unknown. */
uint64_t os_memory_bytes(void);

int os_processors(void); /* 1.. */

uint64_t os_page_bytes(void);

enum os_limit { OS_LIMIT_ADDRESS_SPACE, OS_LIMIT_DATA };

/* Bytes the process may have in all; UINT64_MAX: no limit. */
uint64_t os_limit_of_process(enum os_limit limit);

/* Nanoseconds since 1970; the process's number. */
uint64_t os_wall_ns(void);
uint64_t os_process(void);

/* The machine's name as processes on others know it, cut to the size, "" where it has none; and a
 * number that differs from call to call and from process to process, 0 where the system has
 * none. */
void os_host(char *name, size_t size);
uint64_t os_random(void);

/* Lets the process have as many files open as it may. */
void os_allow_files(void);

/* Nanoseconds this thread has worked, or as in os_now_ns where they are counted too coarsely. */
uint64_t os_thread_ns(void);

#endif
