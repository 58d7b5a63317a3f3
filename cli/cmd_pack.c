/* `einspul pack`: the tables of a rule set in one file. */
#include <string.h>

#include "cli/print.h"
#include "cli/tables.h"
#include "core/program/materials.h"
#include "probe/program_handle.h"
#include "table/table_open.h"
#include "table/write/pack_write.h"

_Static_assert((int)TABLE_NAME_SIZE <= (int)PACK_NAME_SIZE, "a name fits into the other");

/* Adds a table to the items, unless the options leave it out. */
static einspul_status add_table(const struct options *options, einspul *handle,
                                const einspul_table_info *info, einspul_metric metric,
                                struct pack_item *items, size_t *n_items, einspul_error *error)
{
    const struct table *table = NULL;
    struct table_id id = {.rules = &options->rules, .metric = metric};
    if ((options->metrics & metrics_of(info) & (unsigned)metric) == 0 ||
        (options->pieces > 0 && info->pieces > options->pieces))
        return EINSPUL_OK;
    material_read(info->material, &id.material, NULL);
    const einspul_status status = probe_table(handle, &id.material, metric, &table, error);
    if (status != EINSPUL_OK)
        return status;
    strcpy(items[*n_items].name, table_file_name(id).text);
    items[(*n_items)++].file = table->file;
    return EINSPUL_OK;
}

static int run(const struct options *options, einspul *handle)
{
    static einspul_table_info tables[MAX_MATERIALS];
    static struct pack_item items[2 * MAX_MATERIALS];
    const char *path = options->arguments[0];
    const size_t n_tables = einspul_list(handle, tables, MAX_MATERIALS);
    einspul_status status = EINSPUL_OK;
    size_t n_items = 0;
    uint64_t n_bytes = 0;
    einspul_error error;

    for (size_t i = 0; i < n_tables; i++)
        for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW && status == EINSPUL_OK; metric++)
            status = add_table(options, handle, &tables[i], (einspul_metric)metric, items, &n_items,
                               &error);
    if (status == EINSPUL_OK && n_items == 0)
        return command_message(options, "no tables match (rule set, --pieces, --metric)");
    if (status == EINSPUL_OK)
        status = pack_write(path, items, n_items, &n_bytes, &error);
    if (status != EINSPUL_OK)
        return command_error(options, NULL, &error);
    row_header("pack\ttables\tbytes");
    row_text("pack", path);
    row_count("tables", n_items);
    row_count("bytes", n_bytes);
    row_end();
    return EXIT_OK;
}

const struct command command_pack = {
    .name = "pack",
    .group = COMMAND_BUILDS,
    .summary = "put tables into one file",
    .synopsis = "FILE [OPTION…]",
    .about = "Write the tables of a rule set into one file, a pack: all of them, or only those\n"
             "of up to N pieces or of one metric. Every command that reads tables accepts a\n"
             "pack in place of a folder, except 'compress' and 'plan'.",
    .details = "The command checks headers and block indices. To check the blocks too, run\n"
               "'einspul verify --level checksums --tables FILE'. FILE appears only when it is\n"
               "complete. It may replace an existing pack, but no other file.\n"
               "\n"
               "Output: a header, then one line, with file, number of tables, and bytes.",
    .examples = "  einspul pack frisian.pack\n"
                "  einspul pack small.pack --pieces 3 --metric wdl\n"
                "  einspul probe --tables small.pack W:WK46:BK5",
    .takes = TAKES_TABLES | TAKES_JSON | TAKES_PIECES | TAKES_METRIC,
    .missing_argument = "missing the name of the file to write",
    .max_arguments = 1,
    .run_on_tables = run,
    .cache_bytes = SMALL_CACHE,
};
