/* The table file: what is written is read, and nothing else is taken for it. */
#include "tests/support/synthetic.h"

#include "table/bytes.h"
#include "table/table_format.h"
#include "tests/support/folder.h"
#include "tests/support/support.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

TestSuite(table, .init = make_folder, .fini = drop_folder);

/* Every stored value of the file is the one that went in. */
static void expect_values(const struct rules *rules, const struct synthetic *made,
                          enum metric metric, const struct file_io *io, const char *path)
{
    const struct shape *shape = &made->shape;
    struct table *table = NULL;
    struct error error = {0};
    const struct table_id id = {rules, shape->material, metric};
    enum status status = table_open(path, id, io, &table, &error);
    cr_assert_eq(status, STATUS_OK, "%s", error.text);
    const bool signs = !table_has_distances(table);
    const uint64_t per_block = table_block_placements(table);
    uint64_t n_wrong = 0;
    cr_assert_eq(signs, metric == METRIC_WDL && !table_keeps_distances(rules, &shape->material));
    for (uint64_t i = 0; i < table_n_blocks(table); i++) {
        const int side = (int)(i / table_blocks_per_side(table));
        const uint64_t first = i % table_blocks_per_side(table) * per_block;
        struct block *block = NULL;
        status = table_decode_block(table, i, &block, &error);
        cr_assert_eq(status, STATUS_OK, "%s", error.text);
        for (uint32_t place = 0; place < block->n_placements; place++) {
            if (!synthetic_stored(made, side, first + place))
                continue;
            for (int run_state = 0; run_state < shape->n_run_states; run_state++) {
                const value_t value = synthetic_value(made, side, first + place, run_state);
                n_wrong += block_value(block, place, shape->n_run_states, run_state) !=
                           (signs ? value_sign(value) : value);
            }
        }
        free(block);
    }
    table_close(table);
    cr_assert_eq(n_wrong, 0, "%s: %llu values differ", path, (unsigned long long)n_wrong);
}

static void expect_round_trip(const char *rule_set, const char *material, uint32_t n_patterns,
                              bool wide)
{
    const struct rules rules = rules_named(rule_set);
    struct synthetic made;
    synthetic_create(&made, &rules, material, n_patterns, 7);
    if (wide)
        synthetic_widen(&made, 29);
    for (int metric = METRIC_WDL; metric <= METRIC_DTW; metric++) {
        const char *path = path_of("T");
        synthetic_write(&made, &rules, (enum metric)metric, path, 2);
        expect_values(&rules, &made, (enum metric)metric, &file_io_map, path);
        expect_values(&rules, &made, (enum metric)metric, &file_io_read, path);
        cr_assert_eq(folder_entries(), 1, "something is left beside the table");
    }
    synthetic_free(&made);
}

/* Wrong: a table answers with a value of another placement, side or run state. */
Test(table, holds_what_went_in)
{
    for (int wide = 0; wide <= 1; wide++) {
        expect_round_trip("frisian", "KvK", 20, wide);
        expect_round_trip("frisian", "KKvK", 100, wide);
        expect_round_trip("frisian", "KMvK", 5000, wide);
        expect_round_trip("frisian", "KMvM", 1, wide);
        expect_round_trip("international", "MMvM", 255, wide);
        expect_round_trip("english", "MMvM", 300, wide);
    }
}

/* Wrong: large tables, with too many patterns for one dictionary, come back damaged. */
Test(table, holds_more_patterns_than_a_dictionary)
{
    const struct rules rules = rules_named("frisian");
    for (int wide = 0; wide <= 1; wide++) {
        struct synthetic made;
        size_t n_bytes = 0;
        synthetic_create(&made, &rules, "KMvM", 0, 9);
        if (wide)
            synthetic_widen(&made, 31);
        synthetic_write(&made, &rules, METRIC_DTW, path_of("KMvM.dtw"), 2);
        uint8_t *bytes = read_whole(path_of("KMvM.dtw"), &n_bytes);
        cr_assert_eq(bytes[49], DICTIONARY_BLOCK);
        free(bytes);
        synthetic_free(&made);
        cr_assert_eq(unlink(path_of("KMvM.dtw")), 0);
        expect_round_trip("frisian", "KMvM", 0, wide);
    }
}

/* Wrong: two machines make different files of the same values, and none can be checked by its
 * sum. */
