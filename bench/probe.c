/* Benchmarks probing: warm probes, decoding of blocks, opening. */
#include "bench/arguments.h"
#include "bench/measure.h"
#include "core/program/materials.h"
#include "table/table_block.h"

#include "core/program/flip.h"
#include "core/program/index.h"
#include "core/program/random.h"
#include "core/rank.h"
#include "probe/position.h"
#include "probe/program_handle.h"
#include "table/table_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_REPEATS = 15,
    N_OPENINGS = 51,
    N_COLD_BLOCKS = 4000,
    N_WARM_UP = 200,
    KEPT_BLOCKS = 64,
    N_TIMED_CALLS = 1000000,
    PART = 1024 /* positions per batch */
};

static const char help[] =
    "bench_probe [OPTION…]\n"
    "\n"
    "Benchmarks probing a folder of tables. bench/README.md explains the printed tables.\n"
    "\n"
    "  --tables DIR      default: data/tables\n"
    "  --rules NAME      default: frisian\n"
    "  --pieces N[-M]    random positions of N pieces, or of N to M (default: 4)\n"
    "  --metric M        wdl, dtw or both (default: both)\n"
    "  --probes N        positions (default: 1000000)\n"
    "  --threads N       compared with one thread (default: 2; 1: no comparison)\n"
    "  --cache MIB       size of the block cache (default: 4096)\n"
    "  --seed S          seed of the random positions (default: 1)\n"
    "  --repeat N        repetitions, of which the median is printed (default: 5)\n"
    "  --against DIR     compare all answers with those of other tables, without timing\n"
    "  --json            print one JSON object per row\n";

struct options {
    struct rules rules;
    const char *folder;
    const char *against;           /* NULL: measure */
    int fewest, most;              /* pieces */
    bool metrics[EINSPUL_DTW + 1]; /* which ones to measure */
    uint64_t n_probes;
    int n_threads;
    uint64_t cache_mib;
    uint64_t seed;
    int n_repeats;
    bool json;
};

/* The materials that positions are drawn from; every position is equally likely. */
struct pool {
    int n;
    struct material materials[MAX_MATERIALS];
    struct shape shapes[MAX_MATERIALS];
    uint64_t before[MAX_MATERIALS + 1]; /* placement indices in the materials before, both sides */
};

struct positions {
    uint64_t n;
    uint64_t n_captures; /* of them */
    einspul_position *position;
};

static void must_public(einspul_status status, const einspul_error *error)
{
    if (status != EINSPUL_OK)
        give_up_text(error->text);
}

static einspul *open_tables(const struct options *options, const char *const *folder)
{
    einspul_error error;
    einspul *handle = NULL;
    must_public(
        probe_open(folder, 1, options->rules.name, options->cache_mib << 20, &handle, &error),
        &error);
    return handle;
}

/* --- positions -------------------------------------------------------------------------------- */

static void pool_fill(struct pool *pool, const struct options *options)
{
    pool->n = material_list(options->fewest, options->most, pool->materials);
    pool->before[0] = 0;
    for (int i = 0; i < pool->n; i++) {
        shape_init(&pool->shapes[i], &options->rules, &pool->materials[i]);
        pool->before[i + 1] = pool->before[i] + 2 * pool->shapes[i].n_placements;
    }
}

/* A random state with random king runs, captures included, of either colour. */
static struct state random_state(const struct options *options, const struct pool *pool,
                                 uint64_t *random)
{
    struct state state = {0};
    int which;
    for (;;) {
        const uint64_t number = random_next(random) % pool->before[pool->n];
        which = 0;
        while (number >= pool->before[which + 1])
            which++;
        const uint64_t index = number - pool->before[which];
        if (shape_unrank(&pool->shapes[which], index / 2, index % 2 == 0 ? WHITE : BLACK,
                         &state.at))
            break;
    }
    for (int side = WHITE; side <= BLACK; side++)
        state.run[side] =
            run_from_index(state.at.kings[side],
                           (int)(random_next(random) % (uint64_t)pool->shapes[which].n_runs[side]));
    return random_next(random) % 2 == 0 ? state : state_flip(&options->rules.board, &state);
}

