/* Several threads probe one handle with a cache that is too small for all blocks. Each answer must
 * be what it is with one thread. With a main of its own, so that a thread checker can run it. */
#include "tests/synthetic.h"

#include "probe/probe.h"

#include <pthread.h>

enum { N_THREADS = 4, N_STATES = 4000, N_ROUNDS = 5, N_BATCH = 200 };

struct shared {
    einspul *handle;
    struct state states[N_STATES];
    value_t expected[N_STATES];
};

struct task {
    const struct shared *shared;
    int first; /* threads begin at different places */
    int n_wrong;
};

/* Probes some states together; returns how many answers are wrong. */
static int probe_batch(const struct shared *shared, int first)
{
    einspul_position positions[N_BATCH];
    einspul_outcome outcomes[N_BATCH];
    int plies[N_BATCH];
    int n_wrong = 0;
    for (int i = 0; i < N_BATCH; i++)
        probe_position_from_state(&shared->states[(first + i) % N_STATES], &positions[i]);
    if (einspul_probe_dtw_batch(shared->handle, positions, N_BATCH, 0, outcomes, plies, NULL,
                                NULL) != EINSPUL_OK)
        return N_BATCH;
    for (int i = 0; i < N_BATCH; i++)
        n_wrong += plies[i] != value_plies(shared->expected[(first + i) % N_STATES]);
    return n_wrong;
}

static void *probe_all(void *argument)
{
    struct task *task = argument;
    const struct shared *shared = task->shared;
    for (int i = 0; i < N_ROUNDS * N_STATES; i++) {
        const int at = (task->first + i) % N_STATES;
        const enum metric metric = i % 2 == 0 ? METRIC_DTW : METRIC_WDL;
        const value_t expected =
            metric == METRIC_DTW ? shared->expected[at] : value_sign(shared->expected[at]);
        value_t value = VALUE_NONE;
        einspul_counters counters;
        if (probe_state(shared->handle, &shared->states[at], metric, 0, &value, NULL) !=
                STATUS_OK ||
            value != expected)
            task->n_wrong++;
        if (i % 1000 == 0) {
            einspul_get_counters(shared->handle, &counters);
            task->n_wrong += probe_batch(shared, at);
        }
    }
    return NULL;
}

int main(void)
{
    static struct world world;
    static struct shared shared;
    const char *const folders[] = {world.root};
    pthread_t threads[N_THREADS];
    struct task tasks[N_THREADS];
    einspul_options options;
    einspul_error error;
    uint64_t seed = 3;
    int n_wrong = 0;

    world_create(&world, "frisian", "threads-XXXXXX", 2);
    for (int i = 0; i < N_STATES; i++) {
        shared.states[i] = world_random_state(&world, &seed);
        shared.expected[i] = world_value(&world, &shared.states[i], false);
    }
    einspul_options_init(&options);
    options.folders = folders;
    options.n_folders = 1;
    options.cache_bytes = 400000;
    if (einspul_open(&options, &shared.handle, &error) != EINSPUL_OK) {
        fprintf(stderr, "%s\n", error.text);
        return 1;
    }
    for (int i = 0; i < N_THREADS; i++) {
        tasks[i] = (struct task){&shared, i * N_STATES / N_THREADS, 0};
        if (pthread_create(&threads[i], NULL, probe_all, &tasks[i]) != 0)
            return 1;
    }
    for (int i = 0; i < N_THREADS; i++) {
        pthread_join(threads[i], NULL);
        n_wrong += tasks[i].n_wrong;
    }
    einspul_close(shared.handle);
    world_free(&world);
    fprintf(stderr, "%d threads, %d probes each, %d wrong\n", N_THREADS, N_ROUNDS * N_STATES,
            n_wrong);
    return n_wrong == 0 ? 0 : 1;
}
