/* Tables coded with a model: the same values in fewer bytes, or the table as it was. */
#include "table/bytes.h"
#include "tests/support/synthetic.h"
#include "tests/support/table_bytes.h"
#include "tests/support/tables.h"

TestSuite(compress, .init = make_folder, .fini = drop_folder, .timeout = 300);

/* --- values ----------------------------------------------------------------------------------- */

/* Compresses a table; returns whether it has become smaller. */
static bool expect_compressed(const struct rules *rules, const char *name, enum metric metric,
                              int n_threads)
{
    struct error error = {0};
    uint64_t n_bytes = 0;
    size_t n_before = 0;
    size_t n_after = 0;
    char path[1024];
    snprintf(path, sizeof path, "%s", table_name(rules, name, metric));
    uint8_t *before = read_whole(path, &n_before);
    struct table *table = open_whole(rules, name, metric, path);
    cr_assert_not(table_is_modelled(table));
    cr_assert_eq(table_compress(table, rules, true, path, n_threads, &n_bytes, &error), STATUS_OK,
                 "%s", error.text);
    uint8_t *after = read_whole(path, &n_after);
    struct table *again = open_whole(rules, name, metric, path);
    const bool smaller = table_is_modelled(again);
    cr_assert_eq(n_bytes, n_after);
    if (smaller) {
        cr_assert_lt(n_after, n_before);
        expect_header(path);
        for (int side = 0; side < table_shape(table)->n_sides; side++)
            cr_assert_eq(table_n_stored(table, (enum side)side),
                         table_n_stored(again, (enum side)side));
        cr_assert_eq(table_value_hash(table), table_value_hash(again));
        expect_same_values(rules, table, again);
    } else {
        cr_assert(n_after == n_before && memcmp(before, after, n_before) == 0);
    }
    table_close(table);
    table_close(again);
    free(before);
    free(after);
    return smaller;
}

/* Wrong: whoever saves space loses the right answers. */
Test(compress, keeps_the_values_of_all_small_tables)
{
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, 3, materials);
    for (int i = 0; i < N_RULES; i++) {
        const struct rules rules = rules_named(rules_names()[i]);
        int n_smaller = 0;
        if (rules.tables != rules.id)
            continue; /* most are another rule set's, and the others have clocks */
        generate(&rules, 3, NULL, METRICS_BOTH);
        for (int j = 0; j < 2 * n_materials; j++) {
            char name[MATERIAL_NAME_SIZE];
            material_write(&materials[j / 2], name);
            n_smaller +=
                expect_compressed(&rules, name, j % 2 == 0 ? METRIC_WDL : METRIC_DTW, 1 + j % 2);
        }
        cr_assert(n_smaller >= 4 && n_smaller < 2 * n_materials, "%s: %d tables", rules.name,
                  n_smaller);
    }
}

/* The first material in which both sides have king runs. */
Test(compress, keeps_the_values_of_a_large_table)
{
    const struct rules rules = rules_named("frisian");
    generate(&rules, 0, "KMvKM", METRICS_WDL);
    cr_assert(expect_compressed(&rules, "KMvKM", METRIC_WDL, 2));
}

/* Wrong: two machines make different files of the same table, and none can be checked by its
 * sum. */
Test(compress, same_bytes_for_any_number_of_threads)
{
    const struct rules rules = rules_named("frisian");
    generate(&rules, 0, "KMvM", METRICS_BOTH);
    for (int kind = 0; kind < 3; kind++) {
        const enum metric metric = kind == 0 ? METRIC_WDL : METRIC_DTW;
        uint8_t *bytes[3];
        size_t n[3] = {0};
        struct table *table =
            open_whole(&rules, "KMvM", metric, table_name(&rules, "KMvM", metric));
        for (int i = 0; i < 3; i++) {
            struct error error = {0};
            uint64_t n_bytes = 0;
            cr_assert_eq(
                table_compress(table, &rules, kind < 2, path_of("T"), i + 1, &n_bytes, &error),
                STATUS_OK, "%s", error.text);
            bytes[i] = read_whole(path_of("T"), &n[i]);
            cr_assert(n[i] == n[0] && memcmp(bytes[i], bytes[0], n[0]) == 0, "%d threads", i + 1);
        }
        for (int i = 0; i < 3; i++)
            free(bytes[i]);
        table_close(table);
    }
}

/* --- tables that cannot be compressed --------------------------------------------------------- */

