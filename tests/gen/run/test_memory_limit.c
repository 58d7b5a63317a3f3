/* The memory a run may use, from the limits of a system: synthetic control groups of both versions,
 * as on machines and in containers, and real limits of a process. */
#include "core/program/random.h"
#include "gen/run/cgroup.h"
#include "gen/run/limit_file.h"
#include "gen/run/limits.h"
#include "gen/run/plan_make.h"
#include "tests/support/folder.h"
#include "tests/support/parse.h"

#include <criterion/criterion.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

TestSuite(memory_limit, .init = make_folder, .fini = drop_folder);

/* The folder of the synthetic system; "" for the real one. */
static const char *system_root = "";

FILE *__wrap_limit_file_open(const char *path);

FILE *__wrap_limit_file_open(const char *path)
{
    char whole[1024];
    snprintf(whole, sizeof whole, "%s%s", system_root, path);
    return fopen(whole, "r");
}

static struct memory_limit memory_limit_in(const char *root, uint64_t requested, int n_threads)
{
    system_root = root;
    return memory_limit_find(requested, n_threads);
}

static uint64_t cgroup_memory_in(const char *root)
{
    system_root = root;
    return cgroup_memory();
}

static uint64_t cgroup_processors_in(const char *root)
{
    system_root = root;
    return cgroup_processors();
}

static int threads_wanted_in(const char *root)
{
    system_root = root;
    return threads_wanted();
}

/* A file of a synthetic system, and its content. */
struct text {
    const char *path, *text;
};

static void write_text(const struct text *text)
{
    char path[1024];
    snprintf(path, sizeof path, "%s", path_of(text->path));
    for (char *at = path + strlen(folder) + 1; (at = strchr(at, '/')) != NULL; at++) {
        *at = '\0';
        (void)mkdir(path, 0777);
        *at = '/';
    }
    write_whole(path, (const uint8_t *)text->text, strlen(text->text));
}

/* Fails if a run uses more than its group may have, and is killed; or refuses to begin although
 * memory is available, because it counts memory that the kernel can reclaim. */