static void positions_make(struct positions *positions, const struct options *options,
                           const struct pool *pool)
{
    uint64_t random = options->seed;
    positions->n = options->n_probes;
    positions->n_captures = 0;
    positions->position = calloc(positions->n, sizeof *positions->position);
    if (positions->position == NULL)
        give_up_text("not enough memory for the positions");
    for (uint64_t i = 0; i < positions->n; i++) {
        const struct state state = random_state(options, pool, &random);
        einspul_position *position = &positions->position[i];
        for (int side = WHITE; side <= BLACK; side++) {
            position->men[side] = state.at.men[side];
            position->kings[side] = state.at.kings[side];
            position->run_count[side] = state.run[side].count;
            position->run_square[side] =
                (uint8_t)(state.run[side].count > 0 ? state.run[side].square + 1 : 0);
        }
        position->side = (uint8_t)state.at.side;
        if (placement_has_capture(&options->rules, &state.at))
            positions->n_captures++;
    }
}

/* --- warm probes ------------------------------------------------------------------------------ */

/* Probes positions `first` .. `first` + `n` - 1 one by one. Returns a sum of the answers, so that
 * the compiler cannot drop the probes. */
static int64_t probe_singly(einspul *handle, const struct positions *positions, uint64_t first,
                            uint64_t n, bool distances)
{
    int64_t sum = 0;
    for (uint64_t i = first; i < first + n; i++) {
        const einspul_position *position = &positions->position[i];
        einspul_outcome outcome = EINSPUL_DRAW;
        einspul_error error;
        int plies = 0;
        const einspul_status status =
            distances ? einspul_probe(handle, position, 0, &outcome, &plies, &error)
                      : einspul_probe(handle, position, 0, &outcome, NULL, &error);
        must_public(status, &error);
        sum += (int)outcome + plies;
    }
    return sum;
}

/* Like probe_singly, but in one call. */
static int64_t probe_batch(einspul *handle, const struct positions *positions, uint64_t first,
                           uint64_t n, bool distances)
{
    const einspul_position *position = &positions->position[first];
    einspul_outcome outcomes[PART];
    int plies[PART] = {0};
    int64_t sum = 0;
    if (einspul_probe_many(handle, position, n, 0, outcomes, distances ? plies : NULL, NULL) != n)
        give_up_text("the tables do not answer all positions");
    for (uint64_t i = 0; i < n; i++)
        sum += (int)outcomes[i] + plies[i];
    return sum;
}

static int64_t probe_all(einspul *handle, const struct positions *positions, bool distances,
                         bool batch, int n_threads)
{
    const int64_t n_parts = (int64_t)((positions->n + PART - 1) / PART);
    int64_t sum = 0;

#pragma omp parallel for num_threads(n_threads) schedule(static) reduction(+ : sum)
    for (int64_t part = 0; part < n_parts; part++) {
        const uint64_t first = (uint64_t)part * PART;
        const uint64_t n = positions->n - first < PART ? positions->n - first : PART;
        sum += batch ? probe_batch(handle, positions, first, n, distances)
                     : probe_singly(handle, positions, first, n, distances);
    }
    return sum;
}

