/* Control groups, from what /proc/self says: the group's path (cgroup), and which part of the tree
 * of groups is mounted where (mountinfo). Of a limit what counts is how far the use is from it,
 * less what the kernel gives back when asked to: cached files. */
#include "gen/memory_limit.h"

#include "core/os_write.h"
#include "gen/threads.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum { PATH_SIZE = 4096, LINE_SIZE = 3 * PATH_SIZE };

/* --- reading ---------------------------------------------------------------------------------- */

static FILE *open_below(const char *root, const char *path)
{
    char whole[2 * PATH_SIZE];
    const int n = snprintf(whole, sizeof whole, "%s%s", root, path);
    return n < 0 || (size_t)n >= sizeof whole ? NULL : fopen(whole, "r");
}

/* The number a file of a control group holds; false when there is none, as with "max". */
static bool read_number(const char *root, const char *group, const char *name, uint64_t *number)
{
    char path[PATH_SIZE + 64];
    snprintf(path, sizeof path, "%s/%s", group, name);
    FILE *file = open_below(root, path);
    if (file == NULL)
        return false;
    const bool found = fscanf(file, "%" SCNu64, number) == 1;
    fclose(file);
    return found;
}

/* The sum of some of the rows of a group's memory.stat, `names` ended by NULL. */
static uint64_t sum_rows(const char *root, const char *group, const char *const names[])
{
    char path[PATH_SIZE + 64];
    char name[64];
    uint64_t number = 0;
    uint64_t sum = 0;
    snprintf(path, sizeof path, "%s/memory.stat", group);
    FILE *file = open_below(root, path);
    if (file == NULL)
        return 0;
    while (fscanf(file, "%63s %" SCNu64, name, &number) == 2)
        for (int i = 0; names[i] != NULL; i++)
            sum += strcmp(name, names[i]) == 0 ? number : 0;
    fclose(file);
    return sum;
}

/* --- control groups --------------------------------------------------------------------------- */

/* The files of a version. */
struct version {
    const char *type;      /* of the file system */
    const char *limits[3]; /* ended by NULL; memory.high slows a process down beyond all use */
    const char *use;
    const char *given_back[4]; /* rows of memory.stat, ended by NULL */
};

static const struct version versions[] = {
    {"cgroup",
     {"memory.limit_in_bytes", NULL},
     "memory.usage_in_bytes",
     {"total_inactive_file", "total_active_file", NULL}},
    {"cgroup2",
     {"memory.max", "memory.high", NULL},
     "memory.current",
     {"inactive_file", "active_file", "slab_reclaimable", NULL}},
};

static uint64_t left_to_group(const char *root, const struct version *version, const char *group)
{
    uint64_t left = UINT64_MAX;
    uint64_t limit = 0;
    uint64_t use = 0;
    for (int i = 0; version->limits[i] != NULL; i++)
        if (read_number(root, group, version->limits[i], &limit) && limit < left)
            left = limit;
    if (left == UINT64_MAX || !read_number(root, group, version->use, &use))
        return left;
    const uint64_t given_back = sum_rows(root, group, version->given_back);
    const uint64_t held = use > given_back ? use - given_back : 0;
    return left > held ? left - held : 0;
}

/* The least of what is left to a group and to those above it, as far as they are mounted. */
static uint64_t left_up_to(const char *root, const struct version *version, char *group,
                           size_t n_mount)
{
    uint64_t least = UINT64_MAX;
    for (;;) {
        const uint64_t left = left_to_group(root, version, group);
        if (left < least)
            least = left;
        if (strlen(group) <= n_mount)
            return least;
        *strrchr(group, '/') = '\0';
    }
}

/* Whether a word is in a list between commas. */
static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += n)
        if ((at == list || at[-1] == ',') && (at[n] == '\0' || at[n] == ','))
            return true;
    return false;
}

/* The path of the process's group for memory; false when it is in none. */
static bool read_group(const char *root, const struct version *version, char group[PATH_SIZE])
{
    const bool is_first = version == &versions[0];
    char line[LINE_SIZE];
    bool found = false;
    FILE *file = open_below(root, "/proc/self/cgroup");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        /* number:controllers:path; no controllers are named in version 2. */
        char *controllers = strchr(line, ':');
        char *path = controllers == NULL ? NULL : strchr(controllers + 1, ':');
        if (path == NULL || strlen(path + 1) >= PATH_SIZE)
            continue;
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        found = is_first ? has_word(controllers + 1, "memory") : strcmp(controllers, ":") == 0;
        if (found)
            strcpy(group, path);
    }
    if (file != NULL)
        fclose(file);
    return found;
}

/* Replaces \040 and the like, as mountinfo writes spaces. */
static void unescape(char *text)
{
    char *to = text;
    for (const char *from = text; *from != '\0';) {
        unsigned code = 0;
        if (from[0] == '\\' && sscanf(from + 1, "%3o", &code) == 1 && code > 0) {
            *to++ = (char)code;
            from += 4;
        } else {
            *to++ = *from++;
        }
    }
    *to = '\0';
}

/* The folder of a group: behind the mount point, what its path has behind the root of the mount.
 * Where that root is not above it, it is told as seen from another name space; the mount then shows
 * the group itself. */
