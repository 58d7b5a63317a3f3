#include "tests/support/faults.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/types.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

const struct fault_mode fault_modes[N_FAULT_MODES] = {
    {"one request for memory fails", FAULT_OF_MEMORY, 1, 0},
    {"memory runs out", FAULT_OF_MEMORY, ALL_CALLS, 0},
    {"one call for a file fails", FAULT_OF_FILES, 1, EIO},
    {"the disk is full", FAULT_OF_FILES, ALL_CALLS, ENOSPC},
    {"everything fails", FAULT_OF_MEMORY | FAULT_OF_FILES, ALL_CALLS, EIO},
    {"large requests for memory fail", FAULT_OF_MEMORY, LARGE_CALLS, 0},
    {"memory is short for a while", FAULT_OF_MEMORY, 5, 0},
    {"files fail for a while", FAULT_OF_FILES, 5, EIO},
    {"one file is refused", FAULT_OF_FILES, 1, EACCES},
    {"too many files are open", FAULT_OF_FILES, ALL_CALLS, EMFILE},
    {"the system has no memory for a call", FAULT_OF_FILES, 1, ENOMEM},
};

static struct {
    const struct fault_mode *mode;
    void (*meddle)(void);
    bool on;
    uint64_t number; /* of the first call that fails */
    uint64_t n_met;  /* calls of its kinds so far */
    uint64_t n_failed;
    atomic_bool kept_a_file;
    atomic_bool lost_a_sync;
} plan;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* calls of the plan, while it is active */
static bool stutters;
static atomic_uint n_stutters;

void faults_begin(const struct fault_mode *mode, uint64_t n)
{
    plan.mode = mode;
    plan.on = true;
    plan.number = n;
    plan.n_met = 0;
    plan.n_failed = 0;
    plan.kept_a_file = false;
    plan.lost_a_sync = false;
}

void faults_meddle(void (*meddle)(void), uint64_t n)
{
    static const struct fault_mode mode = {"files change", FAULT_OF_FILES, 0, 0};
    faults_begin(&mode, n);
    plan.meddle = meddle;
}

uint64_t faults_so_far(void)
{
    return plan.n_failed;
}

uint64_t faults_end(void)
{
    plan.on = false;
    plan.meddle = NULL;
    return plan.n_failed;
}

bool faults_kept_a_file(void)
{
    return plan.kept_a_file;
}

bool faults_lost_a_sync(void)
{
    return plan.lost_a_sync;
}

void faults_stutter(bool on)
{
    stutters = on;
}

/* Calls plan.meddle before the n-th call. */
static void meddle_before(void)
{
    const int reason = errno;
    if (++plan.n_met != plan.number)
        return;
    plan.n_failed++;
    plan.on = false;
    plan.meddle();
    plan.on = true;
    errno = reason;
}

/* True if this call, for so many bytes of memory, is to fail; sets errno. */
static bool call_fails(enum fault_kind kind, size_t n_bytes)
{
    bool failed = false;
    if (!plan.on || (plan.mode->kinds & (unsigned)kind) == 0)
        return false;
    pthread_mutex_lock(&lock);
    if (plan.meddle != NULL) {
        meddle_before();
    } else if (plan.mode->n_calls == LARGE_CALLS) {
        failed = plan.number > 60 ? false : n_bytes > (size_t)8 << plan.number;
    } else {
        plan.n_met++;
        failed =
            plan.n_met >= plan.number && (plan.mode->n_calls == ALL_CALLS ||
                                          plan.n_met < plan.number + (uint64_t)plan.mode->n_calls);
    }
    plan.n_failed += failed;
    pthread_mutex_unlock(&lock);
    if (failed)
        errno = kind == FAULT_OF_MEMORY ? ENOMEM : plan.mode->reason;
    return failed;
}

static bool fails(enum fault_kind kind)
{
    return call_fails(kind, 0);
}

static bool memory_fails(size_t n_bytes)
{
    return call_fails(FAULT_OF_MEMORY, n_bytes);
}

/* How much of n_bytes to read or write; 0: be interrupted. */
static size_t part(size_t n_bytes)
{
    if (!stutters)
        return n_bytes;
    errno = EINTR;
    return atomic_fetch_add(&n_stutters, 1) % 2 != 0 ? 0 : n_bytes / 2 + 1;
}