/* Passes over the positions with all blocks decoded; returns the median of their seconds. */
static double warm_passes(const struct options *options, einspul *handle,
                          const struct positions *positions, int64_t sum, bool distances,
                          bool batch, int n_threads, struct rows *rows)
{
    double seconds[MAX_REPEATS];
    double processor[MAX_REPEATS];
    for (int repeat = 0; repeat < options->n_repeats; repeat++) {
        const double start = seconds_wall();
        const double processor_start = seconds_process();
        if (probe_all(handle, positions, distances, batch, n_threads) != sum)
            give_up_text("the answers are not always the same");
        seconds[repeat] = seconds_wall() - start;
        processor[repeat] = seconds_process() - processor_start;
    }
    const double median = quantile(seconds, (size_t)options->n_repeats, 0.5);
    const double median_processor = quantile(processor, (size_t)options->n_repeats, 0.5);
    rows_text(rows, "metric", distances ? "dtw" : "wdl");
    rows_text(rows, "calls", batch ? "batch" : "single");
    rows_count(rows, "threads", (uint64_t)n_threads);
    rows_count(rows, "positions", positions->n);
    rows_real(rows, "captures-%", 100.0 * (double)positions->n_captures / (double)positions->n, 1);
    rows_real(rows, "warm-M/s", (double)positions->n / median * 1e-6, 3);
    rows_real(rows, "best-M/s", (double)positions->n / seconds[0] * 1e-6, 3);
    rows_real(rows, "core-M/s", (double)positions->n / median_processor * 1e-6, 3);
    return median;
}

static void warm_probes(const struct options *options, const struct positions *positions)
{
    struct rows rows = {.title = "probes", .json = options->json};
    const int n_thread_counts = options->n_threads > 1 ? 2 : 1;

    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
        const bool distances = metric == EINSPUL_DTW;
        if (!options->metrics[metric])
            continue;
        einspul *handle = open_tables(options, &options->folder);
        struct probe_counters counters;
        const double begin = seconds_wall();
        const int64_t sum = probe_all(handle, positions, distances, false, 1);
        const double first = seconds_wall() - begin;
        for (int batch = 0; batch < 2; batch++) {
            double one_thread = NAN;
            for (int i = 0; i < n_thread_counts; i++) {
                const double seconds =
                    warm_passes(options, handle, positions, sum, distances, batch != 0,
                                i == 0 ? 1 : options->n_threads, &rows);
                if (i == 0)
                    one_thread = seconds;
                probe_count(handle, &counters);
                rows_real(&rows, "scaling", one_thread / seconds, 2);
                rows_real(&rows, "first-M/s", (double)positions->n / first * 1e-6, 3);
                rows_count(&rows, "blocks", counters.decoded_blocks);
                rows_real(&rows, "cache-MiB", (double)counters.cached_bytes / 0x1p20, 1);
                rows_end(&rows);
            }
        }
        einspul_close(handle);
    }
}

/* --- refused probes --------------------------------------------------------------------------- */

/* Times probes of a position that the tables cannot answer, the most common case in a search.
 * Prints nothing if the position has an answer. */
static void refused_probes(const struct options *options, einspul *handle, const char *what,
                           const einspul_position *position, struct rows *rows)
{
    double seconds[MAX_REPEATS];
    if (einspul_probe(handle, position, 0, NULL, NULL, NULL) == EINSPUL_OK)
        return;
    for (int repeat = 0; repeat < options->n_repeats; repeat++) {
        const double start = seconds_thread();
        for (int i = 0; i < N_TIMED_CALLS; i++)
            if (einspul_probe(handle, position, EINSPUL_CACHE_ONLY, NULL, NULL, NULL) == EINSPUL_OK)
                give_up_text("the answers are not always the same");
        seconds[repeat] = seconds_thread() - start;
    }
    rows_text(rows, "why", what);
    rows_count(rows, "probes", N_TIMED_CALLS);
    rows_real(rows, "ns", 1e9 * quantile(seconds, (size_t)options->n_repeats, 0.5) / N_TIMED_CALLS,
              1);
    rows_end(rows);
}

/* Positions of men without captures: 4 v 4, whose table is usually missing, and 10 v 10, which is
 * beyond any table. */
static void refusals(const struct options *options)
{
    struct rows rows = {.title = "refused", .json = options->json};
    const squares_t all = options->rules.board.all;
    const int n_squares = options->rules.board.n_squares;
    einspul *handle = open_tables(options, &options->folder);
    for (int n = 4; n <= 10; n += 6) {
        const squares_t men = square_bit(n) - 1;
        const einspul_position position = {.men = {all & ~(all >> n), men}};
        if (2 * n < n_squares)
            refused_probes(options, handle, n == 4 ? "no table" : "too many pieces", &position,
                           &rows);
    }
    einspul_close(handle);
}

