/* Tables coded with a model: the same values in fewer bytes, or the table as it was. */
#include "core/program/index.h"
#include "core/program/materials.h"
#include "core/program/random.h"
#include "probe/cache.h"
#include "table/bytes.h"
#include "table/checksum.h"
#include "table/table_open.h"
#include "tests/support/stopping.h"
#include "tests/support/synthetic.h"
#include "tests/support/table_bytes.h"
#include "tests/support/tables.h"

#include <zstd.h>

TestSuite(compress, .init = make_folder, .fini = drop_folder, .timeout = 300);

/* --- values ----------------------------------------------------------------------------------- */

/* Compresses a table; returns true if it has become smaller. */
static bool expect_compressed(const struct rules *rules, const char *name, einspul_metric metric,
                              int n_threads)
{
    einspul_error error = {0};
    uint64_t n_bytes = 0;
    size_t n_before = 0;
    size_t n_after = 0;
    char path[1024];
    snprintf(path, sizeof path, "%s", table_name(rules, name, metric));
    uint8_t *before = read_whole(path, &n_before);
    struct table *table = open_whole(rules, name, metric, path);
    cr_assert_not(table->header.dictionary == DICTIONARY_MODEL);
    cr_assert_eq(
        table_compress(table, rules, COMPRESS_WHOLE, path, n_threads, NULL, &n_bytes, &error),
        EINSPUL_OK, "%s", error.text);
    uint8_t *after = read_whole(path, &n_after);
    struct table *again = open_whole(rules, name, metric, path);
    const bool smaller = again->header.dictionary == DICTIONARY_MODEL;
    cr_assert_eq(n_bytes, n_after);
    if (smaller) {
        cr_assert_lt(n_after, n_before);
        expect_header(path);
        for (int side = 0; side < table->shape.n_sides; side++)
            cr_assert_eq(table->header.n_stored[side], again->header.n_stored[side]);
        cr_assert_eq(table->header.value_hash, again->header.value_hash);
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

static void keeps_the_values(const char *rule_set)
{
    const struct rules rules = rules_named(rule_set);
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, 3, materials);
    int n_smaller = 0;
    generate(&rules, 3, NULL, METRICS_BOTH);
    for (int j = 0; j < 2 * n_materials; j++) {
        char name[MATERIAL_NAME_SIZE];
        material_write(&materials[j / 2], name);
        n_smaller +=
            expect_compressed(&rules, name, j % 2 == 0 ? EINSPUL_WDL : EINSPUL_DTW, 1 + j % 2);
    }
    cr_assert(n_smaller >= 4 && n_smaller < 2 * n_materials, "%s: %d tables", rules.name,
              n_smaller);
}

/* Fails if compressing changes an answer. Both boards, with and without king runs. */
Test(compress, keeps_the_values_of_small_tables)
{
    keeps_the_values("frisian");
    keeps_the_values("english");
}

Test(compress, long_keeps_the_values_of_all_small_tables)
{
    for (int i = 0; i < N_RULES; i++) {
        const struct rules rules = rules_named(einspul_rules_list()[i]);
        if (rules.table_rules ==
            rules.id) /* most are another rule set's, and the others have clocks */
            keeps_the_values(rules.name);
    }
}

/* The first material in which both sides have king runs. */
Test(compress, long_keeps_the_values_of_a_large_table)
{
    const struct rules rules = rules_named("frisian");
    generate(&rules, 0, "KMvKM", METRICS_WDL);
    cr_assert(expect_compressed(&rules, "KMvKM", EINSPUL_WDL, 2));
}

/* Fails if two machines make different files of the same table, and none can be checked by its
 * sum. */
Test(compress, same_bytes_for_any_number_of_threads)
{
    const struct rules rules = rules_named("frisian");
    generate(&rules, 0, "KMvM", METRICS_BOTH);
    for (int kind = 0; kind < 3; kind++) {
        const einspul_metric metric = kind == 0 ? EINSPUL_WDL : EINSPUL_DTW;
        uint8_t *bytes[3];
        size_t n[3] = {0};
        struct table *table =
            open_whole(&rules, "KMvM", metric, table_name(&rules, "KMvM", metric));
        for (int i = 0; i < 3; i++) {
            einspul_error error = {0};
            uint64_t n_bytes = 0;
            cr_assert_eq(table_compress(table, &rules, kind < 2 ? COMPRESS_WHOLE : COMPRESS_DEFAULT,
                                        path_of("T"), i + 1, NULL, &n_bytes, &error),
                         EINSPUL_OK, "%s", error.text);
            bytes[i] = read_whole(path_of("T"), &n[i]);
            cr_assert(n[i] == n[0] && memcmp(bytes[i], bytes[0], n[0]) == 0, "%d threads", i + 1);
        }
        for (int i = 0; i < 3; i++)
            free(bytes[i]);
        table_close(table);
    }
}

/* Compresses KMvM, in place, and opens it. */
static struct table *compressed(const struct rules *rules)
{
    char path[1024];
    generate(rules, 0, "KMvM", METRICS_WDL);
    snprintf(path, sizeof path, "%s", table_name(rules, "KMvM", EINSPUL_WDL));
    cr_assert(expect_compressed(rules, "KMvM", EINSPUL_WDL, 2));
    return open_whole(rules, "KMvM", EINSPUL_WDL, path);
}

/* Fails if a probe that decodes no more of a block than it needs gets another value than one that
 * decodes all, or all is decoded in any case. */
Test(compress, partial_decoding_equals_full)
{
    const struct rules rules = rules_named("frisian");
    struct table *table = compressed(&rules);
    const int length = table->shape.n_rule_states;
    uint64_t seed = 5;
    int n_parts = 0;
    for (int i = 0; i < 2000; i++) {
        einspul_error error = {0};
        struct block *whole = NULL;
        struct block *part = NULL;
        const uint64_t number = random_next(&seed) % table->header.n_blocks;
        cr_assert_eq(table_decode_block(table, number, UINT32_MAX, &whole, &error), EINSPUL_OK);
        const uint32_t place = (uint32_t)(random_next(&seed) % whole->n_placements);
        cr_assert_eq(table_decode_block(table, number, place, &part, &error), EINSPUL_OK);
        cr_assert(!whole->is_partial && part->n_placements <= whole->n_placements);
        cr_assert_eq(part->is_partial, part->n_placements < whole->n_placements);
        cr_assert(part->n_placements > place && part->n_placements <= place + MAX_SQUARES);
        const uint64_t first = number % table->blocks_per_side * table->header.block_placements;
        for (uint32_t at = 0; at < part->n_placements; at++) {
            struct placement placement;
            if (!shape_unrank(&table->shape, first + at, table_block_side(table, number),
                              &placement) ||
                placement_has_capture(&rules, &placement))
                continue; /* of no meaning */
            for (int state = 0; state < length; state++)
                cr_assert_eq(block_value(part, at, length, (uint32_t)state),
                             block_value(whole, at, length, (uint32_t)state));
        }
        n_parts += part->is_partial;
        free(whole);
        free(part);
    }
    cr_assert_gt(n_parts, 1000);
    table_close(table);
}

/* Fails if a probe beyond the decoded part of a block reads past it, never decodes the rest, or
 * decodes the block each time. */
Test(compress, a_block_is_decoded_twice_at_most)
{
    const struct rules rules = rules_named("frisian");
    struct table *table = compressed(&rules);
    struct cache *cache = cache_create((size_t)16 << 20);
    struct cache_slot slot = {0};
    struct block *whole = NULL;
    cr_assert_eq(table_decode_block(table, 0, UINT32_MAX, &whole, NULL), EINSPUL_OK);
    const uint32_t last = whole->n_placements - 1;
    const uint32_t places[] = {0, 0, last, 0, last, last / 2};
    for (size_t i = 0; i < sizeof places / sizeof places[0]; i++) {
        unsigned flags = 0;
        value_t value = VALUE_NONE;
        struct cache_reader *reader = cache_enter(cache);
        const struct block *found = cache_peek(&slot, &flags);
        cr_assert_eq(cache_holds(found, flags, places[i]), i == 1 || i > 2, "probe %zu", i);
        cr_assert_eq(cache_is_whole(&slot), i > 2);
        if (cache_holds(found, flags, places[i]))
            value = block_value(found, places[i], table->shape.n_rule_states, 0);
        cache_leave(reader);
        if (value == VALUE_NONE) {
            struct block *block = NULL;
            bool kept = false;
            cr_assert_eq(cache_decode(cache, &slot, table, 0, places[i], &block, &kept, NULL),
                         EINSPUL_OK);
            value = block_value(block, places[i], table->shape.n_rule_states, 0);
            cr_assert(kept);
            free(block);
        }
        cr_assert_eq(value, block_value(whole, places[i], table->shape.n_rule_states, 0));
    }
    cr_assert_eq(atomic_load(&cache->decoded_blocks), 2);
    cache_destroy(cache);
    free(whole);
    table_close(table);
}

/* --- tables that cannot be compressed --------------------------------------------------------- */

/* Checks that compressing frisian KMvM in place fails and leaves the file unchanged. */
static void expect_refused(const char *path, einspul_status expected, const char *text)
{
    const struct rules rules = rules_named("frisian");
    struct table *table = open_whole(&rules, "KMvM", EINSPUL_DTW, path);
    einspul_error error = {0};
    uint64_t n_bytes = 0;
    size_t n_before = 0;
    size_t n_after = 0;
    const int n_entries = folder_entries();
    uint8_t *before = read_whole(path, &n_before);
    const einspul_status status =
        table_compress(table, &rules, COMPRESS_WHOLE, path, 2, NULL, &n_bytes, &error);
    cr_assert_eq(status, expected, "%s: %s", einspul_status_name(status), error.text);
    cr_assert(strstr(error.text, strrchr(path, '/')) != NULL && strstr(error.text, text) != NULL,
              "%s", error.text);
    uint8_t *after = read_whole(path, &n_after);
    cr_assert(n_before == n_after && memcmp(before, after, n_before) == 0, "it was changed");
    cr_assert_eq(folder_entries(), n_entries, "something is left beside the table");
    table_close(table);
    free(before);
    free(after);
}

/* Fails if a damaged table is replaced by one that looks intact. */
Test(compress, refuses_a_damaged_table)
{
    const struct rules rules = rules_named("frisian");
    char path[1024];
    size_t n_bytes = 0;
    snprintf(path, sizeof path, "%s", path_of("T"));
    generate(&rules, 0, "KMvM", METRICS_BOTH);
    uint8_t *bytes = read_whole(table_name(&rules, "KMvM", EINSPUL_DTW), &n_bytes);

    const size_t last = (size_t)load_u64(bytes + 96) - 1; /* of the blocks */
    bytes[last] ^= 0x10;
    write_whole(path, bytes, n_bytes);
    expect_refused(path, EINSPUL_BAD_BLOCK, "checksum mismatch");
    bytes[last] ^= 0x10;

    store_u64(bytes + 144, load_u64(bytes + 144) - 1); /* stored placements of White */
    seal_header(bytes);
    write_whole(path, bytes, n_bytes);
    expect_refused(path, EINSPUL_CORRUPT, "placement count does not match");
    store_u64(bytes + 144, load_u64(bytes + 144) + 1);

    store_u64(bytes + 136, load_u64(bytes + 136) + 1); /* the hash of the values */
    seal_header(bytes);
    write_whole(path, bytes, n_bytes);
    expect_refused(path, EINSPUL_CORRUPT, "value hash mismatch");
    free(bytes);
}

/* Fails if values that a model cannot represent are accepted, and lost. */
Test(compress, refuses_impossible_values)
{
    const struct rules rules = rules_named("frisian");
    struct synthetic made;
    synthetic_create(&made, &rules, "KMvM", 300, 3);
    synthetic_write(&made, &rules, EINSPUL_DTW, path_of("T"), 2);
    expect_refused(path_of("T"), EINSPUL_CORRUPT, "invalid values at placement");

    /* Equal in all states, except at one placement: worse after one king move, but not after
     * three. */
    for (size_t i = 0; i < 300; i++) {
        uint8_t *values = made.patterns[WHITE] + 4 * i;
        memset(values, values[0], 4);
        memset(made.patterns[BLACK] + 4 * i, VALUE_DRAW, 4);
        values[1] = i == 123 ? VALUE_LOST : values[0];
    }
    made.patterns[WHITE][4 * 123] = VALUE_DRAW;
    made.patterns[WHITE][4 * 123 + 3] = VALUE_DRAW;
    synthetic_write(&made, &rules, EINSPUL_DTW, path_of("T"), 2);
    expect_refused(path_of("T"), EINSPUL_CORRUPT, "invalid values at placement");
    synthetic_free(&made);
}

/* Fails if an error does not name the file that cannot be written. */
Test(compress, names_the_file_it_cannot_write)
{
    const struct rules rules = rules_named("frisian");
    einspul_error error = {0};
    uint64_t n_bytes = 0;
    generate(&rules, 0, "KMvM", METRICS_WDL);
    struct table *table =
        open_whole(&rules, "KMvM", EINSPUL_WDL, table_name(&rules, "KMvM", EINSPUL_WDL));
    cr_assert_eq(table_compress(table, &rules, COMPRESS_WHOLE, path_of("none/KMvM.wdl"), 1, NULL,
                                &n_bytes, &error),
                 EINSPUL_IO);
    cr_assert_not_null(strstr(error.text, "none/KMvM.wdl"), "%s", error.text);
    table_close(table);
}

/* --- the packed index ------------------------------------------------------------------------- */

/* Opens a copy of a table with these bytes as its index and valid checksums. */
static einspul_status open_with_index(struct table_id id, const uint8_t *bytes,
                                      const uint8_t *index, size_t n_index, einspul_error *error)
{
    enum { AT_INDEX = 96 };
    const size_t begin = (size_t)load_u64(bytes + AT_INDEX);
    uint8_t *made = synthetic_alloc(begin + n_index);
    struct table *table = NULL;
    memcpy(made, bytes, begin);
    memcpy(made + begin, index, n_index);
    store_u64(made + AT_INDEX_SIZE, n_index);
    store_u64(made + AT_FILE_SIZE, begin + n_index);
    store_u64(made + AT_INDEX_CHECKSUM, format_checksum(index, n_index));
    const einspul_status status = open_sealed(id, made, begin + n_index, &table, error);
    table_close(table);
    free(made);
    return status;
}

/* Fails if an index that unpacks to more or less than blocks need, or to nothing, makes the reader
 * ask for any amount of memory, or is read as if it were one. */
Test(compress, rejects_malformed_packed_index)
{
    enum { MORE, LESS, OTHER_SIZE, SAME, N_CONTENTS };
    const struct rules rules = rules_named("frisian");
    struct table *table = compressed(&rules);
    struct table_id id = {.rules = &rules, .metric = EINSPUL_WDL};
    einspul_error error = {0};
    size_t n_bytes = 0;
    cr_assert_eq(material_read("KMvM", &id.material, &error), EINSPUL_OK);
    uint8_t *bytes = read_whole(table->path, &n_bytes);
    const uint8_t *packed = bytes + load_u64(bytes + 96);
    const size_t n_packed = (size_t)load_u64(bytes + 104);
    const uint64_t n_blocks = load_u64(bytes + 64);
    const size_t most = (size_t)(2 * n_blocks + 8 * ((n_blocks + bytes[76] - 1) / bytes[76]));
    const size_t n = (size_t)ZSTD_getFrameContentSize(packed, n_packed);
    uint8_t *content = synthetic_alloc(most + 1);
    uint8_t *frame = synthetic_alloc(ZSTD_compressBound(most + 1));
    cr_assert_eq(ZSTD_decompress(content, n, packed, n_packed), n);

    for (int kind = 0; kind < N_CONTENTS; kind++) {
        const size_t length = kind == MORE ? most + 1 : kind == LESS ? (size_t)n_blocks : n;
        content[0] ^= kind == OTHER_SIZE;
        const size_t size = ZSTD_compress(frame, ZSTD_compressBound(most + 1), content, length, 1);
        content[0] ^= kind == OTHER_SIZE;
        const einspul_status status = open_with_index(id, bytes, frame, size, &error);
        cr_assert_eq(status, kind == SAME ? EINSPUL_OK : EINSPUL_CORRUPT, "%d: %s", kind,
                     error.text);
        cr_assert(kind == SAME || strstr(error.text, "the block index") != NULL, "%s", error.text);
        if (kind == SAME) { /* cut off, and no frame at all */
            cr_assert_eq(open_with_index(id, bytes, frame, size - 1, &error), EINSPUL_CORRUPT);
            memset(frame, 0, size);
            cr_assert_eq(open_with_index(id, bytes, frame, size, &error), EINSPUL_CORRUPT);
        }
    }
    free(frame);
    free(content);
    free(bytes);
    table_close(table);
}

/* Fails if some part of the work does not see that it is to stop, or is not in the progress, or if a stop
 * leaves another file than the old table. */
Test(compress, stops_in_every_part)
{
    const struct rules rules = rules_named("frisian");
    generate(&rules, 0, "KMvM", METRICS_BOTH);
    for (int i = 0; i < 20; i++) {
        const einspul_metric metric = i % 2 == 0 ? EINSPUL_WDL : EINSPUL_DTW;
        struct stopping stopping = {.at = i * 0.04};
        struct watch watch = {.stop = &stopping.stop, .report = stop_at, .context = &stopping};
        char path[1024];
        uint64_t n_bytes = 0;
        size_t n_before = 0;
        einspul_error error = {0};
        snprintf(path, sizeof path, "%s", table_name(&rules, "KMvM", metric));
        free(read_whole(path, &n_before));
        struct table *table = open_whole(&rules, "KMvM", metric, path);
        const einspul_status status = table_compress(table, &rules, COMPRESS_DEFAULT, path,
                                                     1 + i % 2, &watch, &n_bytes, &error);
        table_close(table);
        cr_assert_eq(status, EINSPUL_STOPPED, "at %g: %s", stopping.at, error.text);
        cr_assert_lt(stopping.done, stopping.at + 0.3, "%d: %g to %g", i, stopping.at,
                     stopping.done);
        size_t n_after = 0;
        free(read_whole(path, &n_after));
        cr_assert_eq(n_after, n_before);
    }
}
