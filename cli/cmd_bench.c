/* `einspul bench`: probes of random positions for a few seconds, as a user can run it. */
#include <stdlib.h>

#include "cli/print.h"
#include "cli/tables.h"
#include "core/index.h"
#include "core/random.h"
#include "core/turn.h"

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
    /* Half of them as the other colour sees them. */
    return (random_next(random) & 1) != 0 ? state_turn(&options->rules.board, &state) : state;
}

/* Positions are made and probed in rounds: their number is the user's, memory is not. */
enum { ROUND = 1 << 20 };

struct bench {
    const struct options *options;
    struct shape shapes[MAX_MATERIALS];
    int n_shapes;
    struct state *states; /* of a round */
};

static void fill_round(const struct bench *bench, uint64_t n, uint64_t *random)
{
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t which = random_next(random) % (uint64_t)bench->n_shapes;
        bench->states[i] = random_state(bench->options, &bench->shapes[which], random);
    }
}

static einspul_status probe_round(const struct bench *bench, einspul *handle, uint64_t n,
                                  einspul_metric metric, int n_threads, einspul_error *first_error)
{
    first_error->status = EINSPUL_OK;
#pragma omp parallel for num_threads(n_threads) schedule(static)
    for (uint64_t i = 0; i < n; i++) {
        einspul_error error;
        value_t value;
        const einspul_status status =
            probe_state(handle, &bench->states[i], metric, 0, &value, &error);
        if (status != EINSPUL_OK) {
#pragma omp critical(bench_error)
            *first_error = error;
        }
    }
    return first_error->status;
}

/* Probes the same positions in each pass; returns an exit status. */
static int probe_all(const struct bench *bench, einspul *handle, einspul_metric metric,
                     int n_threads, double *seconds)
{
    uint64_t random = bench->options->seed;
    *seconds = 0.0;
    for (uint64_t first = 0, n; first < own.n_probes; first += n) {
        einspul_error error;
        n = own.n_probes - first;
        n = n < ROUND ? n : ROUND;
        fill_round(bench, n, &random);
        const double began = seconds_now();
        if (probe_round(bench, handle, n, metric, n_threads, &error) != EINSPUL_OK)
            return complain_of(bench->options, NULL, &error);
        *seconds += seconds_now() - began;
    }
    return EXIT_DONE;
}

static int bench_one(const struct bench *bench, einspul_metric metric)
{
    const struct options *options = bench->options;
    const int threads[3] = {1, 1, options->n_threads};
    static const char *const caches[3] = {"cold", "warm", "warm"};
    einspul *handle = NULL;
    int status = tables_open(options, options->rules.name, LARGE_CACHE, &handle);

    for (int pass = 0; pass < 3 && status == EXIT_DONE && output_works(); pass++) {
        double seconds = 0.0;
        if (pass == 2 && options->n_threads == 1)
            break;
        status = probe_all(bench, handle, metric, threads[pass], &seconds);
        if (status != EXIT_DONE)
            break;
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
    int status = EXIT_DONE;
    const int n_requests = tables_requested(options, handle, TABLES_ALL, requests);
    if (n_requests <= 0)
        return EXIT_WRONG;

    for (int i = 0; i < n_requests; i++)
        metrics &= requests[i].metrics;
    if (metrics == 0)
        return complain(options, "neither all .wdl nor all .dtw files are there");
    static struct bench bench; /* too large for some stacks */
    bench = (struct bench){.options = options, .n_shapes = n_requests};
    bench.states = malloc((size_t)ROUND * sizeof *bench.states);
    if (bench.states == NULL)
        return complain(options, "no memory for %d positions", ROUND);
    for (int i = 0; i < n_requests; i++)
        shape_init(&bench.shapes[i], &options->rules, &requests[i].material);
    row_header("metric\tthreads\tcache\tprobes\tseconds\tprobes-per-second");
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW && status == EXIT_DONE; metric++)
        if ((metrics & (unsigned)metric) != 0)
            status = bench_one(&bench, (einspul_metric)metric);
    free(bench.states);
    return status;
}

const struct command command_bench = {
    .name = "bench",
    .summary = "measure probing",
    .synopsis = "[MATERIAL…] [OPTION…]",
    .help =
        "Probes random positions of the named tables, by default of all; every table is equally\n"
        "likely. Prints a header, then a line per pass: metric, threads, cold or warm cache,\n"
        "probes, seconds, probes per second. Captures are resolved; king runs and colours are\n"
        "random.",
    .takes = TAKES_TABLES | TAKES_JSON | TAKES_SEED,
    .own = own_options,
    .most_arguments = -1,
    .run_on_tables = run,
    .cache_bytes = SMALL_CACHE,
};