/* Times einspul_advance for a king move. */
static void advances(const struct options *options)
{
    struct rows rows = {.title = "advance", .json = options->json};
    const char *rules = options->rules.name;
    const einspul_position before = {.men = {(uint64_t)1 << 29, 1 << 8},
                                     .kings = {1 << 15, 1 << 20}};
    double seconds[MAX_REPEATS];
    unsigned sum = 0;
    for (int repeat = 0; repeat < options->n_repeats; repeat++) {
        const double start = seconds_thread();
        for (int i = 0; i < N_TIMED_CALLS; i++) {
            einspul_position after = before;
            after.kings[0] = (uint64_t)1 << 10;
            after.side = EINSPUL_BLACK;
            einspul_advance(rules, &before, 16, 11, 0, &after);
            sum += after.run_count[0];
        }
        seconds[repeat] = seconds_thread() - start;
    }
    rows_count(&rows, "moves", N_TIMED_CALLS);
    rows_count(&rows, "runs", sum);
    rows_real(&rows, "ns", 1e9 * quantile(seconds, (size_t)options->n_repeats, 0.5) / N_TIMED_CALLS,
              1);
    rows_end(&rows);
}

/* --- cold blocks ------------------------------------------------------------------------------ */

/* Decodes random blocks of the pool's tables, bypassing the block cache. The files are mostly in
 * the page cache by then, so this measures decoding. */
static void cold_blocks(const struct options *options, const struct pool *pool,
                        einspul_metric metric, struct rows *rows)
{
    const struct table *tables[MAX_MATERIALS];
    uint64_t before[MAX_MATERIALS + 1] = {0};
    struct block *kept[KEPT_BLOCKS] = {NULL};
    einspul_error error;
    uint64_t random = options->seed;
    uint64_t n_bytes = 0;
    einspul *handle = open_tables(options, &options->folder);
    double *seconds = calloc(N_COLD_BLOCKS, sizeof *seconds);

    if (seconds == NULL)
        give_up_text("not enough memory");
    for (int i = 0; i < pool->n; i++) {
        check_status(probe_table(handle, &pool->materials[i], metric, &tables[i], &error), &error);
        before[i + 1] = before[i] + tables[i]->header.n_blocks;
    }
    for (int i = -N_WARM_UP; i < N_COLD_BLOCKS; i++) {
        const uint64_t number = random_next(&random) % before[pool->n];
        int which = 0;
        while (number >= before[which + 1])
            which++;
        /* Keep recent blocks allocated; otherwise malloc returns cache-warm memory. */
        struct block **place = &kept[(unsigned)(i + N_WARM_UP) % KEPT_BLOCKS];
        free(*place);
        *place = NULL;
        const double begin = seconds_thread();
        const uint64_t n_places = tables[which]->header.block_placements;
        const uint32_t wanted = (uint32_t)(random_next(&random) % n_places);
        check_status(
            table_decode_block(tables[which], number - before[which], wanted, place, &error),
            &error);
        if (i < 0)
            continue;
        seconds[i] = 1e6 * (seconds_thread() - begin);
        n_bytes += (*place)->n_bytes;
    }
    rows_text(rows, "metric", metric == EINSPUL_WDL ? "wdl" : "dtw");
    rows_count(rows, "blocks", before[pool->n]);
    rows_count(rows, "decoded", N_COLD_BLOCKS);
    rows_real(rows, "KiB-a-block", (double)n_bytes / N_COLD_BLOCKS / 1024.0, 1);
    rows_real(rows, "median-us", quantile(seconds, N_COLD_BLOCKS, 0.5), 1);
    rows_real(rows, "99%-us", quantile(seconds, N_COLD_BLOCKS, 0.99), 1);
    rows_real(rows, "most-us", quantile(seconds, N_COLD_BLOCKS, 1.0), 1);
    rows_end(rows);
    for (int i = 0; i < KEPT_BLOCKS; i++)
        free(kept[i]);
    einspul_close(handle);
    free(seconds);
}