Test(table, same_bytes_for_any_number_of_threads)
{
    const struct rules rules = rules_named("frisian");
    for (uint32_t n_patterns = 0; n_patterns <= 3000; n_patterns += 3000) {
        struct synthetic made;
        size_t n_one = 0;
        size_t n_two = 0;
        synthetic_create(&made, &rules, "KMvM", n_patterns, 11);
        synthetic_write(&made, &rules, METRIC_DTW, path_of("one"), 1);
        synthetic_write(&made, &rules, METRIC_DTW, path_of("two"), 3);
        uint8_t *one = read_whole(path_of("one"), &n_one);
        uint8_t *two = read_whole(path_of("two"), &n_two);
        cr_assert(n_one == n_two && memcmp(one, two, n_one) == 0);
        free(one);
        free(two);
        synthetic_free(&made);
    }
}

/* Wrong: the value hash depends on don't-cares or on how values were numbered, so that two
 * producers cannot compare; or it misses a changed value. */
Test(table, value_hash_tells_values_only)
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
        synthetic_write(&made, &rules, METRIC_DTW, path_of("T"), 2);
        const struct table_id id = {&rules, made.shape.material, METRIC_DTW};
        cr_assert_eq(table_open(path_of("T"), id, &file_io_map, &table, NULL), STATUS_OK);
        hash[i] = table_value_hash(table);
        table_close(table);
    }
    cr_assert_eq(hash[0], hash[1]);
    cr_assert_neq(hash[0], hash[2]);
    synthetic_free(&made);
}

/* Wrong: a table in which every placement is a capture cannot be written, or not be read. */
Test(table, may_store_nothing)
{
    const struct rules rules = rules_named("frisian");
    struct synthetic made;
    synthetic_create(&made, &rules, "KvM", 10, 15);
    for (int side = 0; side < 2; side++)
        memset(made.stored[side], 0, (made.shape.n_placements + 63) / 64 * 8);
    synthetic_write(&made, &rules, METRIC_WDL, path_of("KvM.wdl"), 1);
    expect_values(&rules, &made, METRIC_WDL, &file_io_map, path_of("KvM.wdl"));
    synthetic_free(&made);
}

/* --- files that are not what they should be --------------------------------------------------- */

/* Opens and decodes everything; the first error. Its text must name the file. */
static enum status read_all(const struct rules *rules, const char *material_name,
                            enum metric metric, const char *path)
{
    struct material material;
    struct table *table = NULL;
    struct error error = {0};
    cr_assert_eq(material_read(material_name, &material, NULL), STATUS_OK);
    const struct table_id id = {rules, material, metric};
    enum status status = table_open(path, id, &file_io_read, &table, &error);
    if (status == STATUS_OK) {
        const uint64_t n = table_n_blocks(table);
        for (uint64_t i = 0; i < n && status == STATUS_OK; i++) {
            struct block *block = NULL;
            status = table_decode_block(table, i, &block, &error);
            free(block);
        }
    }
    table_close(table);
    if (status != STATUS_OK) {
        cr_assert_eq(error.status, status);
        cr_assert_not_null(strstr(error.text, strrchr(path, '/')), "'%s' names no file",
                           error.text);
    }
    return status;
}

static uint8_t *small_table_of(int value_bytes, struct rules *rules, size_t *n_bytes)
{
    struct synthetic made;
    *rules = rules_named("frisian");
    synthetic_create(&made, rules, "KvM", 40, 17);
    if (value_bytes == 2)
        synthetic_widen(&made, 17);
    synthetic_write(&made, rules, METRIC_DTW, path_of("KvM.dtw"), 1);
    synthetic_free(&made);
    return read_whole(path_of("KvM.dtw"), n_bytes);
}

static uint8_t *small_table(struct rules *rules, size_t *n_bytes)
{
    return small_table_of(1, rules, n_bytes);
}