void faults_expect(const char *scenario, bool truth, const char *format, ...)
{
    va_list arguments;
    if (truth)
        return;
    fprintf(stderr, "%s, %s at call %llu: ", scenario,
            plan.mode == NULL ? "no fault" : plan.mode->name, (unsigned long long)plan.number);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}

void faults_expect_named(const char *scenario, einspul_status status, const einspul_error *error)
{
    const bool of_memory = (plan.mode->kinds & FAULT_OF_MEMORY) != 0 || plan.mode->reason == ENOMEM;
    const bool of_files = (plan.mode->kinds & FAULT_OF_FILES) != 0;
    const bool named = (status == EINSPUL_NO_MEMORY && of_memory) ||
                       (status == EINSPUL_IO && of_files) ||
                       (status == EINSPUL_NO_SPACE && plan.mode->reason == ENOSPC);
    faults_expect(scenario, named, "%s: %s", einspul_status_name(status), error->text);
    faults_expect(scenario, error->status == status && error->text[0] != '\0',
                  "an error without text");
}

/* With 64-bit offsets these have other names in glibc. */
#if defined(__GLIBC__) && defined(_FILE_OFFSET_BITS) && _FILE_OFFSET_BITS == 64
#define __real_open      __real_open64
#define __wrap_open      __wrap_open64
#define __real_fstat     __real_fstat64
#define __wrap_fstat     __wrap_fstat64
#define __real_fstatat   __real_fstatat64
#define __wrap_fstatat   __wrap_fstatat64
#define __real_lstat     __real_lstat64
#define __wrap_lstat     __wrap_lstat64
#define __real_stat      __real_stat64
#define __wrap_stat      __wrap_stat64
#define __real_statvfs   __real_statvfs64
#define __wrap_statvfs   __wrap_statvfs64
#define __real_pread     __real_pread64
#define __wrap_pread     __wrap_pread64
#define __real_pwrite    __real_pwrite64
#define __wrap_pwrite    __wrap_pwrite64
#define __real_ftruncate __real_ftruncate64
#define __wrap_ftruncate __wrap_ftruncate64
#define __real_mmap      __real_mmap64
#define __wrap_mmap      __wrap_mmap64
#define __real_readdir   __real_readdir64
#define __wrap_readdir   __wrap_readdir64
#define __real_fopen     __real_fopen64
#define __wrap_fopen     __wrap_fopen64
#endif

/* A function and its replacement, joined by the linker. */
#define WRAPPED(type, name, ...)                                                                   \
    type __real_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__);                                                               \
    type __wrap_##name(__VA_ARGS__)

/* --- memory ----------------------------------------------------------------------------------- */

WRAPPED(void *, malloc, size_t n_bytes)
{
    return memory_fails(n_bytes) ? NULL : __real_malloc(n_bytes);
}

WRAPPED(void *, calloc, size_t n, size_t n_bytes)
{
    return memory_fails(n * n_bytes) ? NULL : __real_calloc(n, n_bytes);
}

WRAPPED(void *, realloc, void *old, size_t n_bytes)
{
    return memory_fails(n_bytes) ? NULL : __real_realloc(old, n_bytes);
}

WRAPPED(void *, aligned_alloc, size_t alignment, size_t n_bytes)
{
    return memory_fails(n_bytes) ? NULL : __real_aligned_alloc(alignment, n_bytes);
}

static const size_t sizeof_context = 160000; /* about that */
static const size_t no_memory = (size_t)-ZSTD_error_memory_allocation;

WRAPPED(ZSTD_CCtx *, ZSTD_createCCtx, void)
{
    return memory_fails(sizeof_context) ? NULL : __real_ZSTD_createCCtx();
}

WRAPPED(ZSTD_DCtx *, ZSTD_createDCtx, void)
{
    return memory_fails(sizeof_context) ? NULL : __real_ZSTD_createDCtx();
}

/* Only some versions of zstd allocate memory here. */
WRAPPED(size_t, ZSTD_decompressDCtx, ZSTD_DCtx *context, void *to, size_t room, const void *from,
        size_t n_bytes)
{
    return fails(FAULT_OF_MEMORY) ? no_memory
                                  : __real_ZSTD_decompressDCtx(context, to, room, from, n_bytes);
}

