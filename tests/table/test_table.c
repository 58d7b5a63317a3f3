/* The table file: values are read as written, and a failed write leaves nothing. */
#include "table/table_block.h"
#include "tests/support/synthetic.h"

#include "table/block_values.h"
#include "table/table_format.h"
#include "table/table_open.h"
#include "tests/support/folder.h"
#include "tests/support/moves_text.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(table, .init = make_folder, .fini = drop_folder);

/* Checks that every stored value of the file is the one written. */
static void expect_values(const struct rules *rules, const struct synthetic *made,
                          einspul_metric metric, const char *path)
{
    const struct shape *shape = &made->shape;
    struct table *table = NULL;
    einspul_error error = {0};
    const struct table_id id = {rules, shape->material, metric};
    einspul_status status = table_open(path, id, NULL, &table, &error);
    cr_assert_eq(status, EINSPUL_OK, "%s", error.text);
    const bool signs = !table->header.has_distances;
    const uint64_t per_block = table->header.block_placements;
    uint64_t n_wrong = 0;
    cr_assert_eq(signs,
                 metric == EINSPUL_WDL && !table_always_has_distances(rules, &shape->material));
    for (uint64_t i = 0; i < table->header.n_blocks; i++) {
        const int side = (int)(i / table->blocks_per_side);
        const uint64_t first = i % table->blocks_per_side * per_block;
        struct block *block = NULL;
        status = table_decode_block(table, i, UINT32_MAX, &block, &error);
        cr_assert_eq(status, EINSPUL_OK, "%s", error.text);
        for (uint32_t place = 0; place < block->n_placements; place++) {
            if (!synthetic_stored(made, side, first + place))
                continue;
            value_t values[MAX_RULE_STATES];
            block_values(block, place, shape->n_rule_states, values);
            for (int rule_state = 0; rule_state < shape->n_rule_states; rule_state++) {
                const value_t made_value = synthetic_value(made, side, first + place, rule_state);
                const value_t value = signs ? value_without_distance(made_value) : made_value;
                n_wrong +=
                    values[rule_state] != value ||
                    block_value(block, place, shape->n_rule_states, (uint32_t)rule_state) != value;
            }
        }
        free(block);
    }
    table_close(table);
    cr_assert_eq(n_wrong, 0, "%s: %llu values differ", path, (unsigned long long)n_wrong);
}

static uint64_t dictionary_size(const char *path)
{
    size_t n_bytes = 0;
    uint8_t *bytes = read_whole(path, &n_bytes);
    const uint64_t size = load_u64(bytes + AT_MODEL_SIZE);
    free(bytes);
    return size;
}

static void expect_round_trip(const char *rule_set, const char *material, uint32_t n_patterns)
{
    const struct rules rules = rules_named(rule_set);
    struct synthetic made;
    synthetic_create(&made, &rules, material, n_patterns, 7);
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
        const char *path = path_of("T");
        synthetic_write(&made, &rules, (einspul_metric)metric, path, 2);
        expect_values(&rules, &made, (einspul_metric)metric, path);
        cr_assert(strcmp(material, "KKMvM") != 0 || metric == EINSPUL_DTW ||
                      dictionary_size(path) > 0,
                  "no dictionary");
        cr_assert_eq(folder_entries(), 1, "something is left beside the table");
    }
    synthetic_free(&made);
}

/* Fails if a table answers with a value of another placement, side or rule state. */
Test(table, round_trip)
{
    expect_round_trip("frisian", "KvK", 20);
    expect_round_trip("frisian", "KKvK", 100);
    expect_round_trip("frisian", "KMvK", 5000);
    expect_round_trip("frisian", "KMvM", 1);
    expect_round_trip("frisian", "KKMvM", 2000);
    expect_round_trip("international", "MMvM", 255);
    expect_round_trip("english", "MMvM", 300);
}

/* Fails if one of two tables that are written at once is wrong because of the other: outcomes drop
 * the distances of values that both share. */
Test(table, two_tables_at_once_in_any_order)
{
    static const char *const names[][2] = {
        {"english", "MMvM"}, {"frisian", "KMvK"}, {"frisian", "KKvK"}};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        const struct rules rules = rules_named(names[i][0]);
        struct synthetic made;
        synthetic_create(&made, &rules, names[i][1], 200, 7);
        for (int first = 0; first < 2; first++) {
            char *paths[2] = {strdup(path_of("wdl")), strdup(path_of("dtw"))};
            struct table_output outputs[2];
            einspul_error error = {0};
            for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++)
                outputs[(metric - EINSPUL_WDL) ^ first] =
                    (struct table_output){paths[metric - EINSPUL_WDL],
                                          {&rules, made.shape.material, (einspul_metric)metric}};
            cr_assert_eq(tables_write_sides(outputs, 2, made.sides, 3, 2, &error), EINSPUL_OK, "%s",
                         error.text);
            for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
                expect_values(&rules, &made, (einspul_metric)metric, paths[metric - EINSPUL_WDL]);
                free(paths[metric - EINSPUL_WDL]);
            }
        }
        synthetic_free(&made);
    }
}

/* Fails if tables are damaged in which every placement has its own pattern. */
Test(table, holds_as_many_patterns_as_placements)
{
    expect_round_trip("frisian", "KMvM", 0);
}

/* Fails if the value hash depends on don't-cares or on how values were numbered, so that two
 * producers cannot compare; or it misses a changed value. */
