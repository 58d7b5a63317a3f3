/* `einspul compress`: tables rewritten, a table for each thread, under the lock of their folder. */
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/tables.h"
#include "core/program/materials.h"
#include "core/program/os_write.h"
#include "core/program/text.h"
#include "gen/run/folder.h"
#include "gen/run/limits.h"
#include "probe/program_handle.h"
#include "table/table_open.h"
#include "table/write/table_compress.h"

static struct {
    bool whole;
    bool smallest;
} own;

static const struct option_row own_options[] = {
    {"whole", NULL, "store every value", FLAG(&own.whole)},
    {"smallest", NULL, "omit more values, for archives", FLAG(&own.smallest)},
    {0},
};

/* True if all tables that a material leads to exist, because omitted values are recomputed from
 * them. A table that cannot be opened at the moment is an error, since it may exist. */
static einspul_status leads_to_tables(einspul *handle, const struct material *material,
                                      einspul_metric metric, bool *leads, einspul_error *error)
{
    struct material list[MAX_MATERIALS];
    const int n = material_closure(material, list);
    *leads = true;
    for (int i = 0; i < n; i++) {
        const struct table *table = NULL;
        const einspul_status status = probe_table(handle, &list[i], metric, &table, error);
        if (status == EINSPUL_OK)
            continue;
        if (status != EINSPUL_NO_TABLE && status != EINSPUL_NO_METRIC && !status_is_damage(status))
            return status;
        *leads = false;
    }
    return EINSPUL_OK;
}

/* Tables compressed with a different set of omitted values: they cannot be recompressed, because
 * the omitted values are not in the file. */
static char others[160];

static void print_sizes(const struct material *material, einspul_metric metric, uint64_t before,
                        uint64_t after)
{
    row_table(material, metric);
    row_count("before", before);
    row_count("after", after);
    row_end();
}

/* Tables that are stopped together are reported once. */
static int report_failure(const struct options *options, einspul_error *error)
{
    static bool stopped;
    if (error->status == EINSPUL_STOPPED) {
        if (stopped)
            return EXIT_FAILED;
        stopped = true;
        error_set(error, EINSPUL_STOPPED, "stopped; run the same command again to continue");
    }
    return command_error(options, NULL, error);
}

static int compress_one(const struct options *options, einspul *handle,
                        const struct material *material, einspul_metric metric, struct watch *watch)
{
    const struct table *table = NULL;
    einspul_error error;
    uint64_t after = 0;
    bool leads = false;
    if ((options->metrics & (unsigned)metric) == 0)
        return EXIT_OK;
    einspul_status status = probe_table(handle, material, metric, &table, &error);
    if (status == EINSPUL_OK)
        status = leads_to_tables(handle, material, metric, &leads, &error);
    const enum compress_form form = !leads || own.whole ? COMPRESS_WHOLE
                                    : own.smallest      ? COMPRESS_SMALLEST
                                                        : COMPRESS_DEFAULT;
    if (status == EINSPUL_OK && form != COMPRESS_WHOLE &&
        compress_cannot_convert(table, &options->rules, form)) {
#pragma omp critical(tables_output)
        text_append(others, sizeof others, "%s%s.%s", others[0] == '\0' ? "" : ", ",
                    material_name(material).text, metric_suffix(metric));
        return EXIT_OK;
    }
    if (status == EINSPUL_OK)
        status = table_compress(table, &options->rules, form, table->path, options->n_threads,
                                watch, &after, &error);
    int result = EXIT_OK;
#pragma omp critical(tables_output)
    {
        progress_clear();
        if (status == EINSPUL_OK)
            print_sizes(material, metric, table->header.file_size, after);
        else
            result = report_failure(options, &error);
    }
    return result;
}

/* How many tables are compressed at the same time: one per thread, as far as memory goes. */
static int n_at_once(const struct options *options)
{
    enum { TABLE_MEGABYTES = 200 }; /* for a table of six pieces; most take less */
    const uint64_t n = memory_limit_find(0, options->n_threads).n_bytes / 1000000 / TABLE_MEGABYTES;
    return n < 1 ? 1 : n < (uint64_t)options->n_threads ? (int)n : options->n_threads;
}

/* The work under the folder's lock, so that tables do not change after they were examined. */
static int run_locked(const struct options *options)
{
    einspul *handle = NULL;
    int result = tables_open(options, options->rules.name, SMALL_CACHE, &handle);
    if (result == EXIT_OK)
        result = tables_each(options, handle, TABLES_OWN, "material\tmetric\tbefore\tafter",
                             "compressing", n_at_once(options), compress_one);
    einspul_close(handle);
    if (result != EXIT_OK || others[0] == '\0')
        return result;
    return command_message(
        options,
        "not rewritten: %s. These files omit a different set of values. Delete them, run 'einspul "
        "generate' and compress again, or leave them out of the command",
        others);
}

static int run(const struct options *options)
{
    einspul_error error;
    int lock = -1;
    if (own.whole && own.smallest)
        return command_message(options, "--whole and --smallest cannot be used together");
    if (folder_lock(options->folders[0], &options->rules, &lock, &error) != EINSPUL_OK)
        return command_error(options, NULL, &error);
    const int result = run_locked(options);
    os_close(lock);
    return result;
}

const struct command command_compress = {
    .name = "compress",
    .group = COMMAND_BUILDS,
    .summary = "make tables smaller",
    .synopsis = "[MATERIAL…] [OPTION…]",
    .about = "Rewrite the named tables, by default all, so that the same values take fewer\n"
             "bytes. A model of each table predicts the values; likely values take fewer bits\n"
             "than unlikely ones.",
    .details = "Compressing tables of up to five pieces takes about as long as generating them.\n"
               "Probes of compressed tables are slower (bench/README.md). A table that would not\n"
               "become smaller is not changed.\n"
               "\n"
               "Some values are omitted, because a probe can compute them from other values. To\n"
               "compress a table, and to probe it afterwards, the tables that the moves of its\n"
               "material lead to must exist. Outcome tables omit the states in which a king may\n"
               "not move again because of its earlier moves. Distance tables also omit all\n"
               "states with one of the two sides to move. With --smallest, outcome tables omit\n"
               "these, too, so that a probe with that side to move has to try all moves; this is\n"
               "meant for archives. A table that already omits a different set of values cannot\n"
               "be rewritten. Generate it again first.\n"
               "\n"
               "Progress is printed on standard error. Ctrl-C (SIGINT) or SIGTERM stops the\n"
               "command within two seconds; tables that it has rewritten stay as they are.\n"
               "\n"
               "Output: a header, then one line per table in the order in which they are\n"
               "finished, with material, metric, and bytes before and after. Each thread\n"
               "compresses a table.",
    .examples = "  einspul compress\n"
                "  einspul compress KMvK KKvK --metric wdl",
    .takes = TAKES_RULES | TAKES_FOLDER | TAKES_THREADS | TAKES_JSON | TAKES_METRIC,
    .own = own_options,
    .max_arguments = -1,
    .run = run,
};
