/* `einspul list`: materials, and files. */
#include "cli/board.h"
#include "cli/print.h"
#include "cli/tables.h"
#include "core/program/materials.h"
#include "probe/program_handle.h"
#include "table/table_open.h"

static bool wants_files;

static const struct option_row own_options[] = {
    {"files", NULL, "print one line per file, with the hash of its values", GROUP_OUTPUT,
     FLAG(&wants_files)},
    {0},
};

static void print_bytes(const char *name, int present, uint64_t n_bytes)
{
    if (present)
        row_count(name, n_bytes);
    else
        row_text(name, NULL);
}

static void print_present(const einspul_table_info *tables, int n_tables)
{
    row_header("material\tpieces\twdl\tdtw");
    for (int i = 0; i < n_tables; i++) {
        row_text("material", tables[i].material);
        row_count("pieces", (uint64_t)tables[i].pieces);
        print_bytes("wdl", tables[i].has_wdl, tables[i].wdl_bytes);
        print_bytes("dtw", tables[i].has_dtw, tables[i].dtw_bytes);
        row_end();
    }
}

static bool omits_last_runs(const struct table *table, enum side side)
{
    return table_stores(table, side) && table_max_run(table, side) != ANY_RUN;
}

/* The omitted-last-runs flag may be set even if no stored side has runs. */
static const char *omitted_text(const struct table *table)
{
    static const char *const texts[][2] = {
        {NULL, "last runs"},
        {"white to move", "white to move, last runs"},
        {"black to move", "black to move, last runs"},
    };
    const bool *side = table->header.omitted.side;
    const bool runs = omits_last_runs(table, WHITE) || omits_last_runs(table, BLACK);
    return texts[side[WHITE] + 2 * side[BLACK]][runs];
}

/* Prints the line of a file; a damaged file gets an error in its line, and the listing continues.
 * The hash is that of the header; `verify` recomputes it from the values of a table that stores
 * all. */
static int print_file(const struct options *options, einspul *handle,
                      const struct material *material, einspul_metric metric, struct watch *watch)
{
    const struct table *table = NULL;
    einspul_error error;
    (void)watch;

    if (probe_table(handle, material, metric, &table, &error) != EINSPUL_OK)
        return tables_failed(options, material, metric, &error);
    row_table(material, metric);
    row_count("bytes", table->header.file_size);
    row_hash("values", table->header.value_hash);
    row_text("left-out", omitted_text(table));
    row_bool("checkable", table_is_complete(table));
    row_end();
    return EXIT_OK;
}

static int run(const struct options *options, einspul *handle)
{
    einspul_table_info tables[MAX_MATERIALS];
    const int n_tables = (int)einspul_list(handle, tables, MAX_MATERIALS);
    int status = EXIT_OK;
    if (board_is_wanted(options))
        rows_aligned();
    if (wants_files) {
        status = tables_each(options, handle, TABLES_ALL,
                             "material\tmetric\tbytes\tvalues\tleft-out\tcheckable", NULL, 1,
                             print_file);
        if (status == EXIT_CHECK_FAILED)
            status = EXIT_FAILED; /* EXIT_CHECK_FAILED is reserved for checks */
    } else {
        print_present(tables, n_tables);
    }
    return status;
}

const struct command command_list = {
    .name = "list",
    .group = COMMAND_BUILDS,
    .summary = "list the tables",
    .synopsis = "[OPTION…]",
    .about = "List the tables of a rule set.",
    .details = "Output: a header, then the columns\n"
               "  (default)   material, pieces, bytes of the .wdl file and of the .dtw file ('-'\n"
               "              if the file is missing)\n"
               "  --files     material, metric, bytes, a hash of the values, the number of\n"
               "              values that the file omits ('-': none), and whether 'verify' can\n"
               "              check the hash ('no' if values are omitted). The hash does not\n"
               "              depend on how the file is encoded\n"
               "\n"
               "Exit status: 1 if a file is damaged.",
    .examples = "  einspul list\n"
                "  einspul list --files --rules english",
    .takes = TAKES_TABLES | TAKES_JSON | TAKES_TSV,
    .own = own_options,
    .run_on_tables = run,
    .cache_bytes = SMALL_CACHE,
};
