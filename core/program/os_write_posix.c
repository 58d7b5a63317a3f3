/* os_write.h on POSIX, with flock: its lock belongs to the open file. A POSIX lock would be
 * released when any other descriptor of the same file is closed in the process. */
#define _DEFAULT_SOURCE  /* flock, MAP_ANONYMOUS */
#define _DARWIN_C_SOURCE /* the same on macOS, and F_FULLFSYNC */

#include "core/program/os_write.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <time.h>
#include <unistd.h>

/* --- files ------------------------------------------------------------------------------------ */

int os_write_at(int file, const void *bytes, size_t n_bytes, uint64_t offset)
{
    const uint8_t *from = bytes;
    while (n_bytes > 0) {
        const ssize_t n = pwrite(file, from, n_bytes, (off_t)offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0) {
            if (n == 0)
                errno = ENOSPC;
            return -1;
        }
        from += n;
        offset += (uint64_t)n;
        n_bytes -= (size_t)n;
    }
    return 0;
}

int os_open_as(const char *path, unsigned flags)
{
    const int mode = ((flags & OS_WRITE) != 0 ? O_RDWR : O_RDONLY) | O_CLOEXEC | O_NONBLOCK |
                     O_NOCTTY | ((flags & OS_CREATE) != 0 ? O_CREAT : 0) |
                     ((flags & OS_NEW) != 0 ? O_CREAT | O_EXCL : 0) |
                     ((flags & OS_NO_LINK) != 0 ? O_NOFOLLOW : 0);
    return open(path, mode, (flags & OS_PRIVATE) != 0 ? S_IRUSR | S_IWUSR : 0666);
}

int os_info_at_link(const char *path, struct os_info *info)
{
    struct stat found;
    if (lstat(path, &found) != 0)
        return -1;
    if (!S_ISLNK(found.st_mode))
        return os_info_at(path, info);
    *info = (struct os_info){.kind = OS_LINK};
    return 0;
}

int os_open_hidden(const char *path)
{
    unlink(path);
    const int file = os_open_as(path, OS_WRITE | OS_NEW);
    if (file >= 0)
        unlink(path);
    return file;
}

int os_sync(int file)
{
#ifdef F_FULLFSYNC /* fsync alone does not flush a disk on macOS; some file systems refuse */
    if (fcntl(file, F_FULLFSYNC) == 0)
        return 0;
#endif
    return fsync(file);
}

/* Some file systems cannot sync a folder; that is not an error. */
int os_sync_folder(const char *path)
{
    const int file = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0)
        return -1;
    const int result = fsync(file) != 0 && errno != EINVAL && errno != ENOTSUP ? -1 : 0;
    const int reason = errno;
    close(file);
    errno = reason;
    return result;
}

int os_rename(const char *from, const char *to)
{
    return rename(from, to);
}

int os_close_and_rename(int file, const char *from, const char *to)
{
    const int lock = fcntl(file, F_DUPFD_CLOEXEC, 0); /* close() may report a delayed write error */
    const int result = os_close(file) == 0 ? os_rename(from, to) : -1;
    const int reason = errno;
    if (lock >= 0)
        os_close(lock);
    errno = reason;
    return result;
}

int os_remove(const char *path)
{
    return unlink(path);
}

struct os_folder *os_folder_open(const char *path)
{
    return (struct os_folder *)opendir(path);
}

void os_folder_close(struct os_folder *folder)
{
    closedir((DIR *)folder);
}

const char *os_folder_next(struct os_folder *folder)
{
    errno = 0;
    const struct dirent *entry = readdir((DIR *)folder);
    return entry == NULL ? NULL : entry->d_name;
}

int os_folder_remove(struct os_folder *folder, const char *name)
{
    return unlinkat(dirfd((DIR *)folder), name, 0);
}

int os_make_folder(const char *path)
{
    return mkdir(path, 0777);
}

