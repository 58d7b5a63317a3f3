/* `einspul bench`: probes of random positions for a few seconds, as a user can run it. */
#include <stdlib.h>

#include "cli/print.h"
#include "cli/tables.h"
#include "core/program/flip.h"
#include "core/program/index.h"
#include "core/program/random.h"
#include "probe/position.h"

static struct {
    uint64_t n_probes;
} own = {.n_probes = 1000000};

static const struct option_row own_options[] = {
    {"probes", "N", "positions to probe (default: 1000000)", COUNT(&own.n_probes, 1, 1000000000)},
    {0},
};

/* A random possible state of a material, with random king runs. */
static struct state random_state(const struct options *options, const struct shape *shape,
                                 uint64_t *random)
{
    struct state state = {0};
    for (;;) {
        const enum side side = (random_next(random) & 1) != 0 ? BLACK : WHITE;
        if (shape_unrank(shape, random_next(random) % shape->n_placements, side, &state.at))
            break;
    }
    for (int side = WHITE; side <= BLACK; side++)
        state.run[side] = run_from_index(
            state.at.kings[side], (int)(random_next(random) % (uint64_t)shape->n_runs[side]));
    /* Half of them with colours swapped. */
    return (random_next(random) & 1) != 0 ? state_flip(&options->rules.board, &state) : state;
}

/* Positions are probed repeatedly, so memory use does not depend on the number of probes. */
enum { N_POSITIONS = 1 << 20 };

/* Random positions of the requested tables; NULL without memory. */
static einspul_position *make_positions(const struct options *options,
                                        const struct table_request *requests, int n_requests)
{
    static struct shape shapes[MAX_MATERIALS]; /* static: too large for the stack */
    uint64_t random = options->seed;
    einspul_position *positions = malloc((size_t)N_POSITIONS * sizeof *positions);
    for (int i = 0; i < n_requests; i++)
        shape_init(&shapes[i], &options->rules, &requests[i].material);
    for (uint64_t i = 0; positions != NULL && i < own.n_probes && i < N_POSITIONS; i++) {
        const struct state state =
            random_state(options, &shapes[random_next(&random) % (uint64_t)n_requests], &random);
        probe_position_from_state(&state, &positions[i]);
    }
    return positions;
}

static einspul_status probe_all(einspul *handle, const einspul_position *positions,
                                einspul_metric metric, int n_threads, einspul_error *first_error)
{
    first_error->status = EINSPUL_OK;
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint64_t i = 0; i < own.n_probes; i++) {
        einspul_error error;
        int plies = -1;
        if (einspul_probe(handle, &positions[i % N_POSITIONS], 0, NULL,
                          metric == EINSPUL_DTW ? &plies : NULL, &error) != EINSPUL_OK) {
#pragma omp critical(bench_error)
            *first_error = error;
        }
    }
    return first_error->status;
}

/* Probes the same positions in each pass; returns an exit status. */
static int bench_one(const struct options *options, const einspul_position *positions,
                     einspul_metric metric)
{
    const int threads[3] = {1, 1, options->n_threads};
    static const char *const caches[3] = {"cold", "warm", "warm"};
    const int n_passes = options->n_threads == 1 ? 2 : 3;
    einspul *handle = NULL;
    int status = tables_open(options, options->rules.name, LARGE_CACHE, &handle);
    for (int pass = 0; pass < n_passes && status == EXIT_OK && output_ok(); pass++) {
        einspul_error error;
        const double began = seconds_now();
        if (probe_all(handle, positions, metric, threads[pass], &error) != EINSPUL_OK) {
            status = command_error(options, NULL, &error);
            break;
        }
        const double seconds = seconds_now() - began;
        row_text("metric", metric_suffix(metric));
        row_count("threads", (uint64_t)threads[pass]);
        row_text("cache", caches[pass]);
        row_count("probes", own.n_probes);
        row_real("seconds", seconds);
        row_count("probes-per-second",
                  seconds > 0.0 ? (uint64_t)((double)own.n_probes / seconds) : 0);
        row_end();
        output_flush();
    }
    einspul_close(handle);
    return status;
}

static int run(const struct options *options, einspul *handle)
{
    struct table_request requests[MAX_MATERIALS];
    unsigned metrics = METRICS_BOTH; /* that all have */
    int status = EXIT_OK;
    const int n_requests = tables_requested(options, handle, TABLES_ALL, requests);
    if (n_requests <= 0)
        return EXIT_USAGE;

    for (int i = 0; i < n_requests; i++)
        metrics &= requests[i].metrics;
    if (metrics == 0)
        return command_message(options,
                               "some of these materials lack .wdl files and some lack .dtw "
                               "files; name materials that have the same");
    einspul_position *positions = make_positions(options, requests, n_requests);
    if (positions == NULL)
        return command_message(options, "not enough memory for %d positions", N_POSITIONS);
    row_header("metric\tthreads\tcache\tprobes\tseconds\tprobes-per-second");
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW && status == EXIT_OK; metric++)
        if ((metrics & (unsigned)metric) != 0)
            status = bench_one(options, positions, (einspul_metric)metric);
    free(positions);
    return status;
}

const struct command command_bench = {
    .name = "bench",
    .group = COMMAND_TESTS,
    .summary = "measure the speed of probing",
    .synopsis = "[MATERIAL…] [OPTION…]",
    .about = "Probe random positions in the named tables, by default in all, and print the\n"
             "speed. Each probe chooses one of the tables with equal probability.",
    .details = "In some positions, the side to move must capture; a probe resolves this by\n"
               "making the captures. The king runs, and which colour has which pieces, are\n"
               "random.\n"
               "\n"
               "For each metric, the positions are probed by one thread with a cold (empty)\n"
               "cache, by one thread with a warm (filled) cache, and, if --threads is above 1,\n"
               "by all threads. Output: one line each time, with metric, threads, cold or warm,\n"
               "probes, seconds, and probes per second.",
    .examples = "  einspul bench\n"
                "  einspul bench KMvK --probes 100000",
    .takes = TAKES_TABLES | TAKES_THREADS | TAKES_JSON | TAKES_SEED,
    .own = own_options,
    .max_arguments = -1,
    .run_on_tables = run,
    .cache_bytes = SMALL_CACHE,
};
