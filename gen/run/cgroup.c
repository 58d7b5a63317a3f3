/* A group is a folder: the path that /proc/self/cgroup has for it, below /sys/fs/cgroup (version 2)
 * or below the folder there that is named after its controllers (version 1). A container may see
 * its own group as the whole tree while that path is the one the host has. Then most of the folders
 * on the path do not exist and set no limit, and the last one, the root of the tree, does. */
#include "gen/run/cgroup.h"

#include "gen/run/limit_file.h"

#include <inttypes.h>
#include <stdbool.h>
#include <string.h>

enum { PATH_SIZE = 4096 };

/* --- the files of a group --------------------------------------------------------------------- */

/* A group, or one above it. */
struct cgroup {
    char path[PATH_SIZE];
    bool is_v2; /* of version 2 */
};

static FILE *open_file(const struct cgroup *group, const char *name)
{
    char path[PATH_SIZE + 64];
    snprintf(path, sizeof path, "%s/%s", group->path, name);
    return limit_file_open(path);
}

/* Reads the first `n` numbers of a file; false if it has fewer, for example "max". */
static bool read_numbers(const struct cgroup *group, const char *name, uint64_t *numbers, int n)
{
    FILE *file = open_file(group, name);
    int n_read = 0;
    while (file != NULL && n_read < n && fscanf(file, "%" SCNu64, &numbers[n_read]) == 1)
        n_read++;
    if (file != NULL)
        fclose(file);
    return n_read == n;
}

/* Bytes that the kernel can reclaim: cached files. */
static uint64_t reclaimable(const struct cgroup *group)
{
    static const char *const rows[2][3] = {
        {"total_inactive_file", "total_active_file", ""},
        {"inactive_file", "active_file", "slab_reclaimable"},
    };
    char name[64];
    uint64_t number = 0;
    uint64_t sum = 0;
    FILE *file = open_file(group, "memory.stat");
    while (file != NULL && fscanf(file, "%63s %" SCNu64, name, &number) == 2)
        for (int i = 0; i < 3; i++)
            sum += strcmp(name, rows[group->is_v2][i]) == 0 ? number : 0;
    if (file != NULL)
        fclose(file);
    return sum;
}

/* Above memory.high the kernel throttles a process until it is useless, so this counts as a
 * limit. */
static uint64_t memory_left(const struct cgroup *group)
{
    uint64_t left = UINT64_MAX;
    uint64_t limit = 0;
    uint64_t used = 0;
    if (read_numbers(group, group->is_v2 ? "memory.max" : "memory.limit_in_bytes", &limit, 1))
        left = limit;
    if (group->is_v2 && read_numbers(group, "memory.high", &limit, 1) && limit < left)
        left = limit;
    if (left == UINT64_MAX ||
        !read_numbers(group, group->is_v2 ? "memory.current" : "memory.usage_in_bytes", &used, 1))
        return left;
    const uint64_t given_back = reclaimable(group);
    used -= given_back < used ? given_back : used;
    return left > used ? left - used : 0;
}

/* Version 1 writes -1 for no quota, which is read as more than there can be. */
static uint64_t processors(const struct cgroup *group)
{
    uint64_t numbers[2]; /* microseconds of processor time, and of the period they are for */
    const bool found = group->is_v2 ? read_numbers(group, "cpu.max", numbers, 2)
                                    : read_numbers(group, "cpu.cfs_quota_us", &numbers[0], 1) &&
                                          read_numbers(group, "cpu.cfs_period_us", &numbers[1], 1);
    if (!found || numbers[0] == 0 || numbers[0] > INT64_MAX || numbers[1] == 0)
        return UINT64_MAX;
    return (numbers[0] - 1) / numbers[1] + 1;
}

/* --- the groups of the process ---------------------------------------------------------------- */

/* True if a word is in a list separated by commas. */
static bool has_word(const char *list, const char *word)
{
    const size_t n = strlen(word);
    for (const char *at = list; (at = strstr(at, word)) != NULL; at += n)
        if ((at == list || at[-1] == ',') && (at[n] == '\0' || at[n] == ','))
            return true;
    return false;
}

/* Sets a group from a line of /proc/self/cgroup, number:controllers:path, in which version 2 names
 * no controllers. Returns the length of the path to its tree; 0 if it is of another controller. */
static size_t group_of_line(struct cgroup *group, char *line, const char *controller)
{
    char *controllers = strchr(line, ':');
    char *path = controllers == NULL ? NULL : strchr(++controllers, ':');
    if (path == NULL)
        return 0;
    *path++ = '\0';
    path[strcspn(path, "\n")] = '\0';
    group->is_v2 = *controllers == '\0';
    if (!group->is_v2 && !has_word(controllers, controller))
        return 0;
    const int n = snprintf(group->path, sizeof group->path, "/sys/fs/cgroup%s%s",
                           group->is_v2 ? "" : "/", controllers);
    const int n_path = snprintf(group->path + n, sizeof group->path - (size_t)n, "%s", path);
    return (size_t)n_path < sizeof group->path - (size_t)n ? (size_t)n : 0;
}

static uint64_t lowest_limit(const char *controller, uint64_t limit_of(const struct cgroup *group))
{
    char line[PATH_SIZE / 2];
    uint64_t lowest = UINT64_MAX;
    FILE *file = limit_file_open("/proc/self/cgroup");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        struct cgroup group;
        const size_t n_mount = group_of_line(&group, line, controller);
        while (n_mount > 0) {
            const uint64_t limit = limit_of(&group);
            lowest = limit < lowest ? limit : lowest;
            if (strlen(group.path) <= n_mount)
                break;
            *strrchr(group.path, '/') = '\0';
        }
    }
    if (file != NULL)
        fclose(file);
    return lowest;
}

uint64_t cgroup_memory(void)
{
    return lowest_limit("memory", memory_left);
}

uint64_t cgroup_processors(void)
{
    return lowest_limit("cpu", processors);
}
