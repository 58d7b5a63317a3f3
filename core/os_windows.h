/* Shared by the Windows implementations of os.h and os_write.h. */
#ifndef EINSPUL_CORE_OS_WINDOWS_H
#define EINSPUL_CORE_OS_WINDOWS_H

#include "core/os.h"

#include <errno.h>
#include <stdlib.h>

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

/* Converts a UTF-8 path to UTF-16 and appends `suffix`; release with free(). NULL with errno EILSEQ
 * or ENOMEM. */
wchar_t *os_to_utf16(const char *path, const wchar_t *suffix);

/* Converts UTF-16 to UTF-8; release with free(). NULL for NULL, and with errno EILSEQ or ENOMEM. */
char *os_to_utf8(const wchar_t *wide);

/* Sets errno from GetLastError; returns -1. */
int os_set_errno(void);

/* Frees memory and leaves errno as it is. */
static inline void os_free(void *memory)
{
    const int reason = errno;
    free(memory);
    errno = reason;
}

/* Opens a file; ELOOP for a link if links are not to be followed. */
int os_open_with(const char *path, DWORD access, DWORD creation, bool no_link);

/* The handle of the file or folder at a path, for its attributes; of a link itself if links are not
 * to be followed. INVALID_HANDLE_VALUE with errno if there is none. */
HANDLE os_open_attributes(const char *path, bool no_link);

/* The info of the file of a handle, which is closed. */
int os_info_and_close(HANDLE handle, struct os_info *info);

/* Wraps a handle in a descriptor; on failure closes the handle and returns -1. */
int os_descriptor_of(HANDLE handle);

/* The handle of a descriptor. */
HANDLE os_handle(int file);

#endif
