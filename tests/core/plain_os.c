/* Contract test of core/os.h and core/program/os_write.h for all implementations: it runs on Linux
 * and, built for Windows, under Wine. It uses only these headers and the C library. It works in a
 * folder of its own, named by its only argument or, without one, by the build. */
#include "core/program/os_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char root[2048];
static const char *what = ""; /* the check at work */

#define expect(truth) ((truth) ? (void)0 : fail(#truth, __LINE__))

static void fail(const char *truth, int line)
{
    fprintf(stderr, "%s, line %d: not %s (%s)\n", what, line, truth, strerror(errno));
    exit(EXIT_FAILURE);
}

/* A path in the folder of the test; two may be in use at once. */
static const char *in(const char *name)
{
    static char paths[2][4096];
    static int n;
    char *path = paths[n++ % 2];
    snprintf(path, sizeof paths[0], "%s/%s", root, name);
    return path;
}

static void make(const char *name, const char *text)
{
    const int file = os_open_as(in(name), OS_WRITE | OS_NEW);
    expect(file >= 0);
    expect(os_write_at(file, text, strlen(text), 0) == 0);
    expect(os_close(file) == 0);
}

static bool holds(const char *name, const char *text)
{
    char bytes[64] = "";
    const int file = os_open(in(name));
    const int64_t n = file < 0 ? -1 : os_read_at(file, bytes, sizeof bytes, 0);
    if (file >= 0)
        os_close(file);
    return n == (int64_t)strlen(text) && memcmp(bytes, text, strlen(text)) == 0;
}

/* Fails if a second run uses the first one's file, or creates one in place of a missing one. */
static void check_opening(void)
{
    what = "opening";
    expect(os_open(in("none")) < 0 && errno == ENOENT);
    expect(os_open_as(in("none/below"), OS_WRITE | OS_CREATE) < 0 && errno == ENOENT);
    make("file", "one");
    expect(os_open_as(in("file"), OS_WRITE | OS_NEW) < 0 && errno == EEXIST);
    const int file = os_open_as(in("file"), OS_WRITE | OS_CREATE | OS_NO_LINK);
    expect(file >= 0);
    os_close(file);
    expect(holds("file", "one"));
    const int other = os_open_as(in("made"), OS_WRITE | OS_CREATE);
    expect(other >= 0);
    os_close(other);
    expect(holds("made", ""));
    /* A folder cannot be written to. */
    expect(os_open_as(root, OS_WRITE) < 0 && errno == EISDIR);
}

/* Fails if line ends are changed, or if a write moves the position of another; either would spoil a
 * table. */
static void check_places(void)
{
    static const char text[] = "a\nb\r\n\x1a c";
    char bytes[64];
    what = "places";
    make("places", "");
    const int file = os_open_as(in("places"), OS_WRITE);
    expect(file >= 0);
    expect(os_write_at(file, text, sizeof text, 10) == 0);
    expect(os_write_at(file, "0123456789", 10, 0) == 0);
    expect(os_read_at(file, bytes, sizeof bytes, 0) == 10 + (int64_t)sizeof text);
    expect(memcmp(bytes, "0123456789", 10) == 0 && memcmp(bytes + 10, text, sizeof text) == 0);
    expect(os_read_at(file, bytes, 4, 8) == 4 && memcmp(bytes, "89a\n", 4) == 0);
    expect(os_read_at(file, bytes, 4, 1000) == 0);
    /* Beyond 4 GiB, where a 32-bit offset would wrap around. */
    const uint64_t far = ((uint64_t)5 << 30) + 3;
    expect(os_write_at(file, "far", 3, far) == 0);
    expect(os_read_at(file, bytes, sizeof bytes, far) == 3 && memcmp(bytes, "far", 3) == 0);
    expect(os_read_at(file, bytes, 3, 3) == 3 && memcmp(bytes, "345", 3) == 0);
    struct os_info info;
    expect(os_info_of(file, &info) == 0 && info.n_bytes == far + 3 && info.kind == OS_REGULAR);
    expect(os_sync(file) == 0);
    expect(os_sync_folder(root) == 0);
    os_close(file);
}

/* Fails if a lock is taken on the wrong file, or on what a link points to. */
static void check_infos(void)
{
    struct os_info a;
    struct os_info b;
    what = "infos";
    make("a", "four");
    make("b", "");
    expect(os_info_at(in("a"), &a) == 0 && os_info_at_link(in("a"), &b) == 0);
    expect(a.kind == OS_REGULAR && a.n_bytes == 4);
    expect(b.kind == OS_REGULAR && b.n_bytes == 4);
    const int file = os_open(in("a"));
    expect(file >= 0 && os_info_of(file, &b) == 0 && b.n_bytes == 4);
    os_close(file);
    expect(os_info_at(root, &a) == 0 && a.kind == OS_FOLDER);
    expect(os_info_at(in("none"), &a) != 0 && errno == ENOENT);
}

/* A reader of a replaced file continues to read the old one; others find the new one. */
static void check_replacing(void)
{
    char bytes[16];
    what = "replacing";
    make("table", "old");
    make("temporary", "new!");
    const int old = os_open(in("table"));
    expect(old >= 0);
    expect(os_rename(in("temporary"), in("table")) == 0);
    expect(os_read_at(old, bytes, sizeof bytes, 0) == 3 && memcmp(bytes, "old", 3) == 0);
    os_close(old);
    expect(holds("table", "new!"));
    expect(os_open(in("temporary")) < 0 && errno == ENOENT);
    expect(os_rename(in("none"), in("table")) != 0 && errno == ENOENT);
    expect(os_remove(in("table")) == 0 && os_remove(in("table")) != 0 && errno == ENOENT);
}

