/* os.h on Windows. A file is a descriptor of the C runtime, so that it has the same type as on
 * POSIX, but all operations use its handle: the runtime cannot read at an offset, and would convert
 * line ends. Other programs may rename and remove an open file, as on POSIX. */
#include "core/os_windows.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- errors, names ---------------------------------------------------------------------------- */

int os_set_errno(void)
{
    static const struct {
        DWORD code;
        int reason;
    } reasons[] = {
        {ERROR_FILE_NOT_FOUND, ENOENT},
        {ERROR_PATH_NOT_FOUND, ENOENT},
        {ERROR_INVALID_NAME, ENOENT},
        {ERROR_BAD_PATHNAME, ENOENT},
        {ERROR_BAD_NETPATH, ENOENT},
        {ERROR_INVALID_DRIVE, ENOENT},
        {ERROR_ACCESS_DENIED, EACCES},
        {ERROR_SHARING_VIOLATION, EACCES},
        {ERROR_USER_MAPPED_FILE, EACCES},
        {ERROR_WRITE_PROTECT, EACCES},
        {ERROR_ALREADY_EXISTS, EEXIST},
        {ERROR_FILE_EXISTS, EEXIST},
        {ERROR_DIRECTORY, ENOTDIR},
        {ERROR_DISK_FULL, ENOSPC},
        {ERROR_HANDLE_DISK_FULL, ENOSPC},
        {ERROR_FILE_TOO_LARGE, EFBIG},
        {ERROR_NOT_ENOUGH_MEMORY, ENOMEM},
        {ERROR_OUTOFMEMORY, ENOMEM},
        {ERROR_COMMITMENT_LIMIT, ENOMEM},
        {ERROR_NOT_ENOUGH_QUOTA, ENOMEM},
        {ERROR_NO_SYSTEM_RESOURCES, ENOMEM},
        {ERROR_TOO_MANY_OPEN_FILES, EMFILE},
        {ERROR_LOCK_VIOLATION, EWOULDBLOCK},
        {ERROR_IO_PENDING, EWOULDBLOCK},
        {ERROR_FILENAME_EXCED_RANGE, ENAMETOOLONG},
    };
    const DWORD code = GetLastError();
    errno = EIO;
    for (size_t i = 0; i < sizeof reasons / sizeof reasons[0]; i++)
        if (reasons[i].code == code)
            errno = reasons[i].reason;
    return -1;
}

wchar_t *os_to_utf16(const char *path, const wchar_t *suffix)
{
    const int n = MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, NULL, 0);
    wchar_t *wide = n <= 0 ? NULL : malloc(((size_t)n + wcslen(suffix)) * sizeof *wide);
    if (wide == NULL) {
        errno = n <= 0 ? EILSEQ : ENOMEM;
        return NULL;
    }
    MultiByteToWideChar(CP_UTF8, MB_ERR_INVALID_CHARS, path, -1, wide, n);
    wcscpy(wide + n - 1, suffix);
    return wide;
}

char *os_to_utf8(const wchar_t *wide)
{
    const int n = wide == NULL ? 0
                               : WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, wide, -1, NULL,
                                                     0, NULL, NULL);
    char *text = n <= 0 ? NULL : malloc((size_t)n);
    if (text != NULL)
        WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, wide, -1, text, n, NULL, NULL);
    else if (wide != NULL)
        errno = n <= 0 ? EILSEQ : ENOMEM;
    return text;
}

char *os_absolute(const char *path)
{
    wchar_t *wide = os_to_utf16(path, L"");
    if (wide == NULL)
        return NULL;
    const DWORD n = GetFullPathNameW(wide, 0, NULL, NULL);
    wchar_t *absolute = n == 0 ? NULL : malloc(n * sizeof *absolute);
    if (n == 0)
        os_set_errno();
    else if (absolute == NULL)
        errno = ENOMEM;
    else
        GetFullPathNameW(wide, n, absolute, NULL);
    char *text = os_to_utf8(absolute);
    os_free(wide);
    os_free(absolute);
    return text;
}

/* --- files ------------------------------------------------------------------------------------ */

HANDLE os_handle(int file)
{
    const intptr_t handle = file < 0 ? -1 : _get_osfhandle(file);
    return (HANDLE)handle;
}

int os_descriptor_of(HANDLE handle)
{
    const int file = _open_osfhandle((intptr_t)handle, _O_BINARY | _O_NOINHERIT);
    if (file < 0) {
        CloseHandle(handle);
        errno = EMFILE;
    }
    return file;
}

static HANDLE open_handle(const wchar_t *path, DWORD access, DWORD creation, DWORD flags)
{
    const DWORD share = FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE;
    return CreateFileW(path, access, share, NULL, creation, flags | FILE_ATTRIBUTE_NORMAL, NULL);
}

/* True if the handle refers to a symbolic link itself. Not every reparse point is a link: files
 * that a cloud service downloads on first read have one too. */
static bool is_link(HANDLE handle)
{
    FILE_ATTRIBUTE_TAG_INFO info;
    return GetFileInformationByHandleEx(handle, FileAttributeTagInfo, &info, sizeof info) &&
           (info.FileAttributes & FILE_ATTRIBUTE_REPARSE_POINT) != 0 &&
           IsReparseTagNameSurrogate(info.ReparseTag);
}

