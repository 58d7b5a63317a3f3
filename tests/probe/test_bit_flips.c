/* Single-bit errors, which occur when gigabytes are copied. Every bit of a small table is flipped
 * in turn, and the reader must name the file; for one bit of every byte the library is probed too:
 * each value must be unchanged, or an error. */
#include "core/program/index.h"
#include "core/program/materials.h"
#include "core/program/plies.h"
#include "gen/run/plan.h"
#include "probe/position.h"
#include "table/table_open.h"
#include "table/table_read.h"
#include "tests/support/handle.h"
#include "tests/support/tables.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
    MAX_STATES = 2048,
    SMALL_CACHE = 1 << 20 /* bytes, of handles: each bit has its own */
};

static struct rules rules;
static struct material material;
static einspul_position positions[MAX_STATES]; /* of the material, all if they are few */
static value_t values[MAX_STATES];             /* their values in the tested metric */
static int n_states;

static void make_tables(void)
{
    struct generate_options options = small_options(&rules, folder);
    options.pieces = 0;
    options.material = material;
    options.n_threads = 1;
    make_folder();
    generate_with(&options);
}

static void list_states(void)
{
    struct shape shape;
    shape_init(&shape, &rules, &material);
    const uint64_t step = 2 * shape.n_placements / MAX_STATES + 1;
    for (int side = WHITE; side <= BLACK; side++) {
        for (uint64_t index = 0; index < shape.n_placements; index += step) {
            struct state state = {0};
            if (!shape_unrank(&shape, index, (enum side)side, &state.at))
                continue;
            probe_position_from_state(&state, &positions[n_states++]);
        }
    }
}

static einspul_status probe(einspul *handle, einspul_metric metric, int i, value_t *value)
{
    einspul_outcome outcome = EINSPUL_DRAW;
    int plies = 0;
    const einspul_status status =
        metric == EINSPUL_DTW ? einspul_probe(handle, &positions[i], 0, &outcome, &plies, NULL)
                              : einspul_probe(handle, &positions[i], 0, &outcome, NULL, NULL);
    *value = outcome == EINSPUL_DRAW  ? VALUE_DRAW
             : metric == EINSPUL_DTW  ? value_from_plies(plies)
             : outcome == EINSPUL_WIN ? VALUE_WIN_IN_1
                                      : VALUE_LOST;
    return status;
}

/* The first error of opening the file and decoding all of it; its text must name the file. */
static einspul_status read_all(const char *path, einspul_metric metric)
{
    struct table *table = NULL;
    einspul_error error = {0};
    const struct table_id id = {&rules, material, metric};
    einspul_status first = table_open(path, id, NULL, &table, &error);
    if (first == EINSPUL_OK) {
        const uint64_t n = table->header.n_blocks;
        for (uint64_t i = 0; i < n; i++) {
            struct block *block = NULL;
            const einspul_status status = table_decode_block(table, i, UINT32_MAX, &block, &error);
            first = first == EINSPUL_OK ? status : first;
            free(block);
        }
    }
    table_close(table);
    if (first != EINSPUL_OK)
        cr_assert_not_null(strstr(error.text, strrchr(path, '/')), "'%s' names no file",
                           error.text);
    return first;
}

static bool is_damage(int status)
{
    return status >= EINSPUL_NOT_A_TABLE && status <= EINSPUL_OLD_VERSION;
}

/* Probes every state of the table: its value, or an error of the file. If the file cannot be
 * opened, one state is enough. */
static void expect_values(einspul_metric metric, bool opens, size_t bit)
{
    einspul *handle = open_tables(folder, rules.name, SMALL_CACHE);
    int n_errors = 0;
    for (int i = 0; i < n_states; i++) {
        value_t value = VALUE_NONE;
        const einspul_status status = probe(handle, metric, i, &value);
        if (status == EINSPUL_OK) {
            cr_assert_eq(value, values[i], "bit %zu, state %d: %d, not %d", bit, i, value,
                         values[i]);
            continue;
        }
        cr_assert(is_damage((int)status), "bit %zu: %s", bit, einspul_status_name(status));
        n_errors++;
        if (!opens)
            break;
    }
    cr_assert_gt(n_errors, 0, "bit %zu changes nothing", bit);
    einspul_close(handle);
}

