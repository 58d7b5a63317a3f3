/* How much room tables take, against a baseline, and what coding them with a model costs. */
#include "bench/arguments.h"
#include "bench/baseline.h"
#include "bench/measure.h"

#include "core/random.h"
#include "gen/run/generate.h"
#include "table/table_compress.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char help[] =
    "bench_sizes [OPTION…]\n"
    "\n"
    "Measures how much room a folder of tables takes and prints a table of figures. README.md\n"
    "tells what each column is. The baseline takes long: some minutes for four pieces.\n"
    "\n"
    "  --tables DIR      default: data/tables\n"
    "  --rules NAME      default: frisian\n"
    "  --pieces N        tables of 2 to N pieces (default: 4)\n"
    "  --compressed      code copies of the tables with a model, and measure those besides\n"
    "  --json            a JSON object a row\n";

struct options {
    struct rules rules;
    const char *folder;
    int pieces;
    bool compressed;
    bool json;
};

/* Figures of a table, or of all of a metric. */
struct figures {
    uint64_t n_placements; /* indices of all sides */
    uint64_t n_stored;
    uint64_t file_bytes, coded_bytes, baseline_bytes;
    double coding_seconds;
    double *decoding; /* by block of the table that was decoded: microseconds */
    size_t n_blocks;
};

/* --- measuring -------------------------------------------------------------------------------- */

/* Decodes all blocks of a table in random order, in this thread's time on a processor. */
static void time_blocks(const struct table *table, struct figures *figures)
{
    const size_t n = (size_t)table_header(table)->n_blocks;
    uint64_t *order = malloc(n * sizeof *order);
    uint64_t random = 1;
    einspul_error error;

    figures->n_blocks = n;
    figures->decoding = malloc(n * sizeof *figures->decoding);
    if (order == NULL || figures->decoding == NULL)
        give_up_text("not enough memory");
    for (size_t i = 0; i < n; i++) {
        const size_t other = (size_t)(random_next(&random) % (i + 1));
        order[i] = order[other];
        order[other] = i;
    }
    for (size_t i = 0; i < n; i++) {
        struct block *block = NULL;
        const double begin = seconds_thread();
        must(table_decode_block(table, order[i], &block, &error), &error);
        figures->decoding[i] = 1e6 * (seconds_thread() - begin);
        free(block);
    }
    free(order);
}

/* Codes a copy of a table and measures it. One that would not become smaller stays as it is. */
static void measure_coded(const struct options *options, const struct table *table,
                          einspul_metric metric, struct figures *figures)
{
    const char *place = getenv("TMPDIR");
    char path[512];
    struct table *coded = NULL;
    einspul_error error;

    snprintf(path, sizeof path, "%s/einspul-bench-XXXXXX", place == NULL ? "/tmp" : place);
    const int file = mkstemp(path);
    if (file < 0)
        give_up_text("cannot make a temporary file");
    close(file);
    const double begin = seconds_process();
    must(table_compress(table, &options->rules, COMPRESS_PLAIN, path, 1, &figures->coded_bytes,
                        &error),
         &error);
    figures->coding_seconds = seconds_process() - begin;
    if (figures->coded_bytes < figures->file_bytes) {
        const struct table_id id = {&options->rules, table_shape(table)->material, metric};
        must(table_open(path, id, &file_io_read, &coded, &error), &error);
        if (table_header(coded)->value_hash != table_header(table)->value_hash)
            give_up_text("other values than before");
    }
    time_blocks(coded == NULL ? table : coded, figures);
    table_close(coded);
    unlink(path);
}

static void measure(const struct options *options, const struct table *table, einspul_metric metric,
                    struct figures *figures)
{
    const struct shape *shape = table_shape(table);
    einspul_error error;
    *figures = (struct figures){
        .n_placements = shape->n_placements * (uint64_t)shape->n_sides,
        .n_stored = table_header(table)->n_stored[WHITE] + table_header(table)->n_stored[BLACK],
        .file_bytes = table_header(table)->file_size,
    };
    if (options->compressed)
        measure_coded(options, table, metric, figures);
    else
        time_blocks(table, figures);
    must(baseline_bytes(table, &options->rules, &figures->baseline_bytes, &error), &error);
}

/* --- rows ------------------------------------------------------------------------------------- */