Test(table, value_hash_depends_on_values_only)
{
    const struct rules rules = rules_named("frisian");
    struct synthetic made;
    uint64_t hash[3] = {0, 0, 0};
    uint64_t dont_care = 0;
    uint64_t stored = 0;
    synthetic_create(&made, &rules, "KMvK", 50, 13);
    while (synthetic_stored(&made, WHITE, dont_care))
        dont_care++;
    while (!synthetic_stored(&made, WHITE, stored))
        stored++;
    for (int i = 0; i < 3; i++) {
        struct table *table = NULL;
        if (i == 1)
            made.low[WHITE][dont_care] = (uint16_t)((made.low[WHITE][dont_care] + 1) % 50);
        if (i == 2)
            made.low[WHITE][stored] = (uint16_t)((made.low[WHITE][stored] + 1) % 50);
        synthetic_write(&made, &rules, EINSPUL_DTW, path_of("T"), 2);
        const struct table_id id = {&rules, made.shape.material, EINSPUL_DTW};
        cr_assert_eq(table_open(path_of("T"), id, NULL, &table, NULL), EINSPUL_OK);
        hash[i] = table->header.value_hash;
        table_close(table);
    }
    cr_assert_eq(hash[0], hash[1]);
    cr_assert_neq(hash[0], hash[2]);
    synthetic_free(&made);
}

/* Fails if a table in which every placement is a capture cannot be written, or not be read. */
Test(table, empty_side)
{
    const struct rules rules = rules_named("frisian");
    struct synthetic made;
    synthetic_create(&made, &rules, "KvM", 10, 15);
    for (int side = 0; side < 2; side++)
        memset(made.stored[side], 0, (made.shape.n_placements + 63) / 64 * 8);
    synthetic_write(&made, &rules, EINSPUL_WDL, path_of("KvM.wdl"), 1);
    expect_values(&rules, &made, EINSPUL_WDL, path_of("KvM.wdl"));
    synthetic_free(&made);
}

/* --- failed writes ---------------------------------------------------------------------------- */

/* Fails if a failed write leaves a file that a later run accepts as a table, or destroys the old
 * table. */
Test(table, failed_write_leaves_no_file)
{
    const struct rules rules = rules_named("frisian");
    const struct rlimit limit = {5000, 5000};
    struct synthetic made;
    einspul_error error = {0};
    size_t n_before = 0;
    size_t n_after = 0;

    synthetic_create(&made, &rules, "KMvK", 40, 19);
    const struct table_id id = {&rules, made.shape.material, EINSPUL_DTW};
    cr_assert_eq(table_write_sides(path_of("none/KMvK.dtw"), id, made.sides, 1, 1, &error),
                 EINSPUL_IO);
    cr_assert_not_null(strstr(error.text, "none/KMvK.dtw"), "%s", error.text);
    cr_assert_eq(folder_entries(), 0);

    cr_assert_eq(mkdir(path_of("KMvK.dtw"), 0777), 0);
    cr_assert_eq(mkdir(path_of("KMvK.dtw/full"), 0777), 0);
    cr_assert_eq(table_write_sides(path_of("KMvK.dtw"), id, made.sides, 1, 1, &error), EINSPUL_IO);
    cr_assert_eq(folder_entries(), 1);

    write_whole(path_of(".T.tmp"), (const uint8_t *)"left by a run that was killed", 29);
    synthetic_write(&made, &rules, EINSPUL_DTW, path_of("T"), 1);
    cr_assert_eq(folder_entries(), 2);
    uint8_t *before = read_whole(path_of("T"), &n_before);

    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    made.low[WHITE][1]++;
    cr_assert_eq(table_write_sides(path_of("T"), id, made.sides, 1, 1, &error), EINSPUL_IO);
    cr_assert_eq(folder_entries(), 2);
    uint8_t *after = read_whole(path_of("T"), &n_after);
    cr_assert(n_before == n_after && memcmp(before, after, n_before) == 0);
    free(before);
    free(after);
    synthetic_free(&made);
}

/* Fails if a placement the solver left without a value goes into a table. */
Test(table, refuses_a_stored_placement_without_value)
{
    const struct rules rules = rules_named("frisian");
    struct synthetic made;
    einspul_error error = {0};
    uint64_t stored = 0;
    synthetic_create(&made, &rules, "KvM", 10, 21);
    while (!synthetic_stored(&made, BLACK, stored))
        stored++;
    made.patterns[BLACK][made.low[BLACK][stored]] = VALUE_NONE;
    const struct table_id id = {&rules, made.shape.material, EINSPUL_WDL};
    cr_assert_eq(table_write_sides(path_of("KvM.wdl"), id, made.sides, 1, 1, &error),
                 EINSPUL_CORRUPT);
    cr_assert_eq(folder_entries(), 0);
    synthetic_free(&made);
}

/* On a 32-bit machine a file, or a part of one, may have more bytes than addresses. Truncating the
 * size would overflow a small buffer. */
Test(table, refuses_more_bytes_than_can_be_addressed)
{
    einspul_error error = {0};
    struct file *file = NULL;
    uint8_t *bytes = NULL;
    const char *path = path_of("file");
    write_whole(path, (const uint8_t *)"bytes", 5);
    cr_assert_eq(file_open(path, NULL, &file, &error), EINSPUL_OK, "%s", error.text);
    cr_assert_eq(file_read(file, 0, SIZE_MAX, &bytes, &error), EINSPUL_NO_MEMORY);
    cr_assert_null(bytes);
    cr_assert_not_null(strstr(error.text, "not enough memory"), "%s", error.text);
    cr_assert_eq(file_read(file, 0, 5, &bytes, &error), EINSPUL_OK, "%s", error.text);
    cr_assert_arr_eq(bytes, "bytes", 5);
    free(bytes);
    file_close(file);
}