static void flip_all(einspul_metric metric)
{
    char path[PATH_SIZE];
    uint8_t byte = 0;
    einspul_error error = {0};
    einspul *handle = open_tables(folder, rules.name, SMALL_CACHE);
    for (int i = 0; i < n_states; i++)
        cr_assert_eq(probe(handle, metric, i, &values[i]), EINSPUL_OK);
    einspul_close(handle);

    const struct table_id id = {&rules, material, metric};
    if (metric == EINSPUL_WDL) { /* else the file of distances would answer */
        const struct table_id other = {&rules, material, EINSPUL_DTW};
        cr_assert_eq(table_path_below(folder, other, path, sizeof path, &error), EINSPUL_OK);
        cr_assert_eq(unlink(path), 0);
    }
    cr_assert_eq(table_path_below(folder, id, path, sizeof path, &error), EINSPUL_OK);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    cr_assert_geq(file, 0);
    const size_t n_bits = 8 * (size_t)lseek(file, 0, SEEK_END);
    uint8_t offsets[24]; /* of index and blocks, with the size of the index between them */
    cr_assert_eq(pread(file, offsets, sizeof offsets, 96), sizeof offsets);
    const size_t index = (size_t)load_u64(offsets);
    const size_t blocks = (size_t)load_u64(offsets + 16);
    for (size_t bit = 0; bit < n_bits; bit++) {
        const off_t at = (off_t)(bit / 8);

        cr_assert_eq(pread(file, &byte, 1, at), 1);
        const uint8_t flipped = (uint8_t)(byte ^ 1 << bit % 8);
        cr_assert_eq(pwrite(file, &flipped, 1, at), 1);
        const einspul_status status = read_all(path, metric);
        cr_assert_eq(status,
                     bit / 8 < 8                            ? EINSPUL_NOT_A_TABLE
                     : bit / 8 < blocks || bit / 8 >= index ? EINSPUL_BAD_HEADER
                                                            : EINSPUL_BAD_BLOCK,
                     "bit %zu: %s", bit, einspul_status_name(status));
        if (bit % 8 == bit / 8 % 8) /* one bit per byte, each of the eight in turn */
            expect_values(metric, status == EINSPUL_BAD_BLOCK, bit);
        cr_assert_eq(pwrite(file, &byte, 1, at), 1);
    }
    close(file);
    cr_assert_eq(read_all(path, metric), EINSPUL_OK);
}

static void begin_with(const char *name)
{
    rules = rules_named("english");
    cr_assert_eq(material_read(name, &material, NULL), EINSPUL_OK);
    make_tables();
    list_states();
}

static void begin(void)
{
    begin_with("KvM");
}

/* Codes the outcomes with a model, here with blocks in several groups. */
static void begin_coded(void)
{
    char path[PATH_SIZE];
    struct table *table = NULL;
    einspul_error error = {0};
    uint64_t n_bytes = 0;
    begin_with("KMvK");
    const struct table_id id = {&rules, material, EINSPUL_WDL};
    cr_assert_eq(table_path_below(folder, id, path, sizeof path, &error), EINSPUL_OK);
    cr_assert_eq(table_open(path, id, NULL, &table, &error), EINSPUL_OK);
    cr_assert_eq(table_compress(table, &rules, COMPRESS_WHOLE, path, 1, NULL, &n_bytes, &error),
                 EINSPUL_OK, "%s", error.text);
    cr_assert_lt(n_bytes, table->header.file_size);
    table_close(table);
}

static void end(void)
{
    drop_folder();
}

TestSuite(flips, .init = begin, .fini = end, .timeout = 300);

/* Fails if a damaged table gives a wrong value. */
Test(flips, in_outcomes)
{
    flip_all(EINSPUL_WDL);
}

Test(flips, in_distances)
{
    flip_all(EINSPUL_DTW);
}

TestSuite(flips_of_coded, .init = begin_coded, .fini = end, .timeout = 300);

/* Fails if a flipped bit in a model, or in a block coded with it, changes an answer. */
Test(flips_of_coded, in_outcomes)
{
    flip_all(EINSPUL_WDL);
}