static void expect_flips_noticed(int value_bytes)
{
    struct rules rules;
    size_t n_bytes = 0;
    uint8_t *bytes = small_table_of(value_bytes, &rules, &n_bytes);
    const uint64_t index = load_u64(bytes + 96);
    const uint64_t blocks = load_u64(bytes + 112);
    for (size_t bit = 0; bit < n_bytes * 8; bit++) {
        const size_t at = bit / 8;
        write_byte(path_of("KvM.dtw"), at, bytes[at] ^ (uint8_t)(1 << bit % 8));
        const enum status status = read_all(&rules, "KvM", METRIC_DTW, path_of("KvM.dtw"));
        const enum status expected = at < 8        ? STATUS_NOT_A_TABLE
                                     : at < blocks ? STATUS_BAD_HEADER
                                                   : STATUS_BAD_BLOCK;
        cr_assert_eq(status, expected, "byte %zu of %zu (index at %zu): %s", at, n_bytes,
                     (size_t)index, status_name(status));
        write_byte(path_of("KvM.dtw"), at, bytes[at]);
    }
    free(bytes);
}

/* Wrong: a damaged file answers as if it were whole, or takes the program down. */
Test(table, notices_every_flipped_bit)
{
    expect_flips_noticed(1);
    expect_flips_noticed(2);
}

static void expect_sizes_noticed(int value_bytes)
{
    struct rules rules;
    size_t n_bytes = 0;
    uint8_t *bytes = small_table_of(value_bytes, &rules, &n_bytes);
    for (size_t length = 0; length < n_bytes; length += length < 400 ? 1 : 997) {
        write_whole(path_of("KvM.dtw"), bytes, length);
        const enum status status = read_all(&rules, "KvM", METRIC_DTW, path_of("KvM.dtw"));
        cr_assert_eq(status, length < 8 ? STATUS_NOT_A_TABLE : STATUS_TRUNCATED, "%zu bytes: %s",
                     length, status_name(status));
    }
    write_whole(path_of("KvM.dtw"), bytes, n_bytes + 1);
    cr_assert_eq(read_all(&rules, "KvM", METRIC_DTW, path_of("KvM.dtw")), STATUS_CORRUPT);
    free(bytes);
}

/* Wrong: a download that stopped half-way counts as a table. */
Test(table, notices_a_wrong_size)
{
    expect_sizes_noticed(1);
    expect_sizes_noticed(2);
}

/* Wrong: a table of another game, material, metric or format answers for the one that was asked. */
Test(table, notices_another_table)
{
    struct rules rules;
    size_t n_bytes = 0;
    const struct rules other = rules_named("frisian-no17");
    uint8_t *bytes = small_table(&rules, &n_bytes);
    char path[1024];
    snprintf(path, sizeof path, "%s", path_of("KvM.dtw"));
    cr_assert_eq(read_all(&rules, "KvM", METRIC_DTW, path), STATUS_OK);
    cr_assert_eq(read_all(&other, "KvM", METRIC_DTW, path), STATUS_WRONG_RULES);
    cr_assert_eq(read_all(&rules, "KMvM", METRIC_DTW, path), STATUS_WRONG_MATERIAL);
    cr_assert_eq(read_all(&rules, "KvM", METRIC_WDL, path), STATUS_NO_METRIC);
    cr_assert_eq(read_all(&rules, "KvM", METRIC_DTW, path_of("none")), STATUS_NO_TABLE);
    cr_assert_eq(read_all(&rules, "KvM", METRIC_DTW, folder), STATUS_IO);
    write_whole(path_of("text"), (const uint8_t *)"not a table at all", 18);
    cr_assert_eq(read_all(&rules, "KvM", METRIC_DTW, path_of("text")), STATUS_NOT_A_TABLE);
    bytes[8] = FORMAT_READ_VERSION + 1;
    store_u64(bytes + 248, XXH64(bytes, 248, 0));
    write_whole(path, bytes, n_bytes);
    cr_assert_eq(read_all(&rules, "KvM", METRIC_DTW, path), STATUS_WRONG_VERSION);
    free(bytes);
}

/* Wrong: who opens a folder of tables waits for ever, or reads a device to its end, which it has
 * not. */
Test(table, opens_regular_files_only, .timeout = 20)
{
    const struct rules rules = rules_named("frisian");
    cr_assert_eq(mkfifo(path_of("KvM.dtw"), 0666), 0);
    cr_assert_eq(read_all(&rules, "KvM", METRIC_DTW, path_of("KvM.dtw")), STATUS_IO);
    cr_assert_eq(read_all(&rules, "KvM", METRIC_DTW, "/dev/zero"), STATUS_IO);
    cr_assert_eq(symlink("/dev/zero", path_of("KvM.wdl")), 0);
    cr_assert_eq(read_all(&rules, "KvM", METRIC_WDL, path_of("KvM.wdl")), STATUS_IO);
    cr_assert_eq(symlink("KMvM.wdl", path_of("KMvM.wdl")), 0);
    cr_assert_eq(read_all(&rules, "KMvM", METRIC_WDL, path_of("KMvM.wdl")), STATUS_IO);
}

