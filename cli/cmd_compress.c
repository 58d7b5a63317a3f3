/* `einspul compress`: tables rewritten one after the other, under the lock of their folder. */
#include "cli/print.h"
#include "cli/tables.h"
#include "core/os_write.h"
#include "gen/system/folder.h"
#include "table/table_compress.h"

/* Whether all tables that a material leads to exist, because omitted values are recomputed from
 * them. A table that cannot be opened at the moment is an error, since it may exist. */
static enum status leads_to_tables(einspul *handle, const struct material *material,
                                   enum metric metric, bool *leads, struct error *error)
{
    struct material list[MAX_MATERIALS];
    const int n = material_closure(material, list);
    *leads = true;
    for (int i = 0; i < n; i++) {
        const struct table *table = NULL;
        const enum status status = probe_table(handle, &list[i], metric, &table, error);
        if (status == STATUS_OK)
            continue;
        if (status != STATUS_NO_TABLE && status != STATUS_NO_METRIC && !status_is_damage(status))
            return status;
        *leads = false;
    }
    return STATUS_OK;
}

static int compress_one(const struct options *options, einspul *handle,
                        const struct material *material, enum metric metric)
{
    const struct table *table = NULL;
    struct error error;
    uint64_t after = 0;
    bool leads = false;
    if ((options->metrics & (unsigned)metric) == 0)
        return EXIT_DONE;
    enum status status = probe_table(handle, material, metric, &table, &error);
    if (status == STATUS_OK)
        status = leads_to_tables(handle, material, metric, &leads, &error);
    if (status == STATUS_OK)
        status = table_compress(table, &options->rules, options->whole || !leads, table_path(table),
                                options->n_threads, &after, &error);
    if (status != STATUS_OK)
        return complain(options, "%s", error.text);
    row_table(material, metric);
    row_count("before", table_file_bytes(table));
    row_count("after", after);
    row_end();
    return EXIT_DONE;
}

/* The work under the folder's lock, so that tables do not change after they were examined. */
static int run_locked(const struct options *options)
{
    einspul *handle = tables_open(options, SMALL_CACHE);
    if (handle == NULL)
        return EXIT_WRONG;
    const int result =
        tables_each(options, handle, TABLES_OWN, "material\tmetric\tbefore\tafter", compress_one);
    einspul_close(handle);
    return result;
}

static int run(const struct options *options)
{
    struct error error;
    int lock = -1;
    if (folder_lock(options->tables, &options->rules, &lock, &error) != STATUS_OK)
        return complain(options, "%s", error.text);
    const int result = run_locked(options);
    os_close(lock);
    return result;
}

const struct command command_compress = {
    .name = "compress",
    .summary = "rewrite tables in fewer bytes",
    .synopsis = "[MATERIAL…] [OPTION…]",
    .help =
        "Rewrites the named tables, by default all, with a model of each table: the same values\n"
        "in fewer bytes. This takes longer than generating them, and blocks take longer to\n"
        "decode. If all tables it leads to are present, a table omits values that a probe can\n"
        "recompute: of distances one side to move, of outcomes states in which the side to move\n"
        "has moved a king as often in a row as it may. A table that would not become smaller is\n"
        "left as it is.\n"
        "Prints a header, then a line per table: material, metric, bytes before and after.",
    .takes = {TAKES(RULES), TAKES(FOLDER), TAKES(THREADS), TAKES(JSON), TAKES(METRIC),
              TAKES(WHOLE)},
    .arguments = ARGUMENTS_MATERIALS,
    .most_arguments = -1,
    .run = run,
};
