/* os_write.h on Windows. */
#include "core/program/os_write.h"

#include "core/os_windows.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

/* --- files ------------------------------------------------------------------------------------ */

int os_write_at(int file, const void *bytes, size_t n_bytes, uint64_t offset)
{
    const HANDLE handle = os_handle(file);
    const uint8_t *from = bytes;
    while (n_bytes > 0) {
        OVERLAPPED place = {.Offset = (DWORD)offset, .OffsetHigh = (DWORD)(offset >> 32)};
        DWORD n = 0;
        if (!WriteFile(handle, from, n_bytes < 1u << 30 ? (DWORD)n_bytes : 1u << 30, &n, &place))
            return os_set_errno();
        if (n == 0) {
            errno = ENOSPC;
            return -1;
        }
        from += n;
        offset += n;
        n_bytes -= n;
    }
    return 0;
}

int os_open_as(const char *path, unsigned flags)
{
    return os_open_with(path, GENERIC_READ | ((flags & OS_WRITE) != 0 ? GENERIC_WRITE : 0),
                        (flags & OS_NEW) != 0      ? CREATE_NEW
                        : (flags & OS_CREATE) != 0 ? OPEN_ALWAYS
                                                   : OPEN_EXISTING,
                        (flags & OS_NO_LINK) != 0);
}

int os_info_at_link(const char *path, struct os_info *info)
{
    return os_info_and_close(os_open_attributes(path, true), info);
}

/* The file keeps its name until it is closed, so names must be unique: `path`, the process ID and a
 * counter. Files of an earlier process with the same ID were deleted when it ended. */
int os_open_hidden(const char *path)
{
    static volatile LONG n_opened;
    const DWORD delete_when_closed = FILE_FLAG_DELETE_ON_CLOSE | FILE_ATTRIBUTE_TEMPORARY;
    wchar_t suffix[64];
    swprintf(suffix, sizeof suffix / sizeof suffix[0], L".%lu.%ld",
             (unsigned long)GetCurrentProcessId(), (long)InterlockedIncrement(&n_opened));
    wchar_t *wide = os_to_utf16(path, suffix);
    if (wide == NULL)
        return -1;
    const HANDLE handle = CreateFileW(wide, GENERIC_READ | GENERIC_WRITE | DELETE,
                                      FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE, NULL,
                                      CREATE_ALWAYS, delete_when_closed, NULL);
    const int result = handle == INVALID_HANDLE_VALUE ? os_set_errno() : os_descriptor_of(handle);
    os_free(wide);
    return result;
}

int os_sync(int file)
{
    return FlushFileBuffers(os_handle(file)) ? 0 : os_set_errno();
}

int os_sync_folder(const char *path)
{
    (void)path;
    return 0;
}

/* Windows cannot replace an open file, but it can rename one: the old file is moved aside and
 * deleted when its last handle is closed. If it cannot be deleted (for example, a mapped file), it
 * keeps a temporary name that the next cleanup removes. */
static int rename_once(const wchar_t *from, const wchar_t *to, const wchar_t *aside)
{
    const DWORD flags = MOVEFILE_REPLACE_EXISTING | MOVEFILE_WRITE_THROUGH;
    if (MoveFileExW(from, to, flags))
        return 0;
    if (os_set_errno() != 0 &&
        (errno != EACCES || !MoveFileExW(to, aside, MOVEFILE_REPLACE_EXISTING)))
        return -1;
    const int result = MoveFileExW(from, to, flags) ? 0 : os_set_errno();
    const int reason = errno;
    if (result == 0 || !MoveFileExW(aside, to, MOVEFILE_WRITE_THROUGH))
        DeleteFileW(aside);
    errno = reason;
    return result;
}

/* Retries if another process creates the target between the two steps. */
int os_rename(const char *from, const char *to)
{
    enum { MAX_TRIES = 20 };
    wchar_t *wide_from = os_to_utf16(from, L"");
    wchar_t *wide_to = os_to_utf16(to, L"");
    int result = -1;
    for (int i = 0; i < MAX_TRIES && result != 0 && wide_from != NULL && wide_to != NULL; i++) {
        wchar_t suffix[32];
        swprintf(suffix, sizeof suffix / sizeof suffix[0], L".%d.old.tmp", i);
        wchar_t *aside = os_to_utf16(from, suffix);
        if (aside == NULL)
            break;
        result = rename_once(wide_from, wide_to, aside);
        os_free(aside);
        if (result != 0 && errno != EACCES)
            break;
        if (result != 0)
            Sleep(1);
    }
    os_free(wide_from);
    os_free(wide_to);
    return result;
}