static void expect_contradictions_noticed(int value_bytes)
{
    struct rules rules;
    size_t n_bytes = 0;
    uint8_t *bytes = small_table_of(value_bytes, &rules, &n_bytes);
    for (size_t at = 42; at < 248; at++) {
        static const uint8_t changes[] = {0x01, 0x80, 0xff};
        if ((at >= 136 && at < 144) || at == 10 || at == 11)
            continue; /* the value hash is of no meaning to the reader */
        for (size_t i = 0; i < sizeof changes; i++) {
            bytes[at] ^= changes[i];
            store_u64(bytes + 248, XXH64(bytes, 248, 0));
            write_whole(path_of("KvM.dtw"), bytes, n_bytes);
            const enum status status = read_all(&rules, "KvM", METRIC_DTW, path_of("KvM.dtw"));
            const bool count = at >= 144 && at < 160; /* a smaller count is possible */
            cr_assert(status != STATUS_OK || count, "byte %zu ^ %d is accepted", at, changes[i]);
            bytes[at] ^= changes[i];
        }
    }
    free(bytes);
}

/* Wrong: a header with sound checksums but impossible numbers makes the reader leave the file. */
Test(table, notices_numbers_that_contradict)
{
    expect_contradictions_noticed(1);
    expect_contradictions_noticed(2);
}

/* --- sizes that no content needs -------------------------------------------------------------- */

enum { AT_PATTERNS_SIZE = 88, AT_INDEX_GROUP = 76, AT_FILE_SIZES = 96, SKIPPED = 100000 };

/* A zstd frame that is to be skipped, SKIPPED bytes long: behind another one it changes nothing but
 * the size. */
static void skippable(uint8_t *at)
{
    memset(at, 0, SKIPPED);
    store_u32(at, 0x184d2a50);
    store_u32(at + 4, SKIPPED - 8);
}

/* Moves what is behind `at` back by SKIPPED bytes, and puts a frame to be skipped there. */
static uint8_t *make_longer(const uint8_t *bytes, size_t n_bytes, size_t at)
{
    uint8_t *longer = synthetic_alloc(n_bytes + SKIPPED);
    memcpy(longer, bytes, at);
    skippable(longer + at);
    memcpy(longer + at + SKIPPED, bytes + at, n_bytes - at);
    return longer;
}

static void add_to(uint8_t *bytes, size_t at, uint64_t number)
{
    store_u64(bytes + at, load_u64(bytes + at) + number);
}

static enum status open_sealed(const struct rules *rules, uint8_t *bytes, size_t n_bytes,
                               struct error *error)
{
    struct material material;
    struct table *table = NULL;
    cr_assert_eq(material_read("KvM", &material, NULL), STATUS_OK);
    store_u64(bytes + 248, XXH64(bytes, 248, 0));
    write_whole(path_of("T"), bytes, n_bytes);
    const struct table_id id = {rules, material, METRIC_DTW};
    const enum status status = table_open(path_of("T"), id, &file_io_read, &table, error);
    table_close(table);
    return status;
}

/* Wrong: a file of some bytes on the disk makes its reader hash gigabytes, or ask for as much
 * memory: its sizes are sound, but nothing that its material can hold needs them. */
