/* Shared by the Windows implementations of os.h and os_write.h. */
#ifndef EINSPUL_CORE_OS_WINDOWS_H
#define EINSPUL_CORE_OS_WINDOWS_H

#include "core/os.h"

#include <errno.h>
#include <stdlib.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* A path in UTF-16, in memory to be freed; NULL with errno where it is not UTF-8 or there is no
 * memory. `suffix` comes behind it. */
wchar_t *os_wide(const char *path, const wchar_t *suffix);

/* Sets errno to what GetLastError says; returns -1. */
int os_fail(void);

/* Frees memory and leaves errno as it is. */
static inline void os_free(void *memory)
{
    const int reason = errno;
    free(memory);
    errno = reason;
}

/* The info of the file at a path, which is freed; NULL: -1. `how` may be OS_NO_LINK. */
int os_info_wide(wchar_t *path, unsigned how, struct os_info *info);

/* The number of a file by its handle, which is closed if there is none. */
int os_file_of(HANDLE handle);

/* Nanoseconds since 1970 of a time of Windows', which counts tenths of microseconds since 1601. */
uint64_t os_since_1970(int64_t time);

/* The handle of a file by its number. */
HANDLE os_handle(int file);

#endif