/* Compressing a table of frisian KMvM over itself fails, and it stays as it is. */
static void expect_refused(const char *path, enum status expected, const char *text)
{
    const struct rules rules = rules_named("frisian");
    struct table *table = open_whole(&rules, "KMvM", METRIC_DTW, path);
    struct error error = {0};
    uint64_t n_bytes = 0;
    size_t n_before = 0;
    size_t n_after = 0;
    const int n_entries = folder_entries();
    uint8_t *before = read_whole(path, &n_before);
    const enum status status = table_compress(table, &rules, true, path, 2, &n_bytes, &error);
    cr_assert_eq(status, expected, "%s: %s", status_name(status), error.text);
    cr_assert(strstr(error.text, strrchr(path, '/')) != NULL && strstr(error.text, text) != NULL,
              "%s", error.text);
    uint8_t *after = read_whole(path, &n_after);
    cr_assert(n_before == n_after && memcmp(before, after, n_before) == 0, "it was changed");
    cr_assert_eq(folder_entries(), n_entries, "something is left beside the table");
    table_close(table);
    free(before);
    free(after);
}

/* Wrong: a damaged table is replaced by one that looks whole. */
Test(compress, refuses_a_damaged_table)
{
    const struct rules rules = rules_named("frisian");
    char path[1024];
    size_t n_bytes = 0;
    snprintf(path, sizeof path, "%s", path_of("T"));
    generate(&rules, 0, "KMvM", METRICS_BOTH);
    uint8_t *bytes = read_whole(table_name(&rules, "KMvM", METRIC_DTW), &n_bytes);

    bytes[n_bytes - 1] ^= 0x10;
    write_whole(path, bytes, n_bytes);
    expect_refused(path, STATUS_BAD_BLOCK, "fails its checksum");
    bytes[n_bytes - 1] ^= 0x10;

    store_u64(bytes + 144, load_u64(bytes + 144) - 1); /* stored placements of White */
    seal_header(bytes);
    write_whole(path, bytes, n_bytes);
    expect_refused(path, STATUS_CORRUPT, "not hold as many placements");
    store_u64(bytes + 144, load_u64(bytes + 144) + 1);

    store_u64(bytes + 136, load_u64(bytes + 136) + 1); /* the hash of the values */
    seal_header(bytes);
    write_whole(path, bytes, n_bytes);
    expect_refused(path, STATUS_CORRUPT, "not those the hash in its header was made of");
    free(bytes);
}

/* Wrong: values of a run state that the model takes as given are lost. */
Test(compress, refuses_values_the_rules_cannot_give)
{
    const struct rules rules = rules_named("frisian");
    struct synthetic made;
    synthetic_create(&made, &rules, "KMvM", 300, 3);
    synthetic_write(&made, &rules, METRIC_DTW, path_of("T"), 2);
    expect_refused(path_of("T"), STATUS_CORRUPT, "the rules cannot give");

    /* All as the fresh state, but for one king move made: where three change nothing. */
    for (size_t i = 0; i < 300; i++) {
        uint8_t *values = made.patterns[WHITE] + 4 * i;
        memset(values, values[0], 4);
        memset(made.patterns[BLACK] + 4 * i, BYTE_DRAW, 4);
        values[1] = i == 123 ? VALUE_LOST : values[0];
    }
    made.patterns[WHITE][4 * 123] = BYTE_DRAW;
    made.patterns[WHITE][4 * 123 + 3] = BYTE_DRAW;
    synthetic_write(&made, &rules, METRIC_DTW, path_of("T"), 2);
    expect_refused(path_of("T"), STATUS_CORRUPT, "the rules cannot give");
    synthetic_free(&made);
}

/* Wrong: an error that does not tell which file cannot be written. */
Test(compress, names_the_file_it_cannot_write)
{
    const struct rules rules = rules_named("frisian");
    struct error error = {0};
    uint64_t n_bytes = 0;
    generate(&rules, 0, "KMvM", METRICS_WDL);
    struct table *table =
        open_whole(&rules, "KMvM", METRIC_WDL, table_name(&rules, "KMvM", METRIC_WDL));
    cr_assert_eq(table_compress(table, &rules, true, path_of("none/KMvM.wdl"), 1, &n_bytes, &error),
                 STATUS_IO);
    cr_assert_not_null(strstr(error.text, "none/KMvM.wdl"), "%s", error.text);
    table_close(table);
}