/* This one makes a context of its own. */
WRAPPED(size_t, ZSTD_decompress, void *to, size_t room, const void *from, size_t n_bytes)
{
    return memory_fails(sizeof_context) ? no_memory
                                        : __real_ZSTD_decompress(to, room, from, n_bytes);
}

WRAPPED(size_t, ZSTD_compress, void *to, size_t room, const void *from, size_t n_bytes, int level)
{
    return memory_fails(sizeof_context) ? no_memory
                                        : __real_ZSTD_compress(to, room, from, n_bytes, level);
}

WRAPPED(size_t, ZSTD_compress2, ZSTD_CCtx *context, void *to, size_t room, const void *from,
        size_t n_bytes)
{
    return memory_fails(sizeof_context) ? no_memory
                                        : __real_ZSTD_compress2(context, to, room, from, n_bytes);
}

/* --- files ------------------------------------------------------------------------------------ */

int __real_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...);
int __wrap_open(const char *path, int flags, ...)
{
    unsigned mode = 0;
    if ((flags & O_CREAT) != 0) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, unsigned);
        va_end(arguments);
    }
    return fails(FAULT_OF_FILES) ? -1 : __real_open(path, flags, mode);
}

/* As on Linux, a failed close closes the file. */
WRAPPED(int, close, int file)
{
    const int result = __real_close(file);
    return fails(FAULT_OF_FILES) ? -1 : result;
}

WRAPPED(int, fstat, int file, struct stat *info)
{
    return fails(FAULT_OF_FILES) ? -1 : __real_fstat(file, info);
}

WRAPPED(int, fstatat, int folder, const char *path, struct stat *info, int flags)
{
    return fails(FAULT_OF_FILES) ? -1 : __real_fstatat(folder, path, info, flags);
}

WRAPPED(int, stat, const char *path, struct stat *info)
{
    return fails(FAULT_OF_FILES) ? -1 : __real_stat(path, info);
}

WRAPPED(int, lstat, const char *path, struct stat *info)
{
    return fails(FAULT_OF_FILES) ? -1 : __real_lstat(path, info);
}

WRAPPED(int, fchown, int file, uid_t owner, gid_t group)
{
    return fails(FAULT_OF_FILES) ? -1 : __real_fchown(file, owner, group);
}

WRAPPED(int, fchmod, int file, mode_t mode)
{
    return fails(FAULT_OF_FILES) ? -1 : __real_fchmod(file, mode);
}

WRAPPED(int, statvfs, const char *path, struct statvfs *info)
{
    return fails(FAULT_OF_FILES) ? -1 : __real_statvfs(path, info);
}

WRAPPED(ssize_t, pread, int file, void *bytes, size_t n_bytes, off_t offset)
{
    if (fails(FAULT_OF_FILES))
        return -1;
    const size_t n = part(n_bytes);
    return n == 0 ? -1 : __real_pread(file, bytes, n, offset);
}

WRAPPED(ssize_t, pwrite, int file, const void *bytes, size_t n_bytes, off_t offset)
{
    if (fails(FAULT_OF_FILES))
        return -1;
    const size_t n = part(n_bytes);
    return n == 0 ? -1 : __real_pwrite(file, bytes, n, offset);
}

WRAPPED(int, ftruncate, int file, off_t n_bytes)
{
    return fails(FAULT_OF_FILES) ? -1 : __real_ftruncate(file, n_bytes);
}

WRAPPED(void *, mmap, void *address, size_t n_bytes, int protection, int flags, int file,
        off_t offset)
{
    return fails(FAULT_OF_FILES) ? MAP_FAILED
                                 : __real_mmap(address, n_bytes, protection, flags, file, offset);
}

/* Nothing is synced to disk: the test would only wait. */
int __wrap_fsync(int file);
int __wrap_fsync(int file)
{
    (void)file;
    if (!fails(FAULT_OF_FILES))
        return 0;
    plan.lost_a_sync = true;
    return -1;
}

WRAPPED(int, rename, const char *from, const char *to)
{
    return fails(FAULT_OF_FILES) ? -1 : __real_rename(from, to);
}

WRAPPED(int, unlink, const char *path)
{
    if (!fails(FAULT_OF_FILES))
        return __real_unlink(path);
    plan.kept_a_file = true;
    return -1;
}

WRAPPED(int, unlinkat, int folder, const char *name, int flags)
{
    if (!fails(FAULT_OF_FILES))
        return __real_unlinkat(folder, name, flags);
    plan.kept_a_file = true;
    return -1;
}