Test(table, refuses_sizes_that_no_content_needs)
{
    struct rules rules;
    struct error error = {0};
    size_t n_bytes = 0;
    uint8_t *bytes = small_table(&rules, &n_bytes);
    const size_t index = (size_t)load_u64(bytes + 96);
    const size_t n_index = (size_t)load_u64(bytes + 104);
    const size_t n_first = load_u32(bytes + index);

    uint8_t *longer = make_longer(bytes, n_bytes, index);
    add_to(longer, AT_PATTERNS_SIZE, SKIPPED);
    add_to(longer, AT_FILE_SIZES, SKIPPED);
    add_to(longer, AT_FILE_SIZES + 16, SKIPPED);
    add_to(longer, AT_FILE_SIZES + 32, SKIPPED);
    store_u64(longer + 160, XXH64(longer + 256, index + SKIPPED - 256, 0));
    cr_assert_eq(open_sealed(&rules, longer, n_bytes + SKIPPED, &error), STATUS_CORRUPT);
    cr_assert_not_null(strstr(error.text, "patterns or model, more than"), "%s", error.text);
    free(longer);

    longer = make_longer(bytes, n_bytes, index + n_index + n_first);
    store_u32(longer + index, (uint32_t)(n_first + SKIPPED));
    store_u64(longer + index + 4,
              XXH64(longer + index + n_index, n_first + SKIPPED, 0)); /* a group of one block */
    add_to(longer, AT_FILE_SIZES + 24, SKIPPED);
    add_to(longer, AT_FILE_SIZES + 32, SKIPPED);
    store_u64(longer + 168, XXH64(longer + index, n_index, 0));
    cr_assert_eq(open_sealed(&rules, longer, n_bytes + SKIPPED, &error), STATUS_CORRUPT);
    cr_assert_not_null(strstr(error.text, "block 0 of"), "%s", error.text);
    free(longer);
    free(bytes);
}

/* Wrong: the same of a group of blocks, each of a size that it may have. */
Test(table, refuses_groups_that_are_too_large)
{
    struct rules rules;
    struct error error = {0};
    size_t n_bytes = 0;
    uint8_t *bytes = small_table(&rules, &n_bytes);
    const uint32_t placements = load_u32(bytes + 52);
    const size_t index = (size_t)load_u64(bytes + 96);
    const uint32_t n_blocks = (uint32_t)load_u64(bytes + 64);
    const uint32_t group = MAX_GROUP_PLACEMENTS / placements + 1;
    const size_t n_index = 4 * n_blocks + 8 * ((n_blocks + group - 1) / group);
    cr_assert(group <= MAX_INDEX_GROUP && n_blocks < group);
    /* One checksum for all blocks in place of one for each. */
    const size_t n_less = (size_t)load_u64(bytes + 104) - n_index;
    uint8_t *shorter = synthetic_alloc(n_bytes);
    memcpy(shorter, bytes, index);
    for (uint32_t i = 0; i < n_blocks; i++)
        memcpy(shorter + index + 4 * i, bytes + index + 12 * i, 4);
    const size_t blocks = index + n_index;
    memcpy(shorter + blocks, bytes + blocks + n_less, n_bytes - n_less - blocks);
    store_u64(shorter + index + 4 * n_blocks,
              XXH64(shorter + blocks, n_bytes - n_less - blocks, 0));
    store_u64(shorter + 168, XXH64(shorter + index, n_index, 0));
    store_u64(shorter + 104, n_index);
    store_u64(shorter + 112, blocks);
    store_u64(shorter + 128, n_bytes - n_less);
    shorter[AT_INDEX_GROUP] = (uint8_t)(group - 1);
    cr_assert_eq(open_sealed(&rules, shorter, n_bytes - n_less, &error), STATUS_OK, "%s",
                 error.text);
    shorter[AT_INDEX_GROUP] = (uint8_t)group;
    cr_assert_eq(open_sealed(&rules, shorter, n_bytes - n_less, &error), STATUS_CORRUPT);
    cr_assert_not_null(strstr(error.text, "contradict"), "%s", error.text);
    free(shorter);
    free(bytes);
}

/* --- a side to move that is left out ---------------------------------------------------------- */

enum {
    AT_READ_VERSION = 8,
    AT_BLOCKS = 64,
    AT_GROUP = 76,
    AT_WIDTH = 77,
    AT_LEFT_OUT = 78,
    AT_INDEX = 96 /* its offset and size, those of the blocks, the size of the file */
};

/* A table of made-up values without the blocks of a side: all else is as a writer would have it.
 * Returns its bytes. */
