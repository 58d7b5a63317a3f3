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

static void print_missing(const struct options *options, const einspul_table_info *tables,
                          int n_tables)
{
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, options->missing, materials);

    row_header(options->json, "material\tmissing");
    for (int i = 0; i < n_materials; i++) {
        char name[MATERIAL_NAME_SIZE];
        bool has_wdl = false;
        bool has_dtw = false;
        struct row row;
        material_write(&materials[i], name);
        for (int j = 0; j < n_tables; j++) {
            if (strcmp(tables[j].material, name) == 0) {
                has_wdl = tables[j].has_wdl != 0;
                has_dtw = tables[j].has_dtw != 0;
            }
        }
        if (has_wdl && has_dtw)
            continue;
        row_begin(&row, options->json);
        row_text(&row, "material", name);
        row_text(&row, "missing", has_wdl ? "dtw" : has_dtw ? "wdl" : "both");
        row_end(&row);
    }
}

static int run(const struct options *options)
{
    einspul_table_info tables[MAX_MATERIALS];
    einspul *handle = tables_open(options, SMALL_CACHE);
    if (handle == NULL)
        return EXIT_WRONG;

    const size_t n = einspul_list(handle, tables, MAX_MATERIALS);
    const int n_tables = (int)(n < MAX_MATERIALS ? n : MAX_MATERIALS);
    if (options->missing > 0)
        print_missing(options, tables, n_tables);
    else
        print_present(options, tables, n_tables);
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