static bool find_folder(const char *group, const char *mount_root, const char *mount_point,
                        char folder[PATH_SIZE])
{
    const size_t n_root = strcmp(mount_root, "/") == 0 ? 0 : strlen(mount_root);
    const bool is_below = strncmp(group, mount_root, n_root) == 0 &&
                          (group[n_root] == '/' || group[n_root] == '\0') &&
                          strstr(group, "/..") == NULL;
    const char *behind = is_below && strcmp(group + n_root, "/") != 0 ? group + n_root : "";
    const int n = snprintf(folder, PATH_SIZE, "%s%s", mount_point, behind);
    return n > 0 && n < PATH_SIZE;
}

/* What is left in one version's groups. A line of mountinfo: number, parent, device, root, mount
 * point, options, any number of fields, "-", type, source, options. */
static uint64_t left_in_version(const char *root, const struct version *version)
{
    char group[PATH_SIZE];
    char line[LINE_SIZE];
    uint64_t least = UINT64_MAX;
    FILE *file = read_group(root, version, group) ? open_below(root, "/proc/self/mountinfo") : NULL;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char mount_root[PATH_SIZE];
        char mount_point[PATH_SIZE];
        char folder[PATH_SIZE];
        char type[32];
        char options[256];
        const char *behind = strstr(line, " - ");
        if (behind == NULL ||
            sscanf(line, "%*s %*s %*s %4095s %4095s", mount_root, mount_point) != 2 ||
            sscanf(behind, " - %31s %*s %255s", type, options) != 2 ||
            strcmp(type, version->type) != 0 ||
            (version == &versions[0] && !has_word(options, "memory")))
            continue;
        unescape(mount_root);
        unescape(mount_point);
        if (!find_folder(group, mount_root, mount_point, folder))
            continue;
        const uint64_t left = left_up_to(root, version, folder, strlen(mount_point));
        if (left < least)
            least = left;
    }
    if (file != NULL)
        fclose(file);
    return least;
}

uint64_t memory_left_to_cgroups(const char *root)
{
    const uint64_t first = left_in_version(root, &versions[0]);
    const uint64_t second = left_in_version(root, &versions[1]);
    return first < second ? first : second;
}

/* --- other limits ----------------------------------------------------------------------------- */

static uint64_t memory_free(const char *root)
{
    FILE *file = open_below(root, "/proc/meminfo");
    char line[128];
    unsigned long long kib = 0;
    if (file != NULL) {
        while (fgets(line, sizeof line, file) != NULL)
            if (sscanf(line, "MemAvailable: %llu kB", &kib) == 1)
                break;
        fclose(file);
    }
    if (kib > 0)
        return (uint64_t)kib * 1024;
    return os_memory_bytes();
}

/* Bytes of a limit on the process that are not used yet, nor set aside; UINT64_MAX: no limit.
 * `column` is the place in statm of what it counts. */
static uint64_t left_of_process(const char *root, enum os_limit limit, int column,
                                uint64_t set_aside)
{
    const uint64_t most = os_limit_of_process(limit);
    uint64_t pages[6] = {0};
    if (most == UINT64_MAX)
        return UINT64_MAX;
    FILE *file = open_below(root, "/proc/self/statm");
    for (int i = 0; file != NULL && i < 6 && fscanf(file, "%" SCNu64, &pages[i]) == 1; i++)
        continue;
    if (file != NULL)
        fclose(file);
    const uint64_t used = pages[column] * os_page_bytes() + set_aside;
    return most > used ? most - used : 0;
}

/* --- all of them ------------------------------------------------------------------------------ */

struct memory_limit memory_limit_find(const char *root, uint64_t asked, int n_threads)
{
    enum { STATM_SIZE = 0, STATM_DATA = 5, ARENA_BYTES = 64 << 20 };
    const uint64_t n_begun = (uint64_t)(n_threads - 1);
    const uint64_t stacks = n_begun * threads_stack_bytes();
    /* A thread's first malloc sets address space aside for its own use. */
    const uint64_t mapped = stacks + n_begun * ARENA_BYTES;
    const struct memory_limit limits[] = {
        {asked == 0 ? UINT64_MAX : asked, MEMORY_ASKED},
        {memory_free(root), MEMORY_FREE},
        {memory_left_to_cgroups(root), MEMORY_CGROUP},
        {left_of_process(root, OS_LIMIT_ADDRESS_SPACE, STATM_SIZE, mapped), MEMORY_ADDRESS_SPACE},
        {left_of_process(root, OS_LIMIT_DATA, STATM_DATA, stacks), MEMORY_DATA},
    };
    struct memory_limit least = limits[0];
    for (size_t i = 1; i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i].n_bytes < least.n_bytes)
            least = limits[i];
    return least;
}

const char *memory_source_text(enum memory_source source)
{
    switch (source) {
    case MEMORY_ASKED:
        return "allowed";
    case MEMORY_FREE:
        return "free";
    case MEMORY_CGROUP:
        return "left in the control group";
    case MEMORY_ADDRESS_SPACE:
        return "left of the limit on address space";
    case MEMORY_DATA:
        return "left of the limit on data";
    }
    return "";
}
