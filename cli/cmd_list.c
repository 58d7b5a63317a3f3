#include <string.h>

#include "cli/print.h"
#include "cli/tables.h"

static void print_bytes(struct row *row, const char *name, int present, uint64_t n_bytes)
{
    if (present)
        row_count(row, name, n_bytes);
    else
        row_text(row, name, NULL);
}

static void print_present(const struct options *options, const einspul_table_info *tables,
                          int n_tables)
{
    row_header(options->json, "material\tpieces\twdl\tdtw");
    for (int i = 0; i < n_tables; i++) {
        struct row row;
        row_begin(&row, options->json);
        row_text(&row, "material", tables[i].material);
        row_count(&row, "pieces", (uint64_t)tables[i].pieces);
        print_bytes(&row, "wdl", tables[i].has_wdl, tables[i].wdl_bytes);
        print_bytes(&row, "dtw", tables[i].has_dtw, tables[i].dtw_bytes);
        row_end(&row);
    }
}

static void print_missing(const struct options *options, const einspul *handle, int n_pieces)
{
    char wdl[MAX_MATERIALS + 1][EINSPUL_MATERIAL_SIZE];
    char dtw[MAX_MATERIALS + 1][EINSPUL_MATERIAL_SIZE];
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(n_pieces, n_pieces, materials);
    size_t n_wdl = 0; /* of the missing ones, how many are done with */
    size_t n_dtw = 0;

    wdl[einspul_missing(handle, n_pieces, EINSPUL_WDL, wdl, MAX_MATERIALS)][0] = '\0';
    dtw[einspul_missing(handle, n_pieces, EINSPUL_DTW, dtw, MAX_MATERIALS)][0] = '\0';
    for (int i = 0; i < n_materials; i++) {
        char name[MATERIAL_NAME_SIZE];
        struct row row;
        material_write(&materials[i], name);
        const bool no_wdl = strcmp(wdl[n_wdl], name) == 0;
        const bool no_dtw = strcmp(dtw[n_dtw], name) == 0;
        n_wdl += no_wdl;
        n_dtw += no_dtw;
        if (!no_wdl && !no_dtw)
            continue;
        row_begin(&row, options->json);
        row_text(&row, "material", name);
        row_text(&row, "missing", no_wdl && no_dtw ? "both" : no_wdl ? "wdl" : "dtw");
        row_end(&row);
    }
}

static int run(const struct options *options)
{
    einspul_table_info tables[MAX_MATERIALS];
    einspul *handle = tables_open(options, SMALL_CACHE);
    if (handle == NULL)
        return EXIT_WRONG;

    if (options->missing > 0) {
        row_header(options->json, "material\tmissing");
        for (int n_pieces = 2; n_pieces <= options->missing; n_pieces++)
            print_missing(options, handle, n_pieces);
    } else {
        const size_t n = einspul_list(handle, tables, MAX_MATERIALS);
        print_present(options, tables, (int)(n < MAX_MATERIALS ? n : MAX_MATERIALS));
    }
    einspul_close(handle);
    return EXIT_DONE;
}

const struct command command_list = {
    .name = "list",
    .title = "einspul list",
    .summary = "which tables are there",
    .synopsis = "[OPTION…]",
    .help =
        "Prints a header, then a line a material: name, pieces, bytes of the .wdl and of the .dtw\n"
        "file (- where there is none). With --missing: a line for each material up to N pieces\n"
        "that is not there, and which file is missing: wdl, dtw, both.",
    .takes = " json missing ",
    .most_arguments = 0,
    .run = run,
};