/* Two writers of one folder. */
static void check_locks(void)
{
    what = "locks";
    const int first = os_open_as(in("lock"), OS_WRITE | OS_CREATE | OS_NO_LINK);
    const int second = os_open_as(in("lock"), OS_WRITE | OS_CREATE | OS_NO_LINK);
    expect(first >= 0 && second >= 0);
    expect(os_lock(first) == 0);
    expect(os_lock(second) != 0 && errno == EWOULDBLOCK);
    os_close(first);
    expect(os_lock(second) == 0);
    os_close(second);
}

/* Values paged out of memory, of several materials at once; no file remains. */
static void check_hidden(void)
{
    char bytes[8];
    what = "hidden files";
    const int first = os_open_hidden(in("values"));
    const int second = os_open_hidden(in("values"));
    expect(first >= 0 && second >= 0);
    expect(os_write_at(first, "first", 5, 0) == 0 && os_write_at(second, "other", 5, 0) == 0);
    expect(os_read_at(first, bytes, 5, 0) == 5 && memcmp(bytes, "first", 5) == 0);
    expect(os_read_at(second, bytes, 5, 0) == 5 && memcmp(bytes, "other", 5) == 0);
    os_close(first);
    os_close(second);
    struct os_folder *folder = os_folder_open(root);
    expect(folder != NULL);
    for (const char *name; (name = os_folder_next(folder)) != NULL;)
        expect(strncmp(name, "values", 6) != 0);
    os_folder_close(folder);
}

/* Fails if existing tables are not found, under names in any language. */
static void check_folders(void)
{
    static const char *const names[] = {"KvK.wdl", "fryslân-Ⅳ", ".hidden"};
    int n_found = 0;
    int n = 0;
    what = "folders";
    expect(os_make_folder(in("fôlder")) == 0);
    expect(os_make_folder(in("fôlder")) != 0 && errno == EEXIST);
    expect(os_folder_open(in("none")) == NULL && errno == ENOENT);
    for (int i = 0; i < 3; i++) {
        char name[64];
        snprintf(name, sizeof name, "fôlder/%s", names[i]);
        make(name, names[i]);
    }
    struct os_folder *folder = os_folder_open(in("fôlder"));
    expect(folder != NULL);
    for (const char *name; (name = os_folder_next(folder)) != NULL; n++)
        for (int i = 0; i < 3; i++)
            n_found += strcmp(name, names[i]) == 0;
    expect(errno == 0 && n_found == 3);
    for (int i = 0; i < 3; i++)
        expect(os_folder_remove(folder, names[i]) == 0);
    os_folder_close(folder);
    folder = os_folder_open(in("fôlder"));
    for (n = 0; folder != NULL && os_folder_next(folder) != NULL; n++)
        continue;
    expect(n <= 2); /* . and .. */
    os_folder_close(folder);
}

static void check_machine(void)
{
    struct os_mutex mutex;
    uint64_t n_bytes = 0;
    what = "the machine";
    for (size_t alignment = 16; alignment <= (size_t)2 << 20; alignment *= 2) {
        void *memory = os_alloc_aligned(alignment, alignment);
        expect(memory != NULL && (uintptr_t)memory % alignment == 0);
        os_advise_huge(memory, alignment);
        memset(memory, 1, alignment);
        os_free_aligned(memory);
    }
    os_free_aligned(NULL);
    expect(os_map_memory(SIZE_MAX / 2) == NULL);
#if !defined(__SANITIZE_ADDRESS__)
    for (size_t n = 1; n <= (size_t)16 << 20; n *= 16) {
        char *memory = os_map_memory(n);
        expect(memory != NULL && memory[0] == 0 && memory[n - 1] == 0);
        memset(memory, 1, n);
        os_unmap_memory(memory, n);
    }
#endif
    uint64_t before = os_now_ns();
    for (int i = 0; i < 1000; i++) {
        const uint64_t now = os_now_ns();
        expect(now >= before);
        before = now;
    }
    expect(os_wall_ns() / 1000000000u > 1700000000u); /* seconds: 2023 */
    expect(os_process_id() != 0);
    expect(os_page_bytes() >= 4096 && (os_page_bytes() & (os_page_bytes() - 1)) == 0);
    expect(os_memory_bytes() >= (uint64_t)1 << 20);
    expect(os_disk_free_bytes(root, &n_bytes) == 0 && n_bytes > 0);
    expect(os_disk_free_bytes(in("none"), &n_bytes) != 0 && errno == ENOENT);
    os_mutex_init(&mutex);
    os_mutex_lock(&mutex);
    os_yield();
    os_mutex_unlock(&mutex);
    os_mutex_lock(&mutex); /* it was let go of */
    os_mutex_unlock(&mutex);
    os_mutex_destroy(&mutex);
}

int main(int argc, char **argv)
{
    what = "a folder to work in";
    snprintf(root, sizeof root, "%s/os-%llu-%llu", argc > 1 ? argv[1] : EINSPUL_BINARY_DIR,
             (unsigned long long)os_process_id(), (unsigned long long)os_wall_ns());
    expect(os_make_folder(root) == 0);
    check_opening();
    check_places();
    check_infos();
    check_replacing();
    check_locks();
    check_hidden();
    check_folders();
    check_machine();
    for (const char *name = "file made places a b lock "; *name != '\0';
         name = strchr(name, ' ') + 1) {
        char one[16];
        snprintf(one, sizeof one, "%.*s", (int)(strchr(name, ' ') - name), name);
        expect(os_remove(in(one)) == 0);
    }
    (void)remove(in("fôlder")); /* a folder, if the system allows it */
    (void)remove(root);
    puts("done");
    return EXIT_SUCCESS;
}