int os_open_with(const char *path, DWORD access, DWORD creation, bool no_link)
{
    wchar_t *wide = os_to_utf16(path, L"");
    int result = -1;
    if (wide == NULL)
        return -1;
    const HANDLE handle =
        open_handle(wide, access, creation, no_link ? FILE_FLAG_OPEN_REPARSE_POINT : 0);
    if (handle == INVALID_HANDLE_VALUE) {
        os_set_errno();
        const DWORD attributes = errno == EACCES ? GetFileAttributesW(wide) : 0;
        if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
            errno = EISDIR;
    } else if (no_link && is_link(handle)) {
        CloseHandle(handle);
        errno = ELOOP;
    } else {
        result = os_descriptor_of(handle);
    }
    os_free(wide);
    return result;
}

int os_open(const char *path)
{
    return os_open_with(path, GENERIC_READ, OPEN_EXISTING, false);
}

int os_close(int file)
{
    return _close(file);
}

static int info_of_handle(HANDLE handle, struct os_info *info)
{
    BY_HANDLE_FILE_INFORMATION found;
    if (GetFileType(handle) != FILE_TYPE_DISK) {
        *info = (struct os_info){.kind = OS_OTHER};
        return 0;
    }
    if (!GetFileInformationByHandle(handle, &found))
        return os_set_errno();
    *info = (struct os_info){.kind = is_link(handle) ? OS_LINK
                                     : (found.dwFileAttributes & FILE_ATTRIBUTE_DIRECTORY) != 0
                                         ? OS_FOLDER
                                         : OS_REGULAR,
                             .n_bytes = (uint64_t)found.nFileSizeHigh << 32 | found.nFileSizeLow};
    return 0;
}

int os_info_of(int file, struct os_info *info)
{
    return info_of_handle(os_handle(file), info);
}

/* Opening a folder requires FILE_FLAG_BACKUP_SEMANTICS. */
HANDLE os_open_attributes(const char *path, bool no_link)
{
    wchar_t *wide = os_to_utf16(path, L"");
    if (wide == NULL)
        return INVALID_HANDLE_VALUE;
    const HANDLE handle =
        open_handle(wide, FILE_READ_ATTRIBUTES, OPEN_EXISTING,
                    FILE_FLAG_BACKUP_SEMANTICS | (no_link ? FILE_FLAG_OPEN_REPARSE_POINT : 0));
    if (handle == INVALID_HANDLE_VALUE)
        os_set_errno();
    os_free(wide);
    return handle;
}

int os_info_and_close(HANDLE handle, struct os_info *info)
{
    if (handle == INVALID_HANDLE_VALUE)
        return -1;
    const int result = info_of_handle(handle, info);
    CloseHandle(handle);
    return result;
}

int os_info_at(const char *path, struct os_info *info)
{
    return os_info_and_close(os_open_attributes(path, false), info);
}

int64_t os_read_at(int file, void *bytes, size_t n_bytes, uint64_t offset)
{
    const HANDLE handle = os_handle(file);
    uint8_t *to = bytes;
    size_t n_read = 0;
    while (n_read < n_bytes) {
        const size_t n_left = n_bytes - n_read;
        const uint64_t at = offset + n_read;
        OVERLAPPED place = {.Offset = (DWORD)at, .OffsetHigh = (DWORD)(at >> 32)};
        DWORD n = 0;
        if (!ReadFile(handle, to + n_read, n_left < 1u << 30 ? (DWORD)n_left : 1u << 30, &n,
                      &place)) {
            if (GetLastError() != ERROR_HANDLE_EOF)
                return os_set_errno();
            n = 0;
        }
        if (n == 0)
            break;
        n_read += n;
    }
    return (int64_t)n_read;
}

/* --- memory, threads -------------------------------------------------------------------------- */

void *os_alloc_aligned(size_t alignment, size_t n_bytes)
{
    return _aligned_malloc(n_bytes, alignment);
}

void os_free_aligned(void *memory)
{
    _aligned_free(memory);
}

/* Large pages need a privilege on Windows, and there is no hint for them. */
void os_advise_huge(void *memory, size_t n_bytes)
{
    (void)memory;
    (void)n_bytes;
}

_Static_assert(sizeof(SRWLOCK) == sizeof(void *), "os_mutex holds one");

static SRWLOCK *lock_of(struct os_mutex *mutex)
{
    return (SRWLOCK *)(void *)&mutex->lock;
}

void os_mutex_init(struct os_mutex *mutex)
{
    InitializeSRWLock(lock_of(mutex));
}

void os_mutex_lock(struct os_mutex *mutex)
{
    AcquireSRWLockExclusive(lock_of(mutex));
}

void os_mutex_unlock(struct os_mutex *mutex)
{
    ReleaseSRWLockExclusive(lock_of(mutex));
}

void os_mutex_destroy(struct os_mutex *mutex)
{
    (void)mutex; /* an SRWLOCK holds no resources */
}

void os_yield(void)
{
    SwitchToThread();
}
