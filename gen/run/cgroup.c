/* Control groups, from what /proc/self says: the group's path (cgroup), and which part of the tree
 * of groups is mounted where (mountinfo). */
#include "gen/run/cgroup.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

enum { LINE_SIZE = 3 * CGROUP_PATH_SIZE };

FILE *cgroup_open(const char *root, const char *path)
{
    char whole[2 * CGROUP_PATH_SIZE];
    const int n = snprintf(whole, sizeof whole, "%s%s", root, path);
    return n < 0 || (size_t)n >= sizeof whole ? NULL : fopen(whole, "r");
}

bool cgroup_number(const char *root, const char *group, const char *name, uint64_t *number)
{
    char path[CGROUP_PATH_SIZE + 64];
    snprintf(path, sizeof path, "%s/%s", group, name);
    FILE *file = cgroup_open(root, path);
    if (file == NULL)
        return false;
    const bool found = fscanf(file, "%" SCNu64, number) == 1;
    fclose(file);
    return found;
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

/* The path of the process's group for a controller; false when it is in none. */
static bool read_group(const char *root, int version, const char *controller,
                       char group[CGROUP_PATH_SIZE])
{
    char line[LINE_SIZE];
    bool found = false;
    FILE *file = cgroup_open(root, "/proc/self/cgroup");
    while (file != NULL && !found && fgets(line, sizeof line, file) != NULL) {
        /* number:controllers:path; no controllers are named in version 2. */
        char *controllers = strchr(line, ':');
        char *path = controllers == NULL ? NULL : strchr(controllers + 1, ':');
        if (path == NULL || strlen(path + 1) >= CGROUP_PATH_SIZE)
            continue;
        *path++ = '\0';
        path[strcspn(path, "\n")] = '\0';
        found =
            version == 1 ? has_word(controllers + 1, controller) : strcmp(controllers, ":") == 0;
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
                        char folder[CGROUP_PATH_SIZE])
{
    const size_t n_root = strcmp(mount_root, "/") == 0 ? 0 : strlen(mount_root);
    const bool is_below = strncmp(group, mount_root, n_root) == 0 &&
                          (group[n_root] == '/' || group[n_root] == '\0') &&
                          strstr(group, "/..") == NULL;
    const char *behind = is_below && strcmp(group + n_root, "/") != 0 ? group + n_root : "";
    const int n = snprintf(folder, CGROUP_PATH_SIZE, "%s%s", mount_point, behind);
    return n > 0 && n < CGROUP_PATH_SIZE;
}

/* A line of mountinfo: number, parent, device, root, mount point, options, any number of fields,
 * "-", type, source, options. */
void cgroup_each(const char *root, int version, const char *controller, cgroup_visit *visit,
                 void *context)
{
    char group[CGROUP_PATH_SIZE];
    char line[LINE_SIZE];
    FILE *file = read_group(root, version, controller, group)
                     ? cgroup_open(root, "/proc/self/mountinfo")
                     : NULL;
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        char mount_root[CGROUP_PATH_SIZE];
        char mount_point[CGROUP_PATH_SIZE];
        char folder[CGROUP_PATH_SIZE];
        char type[32];
        char options[256];
        const char *behind = strstr(line, " - ");
        if (behind == NULL ||
            sscanf(line, "%*s %*s %*s %4095s %4095s", mount_root, mount_point) != 2 ||
            sscanf(behind, " - %31s %*s %255s", type, options) != 2 ||
            strcmp(type, version == 1 ? "cgroup" : "cgroup2") != 0 ||
            (version == 1 && !has_word(options, controller)))
            continue;
        unescape(mount_root);
        unescape(mount_point);
        if (!find_folder(group, mount_root, mount_point, folder))
            continue;
        for (;;) { /* the group, and those above it as far as they are mounted */
            visit(root, folder, context);
            if (strlen(folder) <= strlen(mount_point))
                break;
            *strrchr(folder, '/') = '\0';
        }
    }
    if (file != NULL)
        fclose(file);
}