/* --- opening ---------------------------------------------------------------------------------- */

/* Opens every table; returns the number of files. */
static uint64_t open_all(einspul *handle)
{
    einspul_table_info tables[MAX_MATERIALS];
    const size_t n = einspul_list(handle, tables, MAX_MATERIALS);
    uint64_t n_files = 0;
    for (size_t i = 0; i < n; i++) {
        const bool there[] = {tables[i].has_wdl != 0, tables[i].has_dtw != 0};
        for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
            struct material material;
            const struct table *table = NULL;
            einspul_error error;
            if (!there[metric - 1])
                continue;
            check_status(material_read(tables[i].material, &material, &error), &error);
            check_status(probe_table(handle, &material, (einspul_metric)metric, &table, &error),
                         &error);
            n_files++;
        }
    }
    return n_files;
}

/* Times opening a handle: alone, with the first probe, which opens its table, and with all
 * tables. */
static void openings(const struct options *options, const struct positions *positions)
{
    struct rows rows = {.title = "open", .json = options->json};
    double opened[N_OPENINGS];
    double answered[N_OPENINGS];
    double all[N_OPENINGS];
    uint64_t n_files = 0;

    for (int i = 0; i < N_OPENINGS; i++) {
        einspul_outcome outcome;
        einspul_error error;
        const double begin = seconds_wall();
        einspul *handle = open_tables(options, &options->folder);
        opened[i] = 1e3 * (seconds_wall() - begin);
        must_public(einspul_probe(handle, &positions->position[(uint64_t)i % positions->n], 0,
                                  &outcome, NULL, &error),
                    &error);
        answered[i] = 1e3 * (seconds_wall() - begin);
        n_files = open_all(handle);
        all[i] = 1e3 * (seconds_wall() - begin);
        einspul_close(handle);
    }
    rows_count(&rows, "files", n_files);
    rows_count(&rows, "times", N_OPENINGS);
    rows_real(&rows, "median-ms", quantile(opened, N_OPENINGS, 0.5), 3);
    rows_real(&rows, "most-ms", quantile(opened, N_OPENINGS, 1.0), 3);
    rows_real(&rows, "first-answer-ms", quantile(answered, N_OPENINGS, 0.5), 3);
    rows_real(&rows, "all-tables-ms", quantile(all, N_OPENINGS, 0.5), 3);
    rows_end(&rows);
}

/* --- the program ------------------------------------------------------------------------------ */

static void read_metric(void *to, const char *name)
{
    struct options *options = to;
    const bool both = strcmp(name, "both") == 0;
    options->metrics[EINSPUL_WDL] = both || strcmp(name, "wdl") == 0;
    options->metrics[EINSPUL_DTW] = both || strcmp(name, "dtw") == 0;
    if (!options->metrics[EINSPUL_WDL] && !options->metrics[EINSPUL_DTW])
        give_up_text("--metric takes wdl, dtw or both");
}

/* Reads a number of pieces, or a range with '-'. */
static void read_pieces(void *to, const char *text)
{
    struct options *options = to;
    const bool range = strlen(text) == 3 && text[1] == '-';
    options->fewest = text[0] - '0';
    options->most = text[range ? 2 : 0] - '0';
    if ((!range && strlen(text) != 1) || options->fewest < 2 || options->most > MAX_PIECES ||
        options->fewest > options->most)
        give_up_text("--pieces takes a number from 2 to 8, or two of them as 4-5");
}

/* --- comparing -------------------------------------------------------------------------------- */

/* Probes the positions in two folders, in batches and one by one; returns the number of
 * differences. */