Test(memory_limit, control_groups_of_both_versions)
{
    enum { MAX_TEXTS = 9 };
    static const struct {
        const char *what;
        uint64_t left;
        struct text texts[MAX_TEXTS];
    } cases[] = {
        {"no groups at all", UINT64_MAX, {{"proc/meminfo", "MemAvailable: 5 kB\n"}}},
        {"version 2, without a limit",
         UINT64_MAX,
         {{"proc/self/cgroup", "0::/user.slice/session-1.scope\n"},
          {"sys/fs/cgroup/user.slice/session-1.scope/memory.max", "max\n"},
          {"sys/fs/cgroup/user.slice/session-1.scope/memory.current", "1000\n"}}},
        {"version 2, its own",
         64000000 - 20000000,
         {{"proc/self/cgroup", "0::/job\n"},
          {"sys/fs/cgroup/job/memory.max", "64000000\n"},
          {"sys/fs/cgroup/job/memory.high", "max\n"},
          {"sys/fs/cgroup/job/memory.current", "50000000\n"},
          {"sys/fs/cgroup/job/memory.stat",
           "anon 20000000\nfile 31000000\nshmem 1000000\ninactive_file 10000000\n"
           "active_file 15000000\nslab_reclaimable 5000000\n"}}},
        {"version 2, of a group above it",
         3000,
         {{"proc/self/cgroup", "0::/a.slice/b/c\n"},
          {"sys/fs/cgroup/a.slice/b/c/memory.max", "9000\n"},
          {"sys/fs/cgroup/a.slice/b/c/memory.current", "1000\n"},
          {"sys/fs/cgroup/a.slice/b/memory.max", "max\n"},
          {"sys/fs/cgroup/a.slice/memory.max", "8000\n"},
          {"sys/fs/cgroup/a.slice/memory.current", "5000\n"}}},
        {"version 2, slowed down before it is killed",
         2000,
         {{"proc/self/cgroup", "0::/job\n"},
          {"sys/fs/cgroup/job/memory.max", "64000\n"},
          {"sys/fs/cgroup/job/memory.high", "5000\n"},
          {"sys/fs/cgroup/job/memory.current", "3000\n"}}},
        {"version 2, used up",
         0,
         {{"proc/self/cgroup", "0::/job\n"},
          {"sys/fs/cgroup/job/memory.max", "5000\n"},
          {"sys/fs/cgroup/job/memory.current", "6000\n"}}},
        {"version 2, in a container that sees its group as the root",
         7000,
         {{"proc/self/cgroup", "0::/\n"},
          {"sys/fs/cgroup/memory.max", "8000\n"},
          {"sys/fs/cgroup/memory.current", "1000\n"}}},
        {"version 2, a group that lies outside what is seen",
         7000,
         {{"proc/self/cgroup", "0::/../other\n"},
          {"sys/fs/cgroup/memory.max", "8000\n"},
          {"sys/fs/cgroup/memory.current", "1000\n"}}},
        {"version 2, in a container that is told the path of the host",
         700,
         {{"proc/self/cgroup", "0::/docker/1f/job\n"},
          {"sys/fs/cgroup/memory.max", "900\n"},
          {"sys/fs/cgroup/memory.current", "200\n"}}},
        {"version 1, without a limit",
         9223372036854771712u - 1000,
         {{"proc/self/cgroup", "5:cpu,cpuacct:/x\n4:memory:/\n0::/\n"},
          {"sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n"},
          {"sys/fs/cgroup/memory/memory.usage_in_bytes", "1000\n"}}},
        {"version 1, its own",
         30000000,
         {{"proc/self/cgroup", "12:pids:/\n4:memory:/job\n1:name=systemd:/memory\n0::/\n"},
          {"sys/fs/cgroup/memory/job/memory.limit_in_bytes", "64000000\n"},
          {"sys/fs/cgroup/memory/job/memory.usage_in_bytes", "50000000\n"},
          {"sys/fs/cgroup/memory/job/memory.stat",
           "inactive_file 1\nactive_file 1\ntotal_inactive_file 6000000\n"
           "total_active_file 10000000\n"},
          {"sys/fs/cgroup/cpu,cpuacct/job/memory.limit_in_bytes", "1\n"},
          {"sys/fs/cgroup/unified/memory.max", "max\n"}}},
        {"version 1, of a container whose mount begins at its group",
         600,
         {{"proc/self/cgroup", "4:memory:/docker/7a\n"},
          {"sys/fs/cgroup/memory/memory.limit_in_bytes", "1000\n"},
          {"sys/fs/cgroup/memory/memory.usage_in_bytes", "400\n"}}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char command[1024];
        snprintf(command, sizeof command, "rm -rf '%s'/*", folder);
        cr_assert_eq(system(command), 0);
        for (int j = 0; j < MAX_TEXTS && cases[i].texts[j].path != NULL; j++)
            write_text(&cases[i].texts[j]);
        const uint64_t left = cgroup_memory_in(folder);
        cr_assert_eq(left, cases[i].left, "%s: %llu", cases[i].what, (unsigned long long)left);
    }
}

/* Fails if a malformed file ends the run, or sets a limit. */
Test(memory_limit, malformed_limits_are_ignored)
{
    static const char *const texts[] = {"",
                                        "\n",
                                        "0",
                                        "0:",
                                        "0::",
                                        "::",
                                        ":memory:",
                                        "4:memory:\n0::\n",
                                        "0::/x",
                                        "\\",
                                        "999999999999999999999999999999\n",
                                        "-1\n",
                                        "max max max"};
    static const char *const paths[] = {
        "proc/self/cgroup", "sys/fs/cgroup/memory.max", "sys/fs/cgroup/x/memory.max",
        "sys/fs/cgroup/memory.current", "sys/fs/cgroup/memory.stat"};
    const size_t n_texts = sizeof texts / sizeof texts[0];
    uint64_t seed = 5;
    for (int i = 0; i < 300; i++) {
        for (size_t j = 0; j < sizeof paths / sizeof paths[0]; j++) {
            const struct text text = {paths[j], texts[random_below(&seed, (int)n_texts)]};
            write_text(&text);
        }
        const struct memory_limit limit = memory_limit_in(folder, 1 << 20, 1);
        cr_assert_leq(limit.n_bytes, 1 << 20);
    }
}

/* Fails if not the lowest of several limits applies, or the plan names another one. */
Test(memory_limit, smallest_limit_wins)
{
    const struct text texts[] = {{"proc/meminfo", "MemTotal: 9 kB\nMemAvailable:   5000 kB\n"},
                                 {"proc/self/cgroup", "0::/job\n"},
                                 {"sys/fs/cgroup/job/memory.max", "9000000\n"}};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
        write_text(&texts[i]);
    struct memory_limit limit = memory_limit_in(folder, 0, 1);
    cr_assert_eq(limit.source, MEMORY_FREE);
    cr_assert_eq(limit.n_bytes, 5000 * 1024);
    limit = memory_limit_in(folder, 4000, 1);
    cr_assert_eq(limit.source, MEMORY_REQUESTED);
    cr_assert_eq(limit.n_bytes, 4000);
    const struct text less = {"sys/fs/cgroup/job/memory.max", "4000000\n"};
    write_text(&less);
    limit = memory_limit_in(folder, 9000000, 1);
    cr_assert_eq(limit.source, MEMORY_CGROUP);
    cr_assert_eq(limit.n_bytes, 4000000);
    for (int source = MEMORY_REQUESTED; source <= MEMORY_ADDRESSES; source++)
        cr_assert_gt(strlen(memory_source_text((enum memory_source)source)), 0);
}

static size_t stack_bytes(void)
{
    pthread_attr_t attributes;
    size_t n_bytes = 0;
    pthread_attr_init(&attributes);
    pthread_attr_getstacksize(&attributes, &n_bytes);
    pthread_attr_destroy(&attributes);
    return n_bytes;
}

/* In a process of its own: limits itself, and checks the memory reported as left, before and after
 * it uses some. 0: correct. */
static int look_at_own_limit(int resource, enum memory_source source)
{
    enum { TAKEN = 100 << 20, SOME = 20 << 20 };
    const rlim_t most = (rlim_t)1 << 30;
    const struct rlimit limit = {most, most};
    struct rules rules;
    struct generate_plan plan;
    struct generate_options options = {
        .rules = &rules, .root = folder, .pieces = 4, .metrics = METRICS_BOTH, .n_threads = 1};
    if (rules_by_name(&rules, "frisian", NULL) != EINSPUL_OK || setrlimit(resource, &limit) != 0)
        return 1;
    const struct memory_limit before = memory_limit_in("", 0, 1);
    if (before.source != source || before.n_bytes > most || before.n_bytes < most - 10 * SOME)
        return 2;
    void *volatile taken = malloc(TAKEN);
    if (taken == NULL)
        return 3;
    const struct memory_limit after = memory_limit_in("", 0, 1);
    if (after.source != source || after.n_bytes > before.n_bytes - TAKEN + SOME ||
        after.n_bytes < before.n_bytes - TAKEN - SOME)
        return 4;
    void *volatile more = malloc(after.n_bytes + SOME);
    if (more != NULL)
        return 5; /* more than that was left */
    free(taken);
    const struct memory_limit threads = memory_limit_in("", 0, 3);
    if (threads.n_bytes > before.n_bytes - 2 * stack_bytes() + SOME)
        return 6;
    if (generate_plan(&options, &plan, NULL) != EINSPUL_OK || plan.memory_limit.source != source ||
        plan.memory_limit.n_bytes > before.n_bytes + SOME)
        return 7;
    return 0;
}

/* Fails if a plan fits although malloc will fail. */
Test(memory_limit, limits_of_the_process)
{
    static const struct {
        int resource;
        enum memory_source source;
    } cases[] = {{RLIMIT_AS, MEMORY_ADDRESS_SPACE}, {RLIMIT_DATA, MEMORY_DATA}};
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    cr_skip_test("the sanitizer maps more than any limit");
#endif
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int state = 0;
        const pid_t child = fork();
        cr_assert_geq(child, 0);
        if (child == 0)
            _exit(look_at_own_limit(cases[i].resource, cases[i].source));
        cr_assert_eq(waitpid(child, &state, 0), child);
        cr_assert(WIFEXITED(state) && WEXITSTATUS(state) == 0, "limit %d: step %d",
                  cases[i].resource, WEXITSTATUS(state));
    }
}