int os_close_and_rename(int file, const char *from, const char *to)
{
    const HANDLE self = GetCurrentProcess();
    HANDLE lock = NULL;
    if (!DuplicateHandle(self, os_handle(file), self, &lock, 0, FALSE, DUPLICATE_SAME_ACCESS))
        lock = NULL;
    const int result = os_close(file) == 0 ? os_rename(from, to) : -1;
    const int reason = errno;
    if (lock != NULL)
        CloseHandle(lock);
    errno = reason;
    return result;
}

/* Removes a file; frees its path. */
static int remove_wide(wchar_t *path)
{
    if (path == NULL)
        return -1;
    const int result = DeleteFileW(path) ? 0 : os_set_errno();
    os_free(path);
    return result;
}

int os_remove(const char *path)
{
    return remove_wide(os_to_utf16(path, L""));
}

struct os_folder {
    HANDLE search; /* INVALID_HANDLE_VALUE: there was not even a first entry */
    WIN32_FIND_DATAW found;
    bool is_new;             /* `found` was not given out yet */
    char name[4 * MAX_PATH]; /* of the last entry given out */
    wchar_t path[];          /* of the folder, with a backslash at its end */
};

struct os_folder *os_folder_open(const char *path)
{
    wchar_t *wide = os_to_utf16(path, L"\\");
    struct os_folder *folder = NULL;
    if (wide == NULL)
        return NULL;
    const size_t n = wcslen(wide) + 1;
    folder = malloc(sizeof *folder + (n + 1) * sizeof *wide); /* with space for the star */
    if (folder != NULL) {
        wcscpy(folder->path, wide);
        wcscat(folder->path, L"*");
        folder->search = FindFirstFileW(folder->path, &folder->found);
        folder->path[n - 1] = L'\0';
        folder->is_new = true;
        if (folder->search == INVALID_HANDLE_VALUE && GetLastError() != ERROR_FILE_NOT_FOUND) {
            os_set_errno();
            free(folder);
            folder = NULL;
        }
    } else {
        errno = ENOMEM;
    }
    os_free(wide);
    return folder;
}

void os_folder_close(struct os_folder *folder)
{
    if (folder->search != INVALID_HANDLE_VALUE)
        FindClose(folder->search);
    free(folder);
}

/* Names that are not valid UTF-16 are skipped: they are not tables. */
const char *os_folder_next(struct os_folder *folder)
{
    for (;;) {
        errno = 0;
        if (folder->search == INVALID_HANDLE_VALUE)
            return NULL;
        if (!folder->is_new && !FindNextFileW(folder->search, &folder->found)) {
            if (GetLastError() != ERROR_NO_MORE_FILES)
                os_set_errno();
            return NULL;
        }
        folder->is_new = false;
        if (WideCharToMultiByte(CP_UTF8, WC_ERR_INVALID_CHARS, folder->found.cFileName, -1,
                                folder->name, sizeof folder->name, NULL, NULL) > 0)
            return folder->name;
    }
}

/* The path of an entry of a folder; NULL without memory. */
static wchar_t *path_in(const struct os_folder *folder, const char *name)
{
    wchar_t *wide = os_to_utf16(name, L"");
    if (wide == NULL)
        return NULL;
    wchar_t *path = malloc((wcslen(folder->path) + wcslen(wide) + 1) * sizeof *path);
    if (path != NULL)
        wcscat(wcscpy(path, folder->path), wide);
    else
        errno = ENOMEM;
    os_free(wide);
    return path;
}

int os_folder_remove(struct os_folder *folder, const char *name)
{
    return remove_wide(path_in(folder, name));
}

/* Creating the root of a drive does not fail with "already exists", so existence is checked
 * separately. */
int os_make_folder(const char *path)
{
    wchar_t *wide = os_to_utf16(path, L"");
    if (wide == NULL)
        return -1;
    const int result = CreateDirectoryW(wide, NULL) ? 0 : os_set_errno();
    int reason = errno;
    if (result != 0 && reason != EEXIST) {
        const DWORD attributes = GetFileAttributesW(wide);
        if (attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) != 0)
            reason = EEXIST;
    }
    free(wide);
    errno = reason;
    return result;
}

int os_copy_owner(int file, const char *replaced)
{
    (void)file;
    (void)replaced;
    return 0;
}