static uint64_t count_differences(einspul *const handles[2], const struct positions *positions,
                                  einspul_metric metric, int n_threads)
{
    const bool distances = metric == EINSPUL_DTW;
    uint64_t n_different = 0;
#pragma omp parallel for num_threads(n_threads) schedule(static) reduction(+ : n_different)
    for (int64_t i = 0; i < (int64_t)positions->n; i++) {
        const int64_t sum = probe_singly(handles[0], positions, (uint64_t)i, 1, distances);
        n_different += sum != probe_singly(handles[1], positions, (uint64_t)i, 1, distances) ||
                       sum != probe_batch(handles[1], positions, (uint64_t)i, 1, distances);
    }
    return n_different;
}

/* Returns true if all answers are equal. */
static bool compare(const struct options *options, const struct positions *positions)
{
    einspul *const handles[2] = {open_tables(options, &options->folder),
                                 open_tables(options, &options->against)};
    struct rows rows = {.title = "against", .json = options->json};
    uint64_t n_different = 0;
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
        if (!options->metrics[metric])
            continue;
        const uint64_t n =
            count_differences(handles, positions, (einspul_metric)metric, options->n_threads);
        rows_text(&rows, "metric", metric == EINSPUL_DTW ? "dtw" : "wdl");
        rows_count(&rows, "positions", positions->n);
        rows_count(&rows, "different", n);
        rows_end(&rows);
        n_different += n;
    }
    einspul_close(handles[0]);
    einspul_close(handles[1]);
    return n_different == 0;
}

/* Returns false after --help. */
static bool read_options(struct options *options, int argc, char **argv)
{
    const struct argument known[] = {
        {"--tables", ARGUMENT_TEXT, &options->folder, 0, 0, NULL},
        {"--rules", ARGUMENT_RULES, &options->rules, 0, 0, NULL},
        {"--pieces", ARGUMENT_OTHER, options, 0, 0, read_pieces},
        {"--metric", ARGUMENT_OTHER, options, 0, 0, read_metric},
        {"--probes", ARGUMENT_COUNT, &options->n_probes, 1, 1000000000, NULL},
        {"--threads", ARGUMENT_INT, &options->n_threads, 1, 1024, NULL},
        {"--cache", ARGUMENT_COUNT, &options->cache_mib, 0, 1 << 20, NULL},
        {"--seed", ARGUMENT_COUNT, &options->seed, 0, UINT64_MAX, NULL},
        {"--repeat", ARGUMENT_INT, &options->n_repeats, 1, MAX_REPEATS, NULL},
        {"--against", ARGUMENT_TEXT, &options->against, 0, 0, NULL},
        {"--json", ARGUMENT_FLAG, &options->json, 0, 0, NULL},
    };
    einspul_error error;
    *options = (struct options){.folder = "data/tables",
                                .fewest = 4,
                                .most = 4,
                                .metrics = {[EINSPUL_WDL] = true, [EINSPUL_DTW] = true},
                                .n_probes = 1000000,
                                .n_threads = 2,
                                .cache_mib = 4096,
                                .seed = 1,
                                .n_repeats = 5};
    check_status(rules_by_name(&options->rules, "frisian", &error), &error);
    return arguments_read(argc, argv, help, known, sizeof known / sizeof known[0]);
}

int main(int argc, char **argv)
{
    static struct pool pool;
    struct options options;
    struct positions positions;

    if (!read_options(&options, argc, argv))
        return 0;
    pool_fill(&pool, &options);
    positions_make(&positions, &options, &pool);
    if (options.against != NULL) {
        const bool same = compare(&options, &positions);
        free(positions.position);
        return same ? 0 : 1;
    }
    openings(&options, &positions);
    warm_probes(&options, &positions);
    refusals(&options);
    advances(&options);
    struct rows rows = {.title = "cold", .json = options.json};
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++)
        if (options.metrics[metric])
            cold_blocks(&options, &pool, (einspul_metric)metric, &rows);
    free(positions.position);
    return 0;
}