/* --- threads ---------------------------------------------------------------------------------- */

/* Fails if in a container or a scheduler's job a run starts as many threads as the machine has
 * processors, which then wait for each other, or fewer than it was given. */
Test(memory_limit, default_thread_count)
{
    enum { MAX_TEXTS = 4 };
    static const struct {
        const char *what;
        uint64_t n_threads;
        struct text texts[MAX_TEXTS];
    } cases[] = {
        {"version 2, half of the third processor",
         3,
         {{"proc/self/cgroup", "0::/job\n"}, {"sys/fs/cgroup/job/cpu.max", "250000 100000\n"}}},
        {"version 2, a group above has less",
         1,
         {{"proc/self/cgroup", "0::/job/step\n"},
          {"sys/fs/cgroup/job/step/cpu.max", "400000 100000\n"},
          {"sys/fs/cgroup/job/cpu.max", "50000 100000\n"}}},
        {"version 2, no limit",
         UINT64_MAX,
         {{"proc/self/cgroup", "0::/job\n"}, {"sys/fs/cgroup/job/cpu.max", "max 100000\n"}}},
        {"version 1",
         2,
         {{"proc/self/cgroup", "3:memory:/\n2:cpu,cpuacct:/docker/12\n"},
          {"sys/fs/cgroup/cpu,cpuacct/docker/12/cpu.cfs_quota_us", "200000\n"},
          {"sys/fs/cgroup/cpu,cpuacct/docker/12/cpu.cfs_period_us", "100000\n"}}},
        {"version 1, no limit",
         UINT64_MAX,
         {{"proc/self/cgroup", "2:cpu,cpuacct:/docker/12\n"},
          {"sys/fs/cgroup/cpu,cpuacct/docker/12/cpu.cfs_quota_us", "-1\n"},
          {"sys/fs/cgroup/cpu,cpuacct/docker/12/cpu.cfs_period_us", "100000\n"}}},
    };
    unsetenv("SLURM_CPUS_PER_TASK");
    unsetenv("OMP_NUM_THREADS");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        drop_folder();
        make_folder();
        for (int j = 0; j < MAX_TEXTS && cases[i].texts[j].path != NULL; j++)
            write_text(&cases[i].texts[j]);
        cr_assert_eq(cgroup_processors_in(folder), cases[i].n_threads, "%s", cases[i].what);
        cr_assert_leq((uint64_t)threads_wanted_in(folder), cases[i].n_threads, "%s", cases[i].what);
        cr_assert_geq(threads_wanted_in(folder), 1);
    }
    setenv("OMP_NUM_THREADS", "7,2", 1);
    cr_assert_eq(threads_wanted_in(folder), 7);
    setenv("SLURM_CPUS_PER_TASK", "5", 1);
    cr_assert_eq(threads_wanted_in(folder), 5);
    setenv("SLURM_CPUS_PER_TASK", "many", 1);
    cr_assert_eq(threads_wanted_in(folder), 7);
}