static uint8_t *without_side(const char *rule_set, const char *material, enum metric metric,
                             int side, bool wide, size_t *n_bytes)
{
    const struct rules rules = rules_named(rule_set);
    struct synthetic made;
    synthetic_create(&made, &rules, material, 40, 23);
    if (wide)
        synthetic_widen(&made, 23);
    synthetic_write(&made, &rules, metric, path_of("T"), 1);
    uint8_t *from = read_whole(path_of("T"), n_bytes);
    uint8_t *bytes = synthetic_alloc(*n_bytes);
    const uint64_t n_sides = (uint64_t)made.shape.n_sides;
    const uint64_t per_side = load_u64(from + AT_BLOCKS) / n_sides;
    const uint64_t n_blocks = per_side * (n_sides - 1);
    const uint64_t first = side == WHITE && n_sides == 2 ? per_side : 0;
    const uint64_t group = from[AT_GROUP];
    const uint64_t width = from[AT_WIDTH];
    const uint64_t index = load_u64(from + AT_INDEX);
    const uint64_t n_index = width * n_blocks + 8 * ((n_blocks + group - 1) / group);
    const uint8_t *block = from + load_u64(from + AT_INDEX + 16);
    uint8_t *entry = bytes + index;
    uint8_t *out = entry + n_index;
    uint8_t *of_group = out;

    memcpy(bytes, from, index);
    for (uint64_t i = 0; i < first + n_blocks; i++) {
        const uint8_t *size = from + index + i * width + i / group * 8;
        const size_t n = (size_t)load_number(size, (uint32_t)width);
        if (i >= first) {
            memcpy(entry, size, width);
            memcpy(out, block, n);
            entry += width;
            out += n;
            if ((i - first + 1) % group == 0 || i + 1 == first + n_blocks) {
                store_u64(entry, XXH64(of_group, (size_t)(out - of_group), 0));
                entry += 8;
                of_group = out;
            }
        }
        block += n;
    }
    *n_bytes = (size_t)(out - bytes);
    if (!wide)
        bytes[AT_READ_VERSION] = 3;
    bytes[AT_LEFT_OUT] = (uint8_t)(1 << side);
    store_u64(bytes + AT_BLOCKS, n_blocks);
    store_u64(bytes + AT_INDEX + 8, n_index);
    store_u64(bytes + AT_INDEX + 16, index + n_index);
    store_u64(bytes + AT_INDEX + 24, *n_bytes - index - n_index);
    store_u64(bytes + AT_INDEX + 32, *n_bytes);
    store_u64(bytes + 168, XXH64(bytes + index, (size_t)n_index, 0));
    free(from);
    synthetic_free(&made);
    return bytes;
}

/* Opens bytes as a table once the header's checksum is put right. */
static enum status open_bytes(const char *rule_set, const char *name, enum metric metric,
                              uint8_t *bytes, size_t n_bytes, struct table **table,
                              struct error *error)
{
    const struct rules rules = rules_named(rule_set);
    struct material material;
    cr_assert_eq(material_read(name, &material, NULL), STATUS_OK);
    store_u64(bytes + 248, XXH64(bytes, 248, 0));
    write_whole(path_of("T"), bytes, n_bytes);
    const struct table_id id = {&rules, material, metric};
    return table_open(path_of("T"), id, &file_io_read, table, error);
}

/* Wrong: of a side that is left out values are read, or of the other one not its own. */
Test(table, holds_the_side_that_is_not_left_out)
{
    static const struct {
        const char *rules, *material;
        bool wide;
    } tables[] = {{"frisian", "KMvK", false},
                  {"english", "KvM", false},
                  {"frisian-no18", "KKvK", false},
                  {"frisian", "KMvK", true},
                  {"english", "KvM", true}};
    for (size_t i = 0; i < 2 * sizeof tables / sizeof tables[0]; i++) {
        const enum side left_out = i % 2 == 0 ? WHITE : BLACK;
        const enum side stored = side_other(left_out);
        const struct rules rules = rules_named(tables[i / 2].rules);
        struct synthetic made;
        struct table *table = NULL;
        struct error error = {0};
        uint64_t n_wrong = 0;
        uint64_t index = 0;
        size_t n_bytes = 0;
        uint8_t *bytes = without_side(rules.name, tables[i / 2].material, METRIC_DTW, (int)left_out,
                                      tables[i / 2].wide, &n_bytes);
        cr_assert_eq(open_bytes(rules.name, tables[i / 2].material, METRIC_DTW, bytes, n_bytes,
                                &table, &error),
                     STATUS_OK, "%s", error.text);
        cr_assert(table_stores(table, stored) && !table_stores(table, left_out));
        cr_assert_not(table_is_whole(table));
        cr_assert_eq(table_first_block(table, stored), 0);
        cr_assert_eq(table_n_blocks(table), table_blocks_per_side(table));
        synthetic_create(&made, &rules, tables[i / 2].material, 40, 23);
        if (tables[i / 2].wide)
            synthetic_widen(&made, 23);
        for (uint64_t number = 0; number < table_n_blocks(table); number++) {
            struct block *block = NULL;
            cr_assert_eq(table_decode_block(table, number, &block, &error), STATUS_OK, "%s",
                         error.text);
            for (uint32_t place = 0; place < block->n_placements; place++, index++)
                n_wrong += synthetic_stored(&made, (int)stored, index) &&
                           block_value(block, place, made.shape.n_run_states, 0) !=
                               synthetic_value(&made, (int)stored, index, 0);
            free(block);
        }
        cr_assert_eq(index, made.shape.n_placements);
        cr_assert_eq(n_wrong, 0, "%s: %llu values differ", tables[i / 2].material,
                     (unsigned long long)n_wrong);
        synthetic_free(&made);
        table_close(table);
        free(bytes);
    }
}