void os_share_file(int file, const char *folder)
{
    (void)file;
    (void)folder;
}

int os_lock(int file)
{
    OVERLAPPED place = {0};
    const DWORD flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
    return LockFileEx(os_handle(file), flags, 0, MAXDWORD, MAXDWORD, &place) ? 0 : os_set_errno();
}

int os_lock_shared(int file)
{
    OVERLAPPED place = {0};
    return LockFileEx(os_handle(file), LOCKFILE_FAIL_IMMEDIATELY, 0, MAXDWORD, MAXDWORD, &place)
               ? 0
               : os_set_errno();
}

/* ENOENT if the path is a file or does not exist. */
int os_disk_free_bytes(const char *path, uint64_t *n_bytes)
{
    wchar_t *wide = os_to_utf16(path, L"");
    ULARGE_INTEGER found;
    if (wide == NULL)
        return -1;
    const int result = GetDiskFreeSpaceExW(wide, &found, NULL, NULL) ? 0 : os_set_errno();
    const int reason = errno == ENOTDIR ? ENOENT : errno;
    free(wide);
    if (result == 0)
        *n_bytes = found.QuadPart;
    errno = reason;
    return result;
}

/* --- machine and process ---------------------------------------------------------------------- */

/* Memory must be physically free and within the system's commit limit. */
uint64_t os_memory_bytes(void)
{
    MEMORYSTATUSEX info = {.dwLength = sizeof info};
    if (!GlobalMemoryStatusEx(&info))
        return UINT64_MAX;
    return info.ullAvailPhys < info.ullAvailPageFile ? info.ullAvailPhys : info.ullAvailPageFile;
}

uint64_t os_memory_resident(void)
{
    return 0;
}

uint64_t os_page_bytes(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return info.dwPageSize;
}

uint64_t os_limit_of_process(enum os_limit limit)
{
    (void)limit;
    return UINT64_MAX;
}

char *os_environment(const char *name)
{
    wchar_t *wide = os_to_utf16(name, L"");
    if (wide == NULL)
        return NULL;
    const DWORD n = GetEnvironmentVariableW(wide, NULL, 0);
    wchar_t *value = n == 0 ? NULL : malloc(n * sizeof *value);
    errno = n == 0 || value != NULL ? 0 : ENOMEM;
    if (value != NULL && GetEnvironmentVariableW(wide, value, n) >= n)
        value[0] = L'\0'; /* another thread has changed it */
    char *text = os_to_utf8(value);
    os_free(wide);
    os_free(value);
    return text;
}

/* Windows counts tenths of microseconds since 1601. */
uint64_t os_wall_ns(void)
{
    FILETIME now;
    GetSystemTimeAsFileTime(&now);
    return (((uint64_t)now.dwHighDateTime << 32 | now.dwLowDateTime) - 116444736000000000) * 100;
}

uint64_t os_process_id(void)
{
    return GetCurrentProcessId();
}

void os_host_name(char *name, size_t size)
{
    DWORD n = (DWORD)size;
    if (!GetComputerNameA(name, &n))
        name[0] = '\0';
}

/* From times and counters that no other process can know exactly. */
uint64_t os_random(void)
{
    LARGE_INTEGER count;
    ULONG64 cycles = 0;
    QueryPerformanceCounter(&count);
    QueryProcessCycleTime(GetCurrentProcess(), &cycles);
    return (uint64_t)count.QuadPart * 0x9e3779b97f4a7c15u ^ cycles;
}

/* Windows has no such limit in practice. */
void os_raise_file_limit(void)
{
}

/* Whole seconds are converted separately, so that nothing overflows. */
uint64_t os_now_ns(void)
{
    LARGE_INTEGER frequency;
    LARGE_INTEGER count;
    QueryPerformanceFrequency(&frequency);
    QueryPerformanceCounter(&count);
    const uint64_t per_second = (uint64_t)frequency.QuadPart;
    const uint64_t n = (uint64_t)count.QuadPart;
    return n / per_second * 1000000000u + n % per_second * 1000000000u / per_second;
}

/* --- memory ----------------------------------------------------------------------------------- */

void *os_map_memory(size_t n_bytes)
{
    return VirtualAlloc(NULL, n_bytes, MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
}

void os_unmap_memory(void *memory, size_t n_bytes)
{
    (void)n_bytes;
    VirtualFree(memory, 0, MEM_RELEASE);
}
