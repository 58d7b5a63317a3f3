/* Several threads compute the board of a rule set at the same time, and share one handle: they open
 * its tables for the first time, probe with a cache too small for all blocks, preload some, and
 * probe from the cache only. Each answer must equal that of one thread. A plain main, so that a
 * thread checker can run it; it starts no OpenMP threads, which gcc's checker does not support. */
#include "core/program/game.h"
#include "probe/position.h"
#include "probe/program_handle.h"
#include "tests/support/handle.h"
#include "tests/support/synthetic_set.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

enum {
    N_THREADS = 4,
    N_STATES = 4000,
    N_HANDLES = 40,
    N_FIRST = 40,
    N_PROBES = 8000,
    N_BATCH = 200
};

static struct {
    struct synthetic_set synthetic;
    struct state states[N_STATES];
    value_t values[N_STATES];
    pthread_barrier_t start; /* so that all threads meet an unused handle */
} shared;

struct task {
    einspul *handle;
    int first; /* each thread starts at a different state */
    int n_probes;
    int n_wrong, n_refused, n_from_cache;
};

static void probe(struct task *task, int number)
{
    const int at = (task->first + number) % N_STATES;
    const einspul_metric metric = number % 2 == 0 ? EINSPUL_DTW : EINSPUL_WDL;
    const bool cached_only = number % 5 == 0;
    const value_t expected =
        metric == EINSPUL_DTW ? shared.values[at] : value_without_distance(shared.values[at]);
    value_t value = VALUE_NONE;
    const einspul_status status = probe_state(task->handle, &shared.states[at], metric,
                                              cached_only ? EINSPUL_CACHE_ONLY : 0, &value, NULL);
    if (cached_only && status == EINSPUL_NOT_CACHED)
        task->n_refused++;
    else if (status != EINSPUL_OK || value != expected)
        task->n_wrong++;
    else
        task->n_from_cache += cached_only;
}

/* Probes some positions in one batch. */
static void probe_batch(struct task *task, int number)
{
    einspul_position positions[N_BATCH];
    einspul_outcome outcomes[N_BATCH];
    int plies[N_BATCH];
    for (int i = 0; i < N_BATCH; i++)
        probe_position_from_state(&shared.states[(task->first + number + i) % N_STATES],
                                  &positions[i]);
    if (einspul_probe_many(task->handle, positions, N_BATCH, 0, outcomes, plies, NULL) != N_BATCH)
        task->n_wrong += N_BATCH;
    else
        for (int i = 0; i < N_BATCH; i++)
            task->n_wrong +=
                plies[i] != value_plies(shared.values[(task->first + number + i) % N_STATES]);
}

static void *run_task(void *argument)
{
    struct task *task = argument;
    pthread_barrier_wait(&shared.start);
    for (int i = 0; i < task->n_probes; i++) {
        struct probe_counters counters;
        probe(task, i);
        if (i % 1000 == 0) {
            probe_count(task->handle, &counters);
            probe_batch(task, i);
            einspul_preload(task->handle, 3, EINSPUL_WDL, 100000, NULL);
        }
    }
    return NULL;
}

/* Lists the first moves under every rule set, whose board all threads need at once. */
static void *run_first(void *argument)
{
    static const int expected[] = {9, 7}; /* by board: 50 squares, 32 squares */
    int *n_wrong = argument;
    for (const char *const *name = einspul_rules_list(); *name != NULL; name++) {
        struct rules rules;
        rules_by_name(&rules, *name, NULL);
        const struct state start = state_start(&rules);
        einspul_position position;
        probe_position_from_state(&start, &position);
        pthread_barrier_wait(&shared.start);
        if (einspul_moves(*name, &position, NULL, 0, NULL) != expected[rules.board.n_squares == 32])
            ++*n_wrong;
    }
    return NULL;
}

static int run_first_calls(void)
{
    pthread_t threads[N_THREADS];
    int n_wrong[N_THREADS] = {0};
    int n_all = 0;
    for (int i = 0; i < N_THREADS; i++)
        if (pthread_create(&threads[i], NULL, run_first, &n_wrong[i]) != 0)
            exit(1);
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
        n_all += n_wrong[i];
    }
    return n_all;
}

/* Runs all threads on a new handle; adds up their counts. */
static struct task run_threads(size_t cache_bytes, int first, int n_probes,
                               struct probe_counters *counters)
{
    pthread_t threads[N_THREADS];
    struct task tasks[N_THREADS];
    struct task all = {.n_probes = n_probes * N_THREADS};
    all.handle = open_tables(shared.synthetic.root, "frisian", cache_bytes);
    for (int i = 0; i < N_THREADS; i++) {
        tasks[i] = (struct task){
            .handle = all.handle,
            /* Opening is a race only if all need the same table. */
            .first = n_probes < N_STATES / N_THREADS ? first : first + i * N_STATES / N_THREADS,
            .n_probes = n_probes,
        };
        if (pthread_create(&threads[i], NULL, run_task, &tasks[i]) != 0)
            exit(1);
    }
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
        all.n_wrong += tasks[i].n_wrong;
        all.n_refused += tasks[i].n_refused;
        all.n_from_cache += tasks[i].n_from_cache;
    }
    probe_count(all.handle, counters);
    einspul_close(all.handle);
    return all;
}

/* The number of blocks of all tables. */
static uint64_t count_blocks(void)
{
    struct probe_counters counters;
    einspul *handle = open_tables(shared.synthetic.root, "frisian", (size_t)64 << 20);
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++)
        einspul_preload(handle, 3, (einspul_metric)metric, SIZE_MAX, NULL);
    probe_count(handle, &counters);
    einspul_close(handle);
    return counters.decoded_blocks;
}

int main(void)
{
    struct probe_counters counters;
    uint64_t seed = 3;
    int n_wrong = 0;

    if (pthread_barrier_init(&shared.start, NULL, N_THREADS) != 0)
        return 1;
    n_wrong += run_first_calls();
    synthetic_set_create(&shared.synthetic, "frisian", "/tmp/einspul-threads-XXXXXX", 2);
    for (int i = 0; i < N_STATES; i++) {
        shared.states[i] = synthetic_set_random_state(&shared.synthetic, &seed);
        shared.values[i] = synthetic_set_value(&shared.synthetic, &shared.states[i], false);
    }
    const uint64_t n_blocks = count_blocks();
    for (int i = 0; i < N_HANDLES; i++)
        n_wrong += run_threads((size_t)1 << 20, i * N_FIRST, N_FIRST, &counters).n_wrong;
    const struct task all = run_threads(400000, 0, N_PROBES, &counters);
    n_wrong += all.n_wrong;
    pthread_barrier_destroy(&shared.start);
    synthetic_set_free(&shared.synthetic);

    fprintf(stderr, "%d threads, %d wrong answers; of the cache alone: %d, refused: %d\n",
            N_THREADS, n_wrong, all.n_from_cache, all.n_refused);
    /* Blocks must have been evicted, and cache-only probes have hit and missed. */
    const bool evicted = counters.decoded_blocks > 10 * n_blocks;
    return n_wrong == 0 && evicted && all.n_from_cache > 0 && all.n_refused > 0 ? 0 : 1;
}