/* Wrong: a side is taken for left out whose values nothing says, or none is left to read. */
Test(table, refuses_a_side_left_out_that_must_not_be)
{
    static const struct {
        const char *rules, *material;
        enum metric metric;
        enum side side;
        int byte;    /* 78: which side, by its bit */
        int version; /* to read it */
    } tables[] = {
        {"frisian", "KMvK", METRIC_DTW, WHITE, 1, 2}, /* a version that knew of none */
        {"frisian", "KMvK", METRIC_DTW, WHITE, 3, 3}, /* both */
        {"frisian", "KMvK", METRIC_DTW, WHITE, 4, 3}, /* nobody */
        {"frisian", "KMvK", METRIC_DTW, WHITE, 5, 3},
        {"frisian", "KMvK", METRIC_DTW, WHITE, 129, 3},
        {"frisian", "KMvK", METRIC_DTW, WHITE, 255, 3},
        {"frisian", "KMvK", METRIC_DTW, WHITE, 0, 3}, /* too few blocks for both */
        {"frisian", "KMvK", METRIC_WDL, WHITE, 1, 3}, /* outcomes */
        {"frisian", "KMvK", METRIC_WDL, BLACK, 2, 3},
        {"frisian-no18", "KKvK", METRIC_WDL, BLACK, 2, 3},
        {"frisian", "KKvK", METRIC_DTW, WHITE, 1, 3}, /* a clock has a part in it */
        {"frisian", "KKvK", METRIC_DTW, BLACK, 2, 3},
        {"frisian", "KKvK", METRIC_WDL, BLACK, 2, 3},
        {"frisian-no17", "KKvK", METRIC_DTW, BLACK, 2, 3},
        {"frisian", "MvM", METRIC_DTW, WHITE, 1, 3}, /* one side to move: no blocks left */
        {"frisian", "MvM", METRIC_DTW, BLACK, 2, 3},
        {"international", "KvK", METRIC_DTW, WHITE, 1, 3},
        {"frisian", "KvK", METRIC_DTW, WHITE, 1, 3},
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        struct table *table = NULL;
        struct error error = {0};
        size_t n_bytes = 0;
        uint8_t *bytes = without_side(tables[i].rules, tables[i].material, tables[i].metric,
                                      (int)tables[i].side, false, &n_bytes);
        bytes[AT_LEFT_OUT] = (uint8_t)tables[i].byte;
        bytes[AT_READ_VERSION] = (uint8_t)tables[i].version;
        const enum status status = open_bytes(tables[i].rules, tables[i].material, tables[i].metric,
                                              bytes, n_bytes, &table, &error);
        cr_assert_eq(status, STATUS_CORRUPT, "%s, byte %d: %s", tables[i].material, tables[i].byte,
                     status_name(status));
        cr_assert_not_null(strstr(error.text, "contradict"), "%s", error.text);
        table_close(table);
        free(bytes);
    }
    /* A table of both sides that says it had one. */
    for (int byte = 1; byte <= 3; byte++) {
        struct rules rules;
        struct table *table = NULL;
        struct error error = {0};
        size_t n_bytes = 0;
        uint8_t *bytes = small_table(&rules, &n_bytes);
        bytes[AT_READ_VERSION] = 3;
        bytes[AT_LEFT_OUT] = (uint8_t)byte;
        cr_assert_eq(open_bytes("frisian", "KvM", METRIC_DTW, bytes, n_bytes, &table, &error),
                     STATUS_CORRUPT);
        cr_assert_not_null(strstr(error.text, "contradict"), "%s", error.text);
        free(bytes);
    }
}

