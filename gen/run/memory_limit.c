/* Of a limit on a control group what counts is how far the use is from it, less what the kernel
 * gives back when asked to: cached files. */
#include "gen/run/memory_limit.h"

#include "core/os_write.h"
#include "gen/run/cgroup.h"
#include "gen/run/threads.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* --- control groups --------------------------------------------------------------------------- */

/* The sum of some of the rows of a group's memory.stat, `names` ended by NULL. */
static uint64_t sum_rows(const char *root, const char *group, const char *const names[])
{
    char path[CGROUP_PATH_SIZE + 64];
    char name[64];
    uint64_t number = 0;
    uint64_t sum = 0;
    snprintf(path, sizeof path, "%s/memory.stat", group);
    FILE *file = cgroup_open(root, path);
    if (file == NULL)
        return 0;
    while (fscanf(file, "%63s %" SCNu64, name, &number) == 2)
        for (int i = 0; names[i] != NULL; i++)
            sum += strcmp(name, names[i]) == 0 ? number : 0;
    fclose(file);
    return sum;
}

/* The files of a version. */
struct version {
    const char *limits[3]; /* ended by NULL; memory.high slows a process down beyond all use */
    const char *use;
    const char *given_back[4]; /* rows of memory.stat, ended by NULL */
};

static const struct version versions[] = {
    {{"memory.limit_in_bytes", NULL},
     "memory.usage_in_bytes",
     {"total_inactive_file", "total_active_file", NULL}},
    {{"memory.max", "memory.high", NULL},
     "memory.current",
     {"inactive_file", "active_file", "slab_reclaimable", NULL}},
};

static uint64_t left_to_group(const char *root, const struct version *version, const char *group)
{
    uint64_t left = UINT64_MAX;
    uint64_t limit = 0;
    uint64_t use = 0;
    for (int i = 0; version->limits[i] != NULL; i++)
        if (cgroup_number(root, group, version->limits[i], &limit) && limit < left)
            left = limit;
    if (left == UINT64_MAX || !cgroup_number(root, group, version->use, &use))
        return left;
    const uint64_t given_back = sum_rows(root, group, version->given_back);
    const uint64_t held = use > given_back ? use - given_back : 0;
    return left > held ? left - held : 0;
}

struct least {
    const struct version *version;
    uint64_t n_bytes;
};

static void take_least(const char *root, const char *group, void *context)
{
    struct least *least = context;
    const uint64_t left = left_to_group(root, least->version, group);
    least->n_bytes = left < least->n_bytes ? left : least->n_bytes;
}

uint64_t memory_left_to_cgroups(const char *root)
{
    struct least least = {NULL, UINT64_MAX};
    for (int version = 1; version <= 2; version++) {
        least.version = &versions[version - 1];
        cgroup_each(root, version, "memory", take_least, &least);
    }
    return least.n_bytes;
}

/* --- other limits ----------------------------------------------------------------------------- */

enum { STATM_SIZE = 0, STATM_DATA = 5 }; /* places in /proc/self/statm */

static uint64_t memory_free(const char *root)
{
    FILE *file = cgroup_open(root, "/proc/meminfo");
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

/* Bytes of the process by the place in statm of what is counted; 0 where nothing is known. */
static uint64_t bytes_of_process(const char *root, int column)
{
    uint64_t pages[6] = {0};
    FILE *file = cgroup_open(root, "/proc/self/statm");
    for (int i = 0; file != NULL && i < 6 && fscanf(file, "%" SCNu64, &pages[i]) == 1; i++)
        continue;
    if (file != NULL)
        fclose(file);
    return pages[column] * os_page_bytes();
}

/* Bytes of a limit on the process that are not used yet, nor set aside; UINT64_MAX: no limit. */
static uint64_t left_of_process(const char *root, enum os_limit limit, int column,
                                uint64_t set_aside)
{
    const uint64_t most = os_limit_of_process(limit);
    if (most == UINT64_MAX)
        return UINT64_MAX;
    const uint64_t used = bytes_of_process(root, column) + set_aside;
    return most > used ? most - used : 0;
}

/* --- all of them ------------------------------------------------------------------------------ */

uint64_t memory_of_slurm(void)
{
    const uint64_t mib = environment_number("SLURM_MEM_PER_NODE");
    uint64_t n_cpus = environment_number("SLURM_CPUS_PER_TASK");
    n_cpus = n_cpus == 0 ? environment_number("SLURM_CPUS_ON_NODE") : n_cpus;
    n_cpus = n_cpus == 0 ? 1 : n_cpus;
    if (mib > 0)
        return mib << 20;
    const uint64_t each = environment_number("SLURM_MEM_PER_CPU");
    return each > 0 && n_cpus < 65536 ? (each * n_cpus) << 20 : UINT64_MAX;
}

/* Of what Slurm gives a job, what a run may plan with: the process takes a little more, and is
 * killed beyond its limit. */
static uint64_t plan_within(uint64_t given)
{
    const uint64_t aside = (uint64_t)32 << 20;
    if (given == UINT64_MAX)
        return given;
    return given < 2 * aside ? given / 2 : (given - aside) / 33 * 32;
}

struct memory_limit memory_limit_find(const char *root, uint64_t asked, int n_threads)
{
    enum { ARENA_BYTES = 64 << 20 };
    const uint64_t n_begun = (uint64_t)(n_threads - 1);
    const uint64_t stacks = n_begun * threads_stack_bytes();
    /* A thread's first malloc sets address space aside for its own use. */
    const uint64_t mapped = stacks + n_begun * ARENA_BYTES;
    const struct memory_limit limits[] = {
        {asked == 0 ? UINT64_MAX : asked, MEMORY_ASKED},
        {asked == 0 ? plan_within(memory_of_slurm()) : UINT64_MAX, MEMORY_SLURM},
        {memory_free(root), MEMORY_FREE},
        {memory_left_to_cgroups(root), MEMORY_CGROUP},
        {left_of_process(root, OS_LIMIT_ADDRESS_SPACE, STATM_SIZE, mapped), MEMORY_ADDRESS_SPACE},
        {left_of_process(root, OS_LIMIT_DATA, STATM_DATA, stacks), MEMORY_DATA},
        {SIZE_MAX / 2 - (stacks < SIZE_MAX / 2 ? stacks : SIZE_MAX / 2), MEMORY_ADDRESSES},
    };
    struct memory_limit least = limits[0];
    for (size_t i = 1; i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i].n_bytes < least.n_bytes)
            least = limits[i];
    return least;
}

const char *memory_source_text(enum memory_source source)
{
    static const char *const texts[] = {
        [MEMORY_ASKED] = "allowed",
        [MEMORY_SLURM] = "given by Slurm",
        [MEMORY_FREE] = "free",
        [MEMORY_CGROUP] = "left in the control group",
        [MEMORY_ADDRESS_SPACE] = "left of the limit on address space",
        [MEMORY_DATA] = "left of the limit on data",
        [MEMORY_ADDRESSES] = "within reach of addresses",
    };
    return texts[source];
}