/* Fails if a Slurm job that was given whole cores, or tasks, instead of processors per task starts
 * as many threads as the machine has processors. */
Test(memory_limit, slurm_threads_without_cpus_per_task)
{
    unsetenv("OMP_NUM_THREADS");
    unsetenv("SLURM_CPUS_PER_TASK");
    setenv("SLURM_JOB_CPUS_PER_NODE", "48(x2),4", 1);
    cr_assert_eq(threads_wanted_in(folder), 48);
    setenv("SLURM_CPUS_ON_NODE", "36", 1);
    cr_assert_eq(threads_wanted_in(folder), 36);
    setenv("SLURM_STEP_TASKS_PER_NODE", "4(x3)", 1); /* tasks that srun started */
    cr_assert_eq(threads_wanted_in(folder), 9);
    setenv("SLURM_STEP_TASKS_PER_NODE", "99", 1);
    cr_assert_eq(threads_wanted_in(folder), 1);
}

/* Fails if a Slurm job plans with all available memory of the machine, for which it would be
 * killed. */
Test(memory_limit, slurm_memory_limit)
{
    unsetenv("SLURM_MEM_PER_NODE");
    unsetenv("SLURM_MEM_PER_CPU");
    cr_assert_neq(memory_limit_in("", 0, 1).source, MEMORY_SLURM);
    setenv("SLURM_MEM_PER_NODE", "0", 1); /* all there is */
    cr_assert_neq(memory_limit_in("", 0, 1).source, MEMORY_SLURM);
    /* A process uses slightly more than it plans, and must stay below the limit. */
    setenv("SLURM_MEM_PER_CPU", "3", 1);
    setenv("SLURM_CPUS_ON_NODE", "4", 1);
    cr_assert_eq(memory_limit_in("", 0, 1).n_bytes, 6 << 20);
    setenv("SLURM_CPUS_PER_TASK", "2", 1);
    struct memory_limit limit = memory_limit_in("", 0, 1);
    cr_assert_eq(limit.n_bytes, 3 << 20);
    cr_assert_str_eq(memory_source_text(limit.source), "Slurm allocation");
    limit = memory_limit_in("", 7 << 20, 1); /* the caller's own number has precedence */
    cr_assert_eq(limit.n_bytes, 7 << 20);
    setenv("SLURM_MEM_PER_NODE", "98", 1);
    cr_assert_eq(memory_limit_in("", 0, 1).n_bytes, 64 << 20);
}
