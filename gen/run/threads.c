/* What the environment and the system say of threads. */
#include "gen/run/threads.h"

#include "gen/run/cgroup.h"

#include <ctype.h>
#include <inttypes.h>
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What OMP_STACKSIZE says, as the OpenMP specification has it: a number, and B, K (where nothing is
 * said), M or G. 0: nothing that could be read. */
static size_t stack_of_text(const char *text)
{
    static const char units[] = "bkmg";
    unsigned long long number = 0;
    char unit = 'k';
    char rest = '\0';
    const bool read = text != NULL && strchr(text, '-') == NULL &&
                      sscanf(text, "%18llu %c %c", &number, &unit, &rest) > 0 && rest == '\0';
    const char *at = read ? strchr(units, tolower((unsigned char)unit)) : NULL;
    if (at == NULL || number > SIZE_MAX >> (10 * (at - units)))
        return 0;
    return (size_t)number << (10 * (at - units));
}

size_t threads_stack_bytes(void)
{
    pthread_attr_t attributes;
    size_t n_bytes = stack_of_text(getenv("OMP_STACKSIZE"));
    if (n_bytes == 0)
        n_bytes = stack_of_text(getenv("GOMP_STACKSIZE"));
    if (n_bytes == 0 && pthread_attr_init(&attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &n_bytes);
        pthread_attr_destroy(&attributes);
    }
    return n_bytes;
}

/* --- how many there ought to be --------------------------------------------------------------- */

enum { MOST_WANTED = 1024 };

static void take_quota(uint64_t quota, uint64_t period, int *least)
{
    if (period == 0 || quota == 0 || quota >= (uint64_t)INT_MAX * period)
        return;
    const int n = (int)((quota + period - 1) / period);
    *least = n < *least ? n : *least;
}

/* Of version 1: microseconds of a period in files of their own, -1 for no quota. */
static void take_first(const char *root, const char *group, void *least)
{
    uint64_t quota = 0;
    uint64_t period = 0;
    if (cgroup_number(root, group, "cpu.cfs_quota_us", &quota) && (int64_t)quota > 0 &&
        cgroup_number(root, group, "cpu.cfs_period_us", &period))
        take_quota(quota, period, least);
}

/* Of version 2: "quota period", or "max period". */
static void take_second(const char *root, const char *group, void *least)
{
    char path[CGROUP_PATH_SIZE + 64];
    uint64_t quota = 0;
    uint64_t period = 0;
    snprintf(path, sizeof path, "%s/cpu.max", group);
    FILE *file = cgroup_open(root, path);
    if (file == NULL)
        return;
    if (fscanf(file, "%" SCNu64 " %" SCNu64, &quota, &period) == 2)
        take_quota(quota, period, least);
    fclose(file);
}

int threads_of_cgroups(const char *root)
{
    int least = INT_MAX;
    cgroup_each(root, 1, "cpu", take_first, &least);
    cgroup_each(root, 2, "cpu", take_second, &least);
    return least;
}

uint64_t environment_number(const char *name)
{
    const char *text = getenv(name);
    char *end = NULL;
    if (text == NULL || !isdigit((unsigned char)*text))
        return 0;
    const unsigned long long number = strtoull(text, &end, 10);
    return (*end == '\0' || *end == ',') && number < UINT64_MAX >> 24 ? number : 0;
}

int threads_wanted(const char *root)
{
    uint64_t n = environment_number("SLURM_CPUS_PER_TASK");
    if (n == 0)
        n = environment_number("OMP_NUM_THREADS");
    if (n == 0) {
        const int quota = threads_of_cgroups(root);
        const int n_procs = omp_get_num_procs();
        n = (uint64_t)(n_procs < quota ? n_procs : quota);
    }
    return n < MOST_WANTED ? (int)n : MOST_WANTED;
}