static void add_figures(struct figures *sum, const struct figures *figures)
{
    const size_t n = sum->n_blocks + figures->n_blocks;
    sum->n_placements += figures->n_placements;
    sum->n_stored += figures->n_stored;
    sum->file_bytes += figures->file_bytes;
    sum->coded_bytes += figures->coded_bytes;
    sum->baseline_bytes += figures->baseline_bytes;
    sum->coding_seconds += figures->coding_seconds;
    sum->decoding = realloc(sum->decoding, n * sizeof *sum->decoding);
    if (sum->decoding == NULL)
        give_up_text("not enough memory");
    memcpy(sum->decoding + sum->n_blocks, figures->decoding,
           figures->n_blocks * sizeof *figures->decoding);
    sum->n_blocks = n;
}

static double mean(const double *values, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += values[i];
    return sum / (double)n;
}

static void print_figures(const struct options *options, struct rows *rows, const char *name,
                          einspul_metric metric, const struct figures *figures)
{
    const double file = (double)figures->file_bytes;
    const double coded = options->compressed ? (double)figures->coded_bytes : NAN;
    const double baseline = (double)figures->baseline_bytes;
    const double bits = 8.0 / (double)figures->n_stored;
    const double coding = options->compressed ? 1e9 * figures->coding_seconds : NAN;

    rows_text(rows, "material", name);
    rows_text(rows, "metric", metric == EINSPUL_WDL ? "wdl" : "dtw");
    rows_count(rows, "stored", figures->n_stored);
    rows_real(rows, "file", file, 0);
    rows_real(rows, "coded", coded, 0);
    rows_real(rows, "baseline", baseline, 0);
    rows_real(rows, "file:base", file / baseline, 3);
    rows_real(rows, "coded:base", coded / baseline, 3);
    rows_real(rows, "file-bits", file * bits, 4);
    rows_real(rows, "coded-bits", coded * bits, 4);
    rows_real(rows, "base-bits", baseline * bits, 4);
    rows_real(rows, "coding-ns", coding / (double)figures->n_placements, 1);
    rows_real(rows, "mean-us", mean(figures->decoding, figures->n_blocks), 1);
    rows_real(rows, "median-us", at_fraction(figures->decoding, figures->n_blocks, 0.5), 1);
    rows_real(rows, "99%-us", at_fraction(figures->decoding, figures->n_blocks, 0.99), 1);
    rows_real(rows, "most-us", at_fraction(figures->decoding, figures->n_blocks, 1), 1);
    rows_end(rows);
}

static void measure_metric(const struct options *options, einspul_metric metric, struct rows *rows)
{
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, options->pieces, materials);
    struct figures sum = {0};

    for (int i = 0; i < n_materials; i++) {
        char path[4096];
        char name[MATERIAL_NAME_SIZE];
        struct table *table = NULL;
        struct figures figures;
        einspul_error error;
        const struct table_id id = {&options->rules, materials[i], metric};
        must(table_path_below(options->folder, id, path, sizeof path, &error), &error);
        const einspul_status status = table_open(path, id, &file_io_read, &table, &error);
        if (status == EINSPUL_NO_TABLE)
            continue;
        must(status, &error);
        if (!table_is_whole(table))
            give_up_text("a table leaves values out: only whole ones are measured");
        measure(options, table, metric, &figures);
        material_write(&materials[i], name);
        print_figures(options, rows, name, metric, &figures);
        add_figures(&sum, &figures);
        free(figures.decoding);
        table_close(table);
    }
    if (sum.n_blocks > 0)
        print_figures(options, rows, "all", metric, &sum);
    free(sum.decoding);
}

/* --- the program ------------------------------------------------------------------------------ */

/* False when the program is done after --help. */
static bool read_options(struct options *options, int argc, char **argv)
{
    const struct argument known[] = {
        {"--tables", ARGUMENT_TEXT, &options->folder, 0, 0, NULL},
        {"--rules", ARGUMENT_RULES, &options->rules, 0, 0, NULL},
        {"--pieces", ARGUMENT_INT, &options->pieces, 2, MAX_PIECES, NULL},
        {"--compressed", ARGUMENT_FLAG, &options->compressed, 0, 0, NULL},
        {"--json", ARGUMENT_FLAG, &options->json, 0, 0, NULL},
    };
    einspul_error error;
    *options = (struct options){.folder = "data/tables", .pieces = 4};
    must(rules_by_name(&options->rules, "frisian", &error), &error);
    return arguments_read(argc, argv, help, known, sizeof known / sizeof known[0]);
}

int main(int argc, char **argv)
{
    struct options options;
    if (!read_options(&options, argc, argv))
        return 0;
    struct rows rows = {.title = "sizes", .json = options.json};
    measure_metric(&options, EINSPUL_WDL, &rows);
    measure_metric(&options, EINSPUL_DTW, &rows);
    return 0;
}
