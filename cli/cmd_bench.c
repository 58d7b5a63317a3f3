#include <stdlib.h>

#include "cli/print.h"
#include "cli/tables.h"

static uint64_t next_random(uint64_t *random)
{
    uint64_t x = *random += 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

/* A random possible state of a material, with random king runs. */
static struct state random_state(const struct options *options, const struct shape *shape,
                                 uint64_t *random)
{
    struct state state = {0};
    for (;;) {
        const enum side side = (next_random(random) & 1) != 0 ? BLACK : WHITE;
        if (shape_unrank(shape, next_random(random) % shape->n_placements, side, &state.at))
            break;
    }
    for (int side = WHITE; side <= BLACK; side++)
        state.run[side] = run_from_index(
            state.at.kings[side], (int)(next_random(random) % (uint64_t)shape->n_runs[side]));
    /* Half of them as the other colour sees them. */
    return (next_random(random) & 1) != 0 ? state_turn(&options->rules.board, &state) : state;
}

static struct state *random_states(const struct options *options, const struct request *requests,
                                   int n_requests)
{
    struct shape shapes[MAX_MATERIALS];
    uint64_t random = options->seed;
    struct state *states = malloc((size_t)options->n_probes * sizeof *states);

    for (int i = 0; i < n_requests; i++)
        shape_init(&shapes[i], &options->rules, &requests[i].material);
    for (uint64_t i = 0; i < options->n_probes && states != NULL; i++) {
        const uint64_t which = next_random(&random) % (uint64_t)n_requests;
        states[i] = random_state(options, &shapes[which], &random);
    }
    return states;
}

/* Probes all states; false after a message. */
static bool probe_all(const struct options *options, einspul *handle, const struct state *states,
                      enum metric metric, int n_threads, double *seconds)
{
    const double began = seconds_now();
    struct error first_error = {STATUS_OK, ""};

#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint64_t i = 0; i < options->n_probes; i++) {
        struct error error;
        value_t value;
        const enum status status = probe_state(handle, &states[i], metric, 0, &value, &error);
        if (status != STATUS_OK) {
#pragma omp critical(bench_error)
            first_error = error;
        }
    }
    *seconds = seconds_now() - began;
    if (first_error.status == STATUS_OK)
        return true;
    complain(options, "%s", first_error.text);
    return false;
}

static bool bench_one(const struct options *options, const struct state *states, enum metric metric)
{
    const int threads[3] = {1, 1, options->n_threads};
    static const char *const caches[3] = {"cold", "warm", "warm"};
    einspul *handle = tables_open(options, LARGE_CACHE);
    bool done = handle != NULL;

    for (int pass = 0; pass < 3 && done; pass++) {
        struct row row;
        double seconds = 0.0;
        if (pass == 2 && options->n_threads == 1)
            break;
        done = probe_all(options, handle, states, metric, threads[pass], &seconds);
        if (!done)
            break;
        row_begin(&row, options->json);
        row_text(&row, "metric", tables_metric(metric));
        row_count(&row, "threads", (uint64_t)threads[pass]);
        row_text(&row, "cache", caches[pass]);
        row_count(&row, "probes", options->n_probes);
        row_real(&row, "seconds", seconds);
        row_count(&row, "probes-per-second", (uint64_t)((double)options->n_probes / seconds));
        row_end(&row);
    }
    einspul_close(handle);
    return done;
}

static int run(const struct options *options)
{
    struct request requests[MAX_MATERIALS];
    bool all_have[METRIC_DTW + 1] = {true, true, true};
    bool done = true;
    einspul *handle = tables_open(options, SMALL_CACHE);
    if (handle == NULL)
        return EXIT_WRONG;
    const int n_requests = tables_requested(options, handle, requests);
    einspul_close(handle);
    if (n_requests <= 0)
        return EXIT_WRONG;

    for (int i = 0; i < n_requests; i++) {
        all_have[METRIC_WDL] = all_have[METRIC_WDL] && requests[i].has_wdl;
        all_have[METRIC_DTW] = all_have[METRIC_DTW] && requests[i].has_dtw;
    }
    if (!all_have[METRIC_WDL] && !all_have[METRIC_DTW])
        return complain(options, "neither all .wdl nor all .dtw files are there");
    struct state *states = random_states(options, requests, n_requests);
    if (states == NULL)
        return complain(options, "no memory for %llu positions",
                        (unsigned long long)options->n_probes);
    row_header(options->json, "metric\tthreads\tcache\tprobes\tseconds\tprobes-per-second");
    for (int metric = METRIC_WDL; metric <= METRIC_DTW && done; metric++)
        if (all_have[metric])
            done = bench_one(options, states, (enum metric)metric);
    free(states);
    return done ? EXIT_DONE : EXIT_WRONG;
}

const struct command command_bench = {
    .name = "bench",
    .title = "einspul bench",
    .summary = "measure probing",
    .synopsis = "[MATERIAL…] [OPTION…]",
    .help =
        "Probes random positions of the tables named, of all without; every table is as likely.\n"
        "Prints a header, then a line a pass: metric, threads, cold or warm cache, probes,\n"
        "seconds, probes per second. Captures are resolved, king runs and colours are random.",
    .takes = " json probes seed ",
    .most_arguments = -1,
    .run = run,
};