/* The owner first, because changing it may clear bits of the mode. */
int os_copy_owner(int file, const char *replaced)
{
    struct stat own;
    struct stat old;
    if (fstat(file, &own) != 0 || stat(replaced, &old) != 0)
        return -1;
    if ((own.st_uid != old.st_uid || own.st_gid != old.st_gid) &&
        fchown(file, old.st_uid, old.st_gid) != 0)
        return -1;
    return fchmod(file, old.st_mode & 07777);
}

void os_share_file(int file, const char *folder)
{
    struct stat own;
    struct stat parent;
    if (fstat(file, &own) != 0 || stat(folder, &parent) != 0)
        return;
    const mode_t mode = (own.st_mode | (parent.st_mode & 0222)) & 07777;
    if (mode != (own.st_mode & 07777))
        (void)fchmod(file, mode); /* EPERM: it belongs to another user */
}

int os_lock(int file)
{
    return flock(file, LOCK_EX | LOCK_NB);
}

int os_lock_shared(int file)
{
    return flock(file, LOCK_SH | LOCK_NB);
}

int os_disk_free_bytes(const char *path, uint64_t *n_bytes)
{
    struct statvfs info;
    if (statvfs(path, &info) != 0)
        return -1;
    *n_bytes = (uint64_t)info.f_bavail * info.f_frsize;
    return 0;
}

/* --- machine and process ---------------------------------------------------------------------- */

uint64_t os_memory_bytes(void)
{
    const long n_pages = sysconf(_SC_PHYS_PAGES);
    return n_pages <= 0 ? UINT64_MAX : (uint64_t)n_pages * os_page_bytes();
}

uint64_t os_memory_resident(void)
{
    unsigned long long n_pages = 0;
    FILE *file = fopen("/proc/self/statm", "r"); /* Linux only */
    if (file == NULL)
        return 0;
    if (fscanf(file, "%*u %llu", &n_pages) != 1)
        n_pages = 0;
    fclose(file);
    return n_pages * os_page_bytes();
}

uint64_t os_page_bytes(void)
{
    return (uint64_t)sysconf(_SC_PAGESIZE);
}

uint64_t os_limit_of_process(enum os_limit limit)
{
    struct rlimit found;
    if (getrlimit(limit == OS_LIMIT_ADDRESS_SPACE ? RLIMIT_AS : RLIMIT_DATA, &found) != 0 ||
        found.rlim_cur == RLIM_INFINITY)
        return UINT64_MAX;
    return (uint64_t)found.rlim_cur;
}

char *os_environment(const char *name)
{
    const char *value = getenv(name);
    errno = 0;
    return value == NULL ? NULL : strdup(value);
}

static uint64_t nanoseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

uint64_t os_wall_ns(void)
{
    return nanoseconds(CLOCK_REALTIME);
}

uint64_t os_process_id(void)
{
    return (uint64_t)getpid();
}

void os_host_name(char *name, size_t size)
{
    if (gethostname(name, size) != 0)
        name[0] = '\0';
    name[size - 1] = '\0';
}

uint64_t os_random(void)
{
    const int file = os_open("/dev/urandom");
    uint64_t number = 0;
    if (file >= 0 && read(file, &number, sizeof number) != (ssize_t)sizeof number)
        number = 0;
    if (file >= 0)
        close(file);
    return number;
}

void os_raise_file_limit(void)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        (void)setrlimit(RLIMIT_NOFILE, &limit);
    }
}

uint64_t os_now_ns(void)
{
    return nanoseconds(CLOCK_MONOTONIC);
}

/* --- memory ----------------------------------------------------------------------------------- */

/* All pages at once, because page by page they take longer. */
#ifdef MAP_POPULATE
#define MAP_POPULATED MAP_POPULATE
#else
#define MAP_POPULATED 0
#endif

/* Disabled under AddressSanitizer, which does not check mapped memory. */
void *os_map_memory(size_t n_bytes)
{
#if defined(__SANITIZE_ADDRESS__)
    (void)n_bytes;
    return NULL;
#else
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATED;
    void *memory = mmap(NULL, n_bytes, PROT_READ | PROT_WRITE, flags, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
#endif
}

void os_unmap_memory(void *memory, size_t n_bytes)
{
    munmap(memory, n_bytes);
}