WRAPPED(int, mkdir, const char *path, mode_t mode)
{
    return fails(FAULT_OF_FILES) ? -1 : __real_mkdir(path, mode);
}

WRAPPED(int, flock, int file, int operation)
{
    return fails(FAULT_OF_FILES) ? -1 : __real_flock(file, operation);
}

WRAPPED(DIR *, opendir, const char *path)
{
    return fails(FAULT_OF_FILES) ? NULL : __real_opendir(path);
}

WRAPPED(struct dirent *, readdir, DIR *directory)
{
    return fails(FAULT_OF_FILES) ? NULL : __real_readdir(directory);
}

WRAPPED(FILE *, fopen, const char *path, const char *mode)
{
    return fails(FAULT_OF_FILES) ? NULL : __real_fopen(path, mode);
}

WRAPPED(size_t, fread, void *bytes, size_t size, size_t n, FILE *file)
{
    return fails(FAULT_OF_FILES) ? 0 : __real_fread(bytes, size, n, file);
}

/* --- that all of them are met ----------------------------------------------------------------- */

static void expect_met(bool failed, const char *name)
{
    const bool met = faults_end() == 1;
    faults_expect(name, met && failed, "a fault in it is not met");
    faults_begin(&fault_modes[FAULT_ONE_FILE], 1);
}

/* Calls without effect, unless they are not wrapped. */
static void check_calls_for_files(void)
{
    static const char none[] = "/none/such";
    struct stat info;
    struct statvfs system;
    char byte = 0;
    faults_begin(&fault_modes[FAULT_ONE_FILE], 1);
    expect_met(open(none, O_RDONLY) < 0, "open");
    expect_met(close(-1) != 0, "close");
    expect_met(fstat(-1, &info) != 0, "fstat");
    expect_met(fstatat(-1, none, &info, 0) != 0, "fstatat");
    expect_met(lstat(none, &info) != 0, "lstat");
    expect_met(stat(none, &info) != 0, "stat");
    expect_met(statvfs(none, &system) != 0, "statvfs");
    expect_met(fchown(-1, 0, 0) != 0, "fchown");
    expect_met(fchmod(-1, 0) != 0, "fchmod");
    expect_met(pread(-1, &byte, 1, 0) < 0, "pread");
    expect_met(pwrite(-1, &byte, 1, 0) < 0, "pwrite");
    expect_met(ftruncate(-1, 0) != 0, "ftruncate");
    expect_met(mmap(NULL, 1, PROT_READ, MAP_SHARED, -1, 0) == MAP_FAILED, "mmap");
    expect_met(fsync(-1) != 0, "fsync");
    expect_met(rename(none, none) != 0, "rename");
    expect_met(unlink(none) != 0, "unlink");
    expect_met(unlinkat(-1, none, 0) != 0, "unlinkat");
    expect_met(mkdir(none, 0) != 0, "mkdir");
    expect_met(flock(-1, LOCK_UN) != 0, "flock");
    expect_met(opendir(none) == NULL, "opendir");
    expect_met(fopen(none, "r") == NULL, "fopen");
    expect_met(fread(&byte, 1, 1, stdin) == 0, "fread");
    faults_end();
    DIR *directory = opendir("/");
    faults_begin(&fault_modes[FAULT_ONE_FILE], 1);
    expect_met(directory == NULL || readdir(directory) == NULL, "readdir");
    faults_end();
    if (directory != NULL)
        closedir(directory);
}

/* Prevents the compiler from removing the unused call. */
static bool is_refused(void *volatile memory)
{
    const bool refused = memory == NULL;
    free(memory);
    return refused;
}

void faults_check(void)
{
    static const struct fault_mode *const mode = &fault_modes[0];
    const char *const names[] = {"malloc", "calloc", "realloc", "aligned_alloc"};
    for (int i = 0; i < 4; i++) {
        faults_begin(mode, 1);
        const bool refused = is_refused(i == 0   ? malloc(1)
                                        : i == 1 ? calloc(1, 1)
                                        : i == 2 ? realloc(NULL, 1)
                                                 : aligned_alloc(64, 64));
        faults_expect(names[i], faults_end() == 1 && refused, "a fault in it is not met");
    }
    check_calls_for_files();
}