/* --- failed writes ---------------------------------------------------------------------------- */

/* Wrong: what cannot be written whole leaves something that a later run takes for a table, or
 * destroys the table that was there. */
Test(table, leaves_nothing_behind_when_it_fails)
{
    const struct rules rules = rules_named("frisian");
    const struct rlimit limit = {5000, 5000};
    struct synthetic made;
    struct error error = {0};
    size_t n_before = 0;
    size_t n_after = 0;

    synthetic_create(&made, &rules, "KMvK", 40, 19);
    const struct table_id id = {&rules, made.shape.material, METRIC_DTW};
    cr_assert_eq(table_write(path_of("none/KMvK.dtw"), id, made.sides, 1, 1, &error), STATUS_IO);
    cr_assert_not_null(strstr(error.text, "none/KMvK.dtw"), "%s", error.text);
    cr_assert_eq(folder_entries(), 0);

    cr_assert_eq(mkdir(path_of("KMvK.dtw"), 0777), 0);
    cr_assert_eq(mkdir(path_of("KMvK.dtw/full"), 0777), 0);
    cr_assert_eq(table_write(path_of("KMvK.dtw"), id, made.sides, 1, 1, &error), STATUS_IO);
    cr_assert_eq(folder_entries(), 1);

    write_whole(path_of(".T.tmp"), (const uint8_t *)"left by a run that was killed", 29);
    synthetic_write(&made, &rules, METRIC_DTW, path_of("T"), 1);
    cr_assert_eq(folder_entries(), 2);
    uint8_t *before = read_whole(path_of("T"), &n_before);

    signal(SIGXFSZ, SIG_IGN);
    cr_assert_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    made.low[WHITE][1]++;
    cr_assert_eq(table_write(path_of("T"), id, made.sides, 1, 1, &error), STATUS_IO);
    cr_assert_eq(folder_entries(), 2);
    uint8_t *after = read_whole(path_of("T"), &n_after);
    cr_assert(n_before == n_after && memcmp(before, after, n_before) == 0);
    free(before);
    free(after);
    synthetic_free(&made);
}

/* Wrong: a placement the solver left without a value goes into a table. */
Test(table, refuses_a_stored_placement_without_value)
{
    const struct rules rules = rules_named("frisian");
    struct synthetic made;
    struct error error = {0};
    uint64_t stored = 0;
    synthetic_create(&made, &rules, "KvM", 10, 21);
    while (!synthetic_stored(&made, BLACK, stored))
        stored++;
    made.patterns[BLACK][made.low[BLACK][stored]] = BYTE_NONE;
    const struct table_id id = {&rules, made.shape.material, METRIC_WDL};
    cr_assert_eq(table_write(path_of("KvM.wdl"), id, made.sides, 1, 1, &error), STATUS_CORRUPT);
    cr_assert_eq(folder_entries(), 0);
    synthetic_free(&made);
}

/* A machine of 32 bits may meet a file, or a part of one, of more bytes than its addresses can tell.
 * With the size cut to what they can, the bytes would be written behind a small piece of memory. */
Test(table, refuses_more_bytes_than_can_be_addressed)
{
    struct error error = {0};
    struct file *file = NULL;
    uint8_t *bytes = NULL;
    const char *path = path_of("file");
    write_whole(path, (const uint8_t *)"bytes", 5);
    cr_assert_eq(file_open(path, &file_io_read, &file, &error), STATUS_OK, "%s", error.text);
    cr_assert_eq(file_read(file, 0, SIZE_MAX, &bytes, &error), STATUS_NO_MEMORY);
    cr_assert_null(bytes);
    cr_assert_not_null(strstr(error.text, "cannot be addressed"), "%s", error.text);
    cr_assert_eq(file_read(file, 0, 5, &bytes, &error), STATUS_OK, "%s", error.text);
    cr_assert_arr_eq(bytes, "bytes", 5);
    free(bytes);
    file_close(file);
}
