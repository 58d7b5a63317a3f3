/* The lowest limit counts. A limit on the memory of a process or a group is reduced by its present
 * use; memory that threads need as they begin is set aside. */
#include "gen/run/limits.h"

#include "core/program/os_write.h"
#include "gen/run/cgroup.h"
#include "gen/run/limit_file.h"

#include <ctype.h>
#include <inttypes.h>
#include <omp.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

/* The number in an environment variable, or the first of a list such as "16,8" or Slurm's
 * "16(x2)"; 0 if there is none. */
static uint64_t environment_number(const char *name)
{
    const char *text = getenv(name);
    char *end = NULL;
    if (text == NULL || !isdigit((unsigned char)*text))
        return 0;
    const unsigned long long number = strtoull(text, &end, 10);
    const bool ends = *end == '\0' || *end == ',' || *end == '(';
    return ends && number < UINT64_MAX >> 24 ? number : 0;
}

/* The processors that Slurm gives the process; 0 without a job. SLURM_CPUS_ON_NODE is shared by the
 * tasks that srun starts on the node. */
static uint64_t processors_of_slurm(void)
{
    const uint64_t n_per_task = environment_number("SLURM_CPUS_PER_TASK");
    uint64_t n = environment_number("SLURM_CPUS_ON_NODE");
    if (n == 0)
        n = environment_number("SLURM_JOB_CPUS_PER_NODE");
    const uint64_t n_tasks = environment_number("SLURM_STEP_TASKS_PER_NODE");
    if (n_per_task > 0 || n == 0)
        return n_per_task;
    return n_tasks > 1 && n_tasks < n ? n / n_tasks : n_tasks > 1 ? 1 : n;
}

/* --- memory ----------------------------------------------------------------------------------- */

enum { STATM_SIZE = 0, STATM_DATA = 5 }; /* places in /proc/self/statm */

static uint64_t memory_available(void)
{
    FILE *file = limit_file_open("/proc/meminfo");
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

/* Bytes of the process, from a column of statm; 0 if unknown. */
static uint64_t bytes_of_process(int column)
{
    uint64_t pages[6] = {0};
    FILE *file = limit_file_open("/proc/self/statm");
    for (int i = 0; file != NULL && i < 6 && fscanf(file, "%" SCNu64, &pages[i]) == 1; i++)
        continue;
    if (file != NULL)
        fclose(file);
    return pages[column] * os_page_bytes();
}

/* Bytes of a limit on the process that are not used yet, nor set aside; UINT64_MAX: no limit. */
static uint64_t left_of_process(enum os_limit limit, int column, uint64_t set_aside)
{
    const uint64_t max = os_limit_of_process(limit);
    if (max == UINT64_MAX)
        return UINT64_MAX;
    const uint64_t used = bytes_of_process(column) + set_aside;
    return max > used ? max - used : 0;
}

/* The memory of a Slurm job, by node or by processor; UINT64_MAX without one. */
static uint64_t memory_of_slurm(void)
{
    const uint64_t mib = environment_number("SLURM_MEM_PER_NODE");
    const uint64_t n_cpus = processors_of_slurm() > 0 ? processors_of_slurm() : 1;
    if (mib > 0)
        return mib << 20;
    const uint64_t each = environment_number("SLURM_MEM_PER_CPU");
    return each > 0 && n_cpus < 65536 ? (each * n_cpus) << 20 : UINT64_MAX;
}

/* The memory to plan with, out of a Slurm job's: a process takes slightly more than planned, and is
 * killed if it exceeds its limit. */
static uint64_t plan_within(uint64_t given)
{
    const uint64_t aside = (uint64_t)32 << 20;
    if (given == UINT64_MAX)
        return given;
    return given < 2 * aside ? given / 2 : (given - aside) / 33 * 32;
}

/* Bytes of the stack of a thread that OpenMP begins. */
static uint64_t stack_bytes(void)
{
    pthread_attr_t attributes;
    size_t n_bytes = 0;
    if (pthread_attr_init(&attributes) == 0) {
        pthread_attr_getstacksize(&attributes, &n_bytes);
        pthread_attr_destroy(&attributes);
    }
    return n_bytes;
}

struct memory_limit memory_limit_find(uint64_t requested, int n_threads)
{
    enum { ARENA_BYTES = 64 << 20 };
    const uint64_t n_begun = (uint64_t)(n_threads - 1);
    const uint64_t stacks = n_begun * stack_bytes();
    /* A thread's first malloc reserves address space of its own. */
    const uint64_t mapped = stacks + n_begun * ARENA_BYTES;
    const struct memory_limit limits[] = {
        {requested == 0 ? UINT64_MAX : requested, MEMORY_REQUESTED},
        {requested == 0 ? plan_within(memory_of_slurm()) : UINT64_MAX, MEMORY_SLURM},
        {memory_available(), MEMORY_FREE},
        {cgroup_memory(), MEMORY_CGROUP},
        {left_of_process(OS_LIMIT_ADDRESS_SPACE, STATM_SIZE, mapped), MEMORY_ADDRESS_SPACE},
        {left_of_process(OS_LIMIT_DATA, STATM_DATA, stacks), MEMORY_DATA},
        {SIZE_MAX / 2 - (stacks < SIZE_MAX / 2 ? stacks : SIZE_MAX / 2), MEMORY_ADDRESSES},
    };
    struct memory_limit min = limits[0];
    for (size_t i = 1; i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i].n_bytes < min.n_bytes)
            min = limits[i];
    return min;
}

const char *memory_source_text(enum memory_source source)
{
    static const char *const texts[] = {
        [MEMORY_REQUESTED] = "--memory",
        [MEMORY_SLURM] = "Slurm allocation",
        [MEMORY_FREE] = "free",
        [MEMORY_CGROUP] = "cgroup limit",
        [MEMORY_ADDRESS_SPACE] = "address-space limit",
        [MEMORY_DATA] = "data limit",
        [MEMORY_ADDRESSES] = "address space",
    };
    return texts[source];
}

/* --- threads ---------------------------------------------------------------------------------- */

/* The number of threads, up to `n`, whose stacks fit a limit on the address space in addition to a
 * small run. */
static uint64_t threads_that_fit(uint64_t n)
{
    enum { RUN_BYTES = 32 << 20 };
    while (n > 1 && left_of_process(OS_LIMIT_ADDRESS_SPACE, STATM_SIZE,
                                    RUN_BYTES + (n - 1) * stack_bytes()) == 0)
        n--;
    return n;
}

int threads_wanted(void)
{
    enum { MAX_THREADS = 1024 };
    uint64_t n = environment_number("SLURM_CPUS_PER_TASK");
    if (n == 0)
        n = environment_number("OMP_NUM_THREADS");
    if (n == 0)
        n = processors_of_slurm();
    if (n == 0) {
        const uint64_t quota = cgroup_processors();
        const uint64_t n_procs = (uint64_t)omp_get_num_procs();
        n = n_procs < quota ? n_procs : quota;
    }
    return (int)threads_that_fit(n < MAX_THREADS ? n : MAX_THREADS);
}
