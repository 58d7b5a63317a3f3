/* Non-tables, wrong tables, damaged and malicious tables: each gives its own error, without reads
 * beyond the end. */
#include "core/program/materials.h"
#include "table/checksum.h"
#include "tests/support/synthetic.h"
#include "tests/support/table_bytes.h"

#include "table/bytes.h"
#include "table/table_format.h"
#include "table/table_open.h"
#include "tests/support/folder.h"
#include "tests/support/moves_text.h"
#include "tests/support/tables.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>

TestSuite(bad_table, .init = make_folder, .fini = drop_folder);

/* Opens and decodes everything; returns the first error, whose text must name the file. */
static einspul_status read_all(const struct rules *rules, const char *material_name,
                               einspul_metric metric, const char *path)
{
    struct material material;
    struct table *table = NULL;
    einspul_error error = {0};
    cr_assert_eq(material_read(material_name, &material, NULL), EINSPUL_OK);
    const struct table_id id = {rules, material, metric};
    einspul_status status = table_open(path, id, NULL, &table, &error);
    if (status == EINSPUL_OK) {
        const uint64_t n = table->header.n_blocks;
        for (uint64_t i = 0; i < n && status == EINSPUL_OK; i++) {
            struct block *block = NULL;
            status = table_decode_block(table, i, UINT32_MAX, &block, &error);
            free(block);
        }
    }
    table_close(table);
    if (status != EINSPUL_OK) {
        cr_assert_eq(error.status, status);
        cr_assert_not_null(strstr(error.text, strrchr(path, '/')), "'%s' names no file",
                           error.text);
    }
    return status;
}

/* Fails if a download that stopped half-way counts as a table. */
Test(bad_table, notices_a_wrong_size)
{
    const struct rules rules = rules_named("frisian");
    size_t n_bytes = 0;
    uint8_t *bytes = small_table(EINSPUL_DTW, "KvM.dtw", &n_bytes);
    for (size_t length = 0; length < n_bytes; length += length < 400 ? 1 : 997) {
        write_whole(path_of("KvM.dtw"), bytes, length);
        const einspul_status status = read_all(&rules, "KvM", EINSPUL_DTW, path_of("KvM.dtw"));
        cr_assert_eq(status, length < 8 ? EINSPUL_NOT_A_TABLE : EINSPUL_TRUNCATED, "%zu bytes: %s",
                     length, einspul_status_name(status));
    }
    write_whole(path_of("KvM.dtw"), bytes, n_bytes + 1);
    cr_assert_eq(read_all(&rules, "KvM", EINSPUL_DTW, path_of("KvM.dtw")), EINSPUL_CORRUPT);
    free(bytes);
}

/* Fails if a table of another game, material, metric or format answers for the one that was
 * asked. */
Test(bad_table, notices_another_table)
{
    const struct rules rules = rules_named("frisian");
    size_t n_bytes = 0;
    const struct rules other = rules_named("frisian-no17");
    uint8_t *bytes = small_table(EINSPUL_DTW, "KvM.dtw", &n_bytes);
    char path[1024];
    snprintf(path, sizeof path, "%s", path_of("KvM.dtw"));
    cr_assert_eq(read_all(&rules, "KvM", EINSPUL_DTW, path), EINSPUL_OK);
    cr_assert_eq(read_all(&other, "KvM", EINSPUL_DTW, path), EINSPUL_WRONG_RULES);
    cr_assert_eq(read_all(&rules, "KMvM", EINSPUL_DTW, path), EINSPUL_WRONG_MATERIAL);
    cr_assert_eq(read_all(&rules, "KvM", EINSPUL_WDL, path), EINSPUL_NO_METRIC);
    cr_assert_eq(read_all(&rules, "KvM", EINSPUL_DTW, path_of("none")), EINSPUL_NO_TABLE);
    cr_assert_eq(read_all(&rules, "KvM", EINSPUL_DTW, folder), EINSPUL_IO);
    write_whole(path_of("text"), (const uint8_t *)"not a table at all", 18);
    cr_assert_eq(read_all(&rules, "KvM", EINSPUL_DTW, path_of("text")), EINSPUL_NOT_A_TABLE);
    bytes[AT_READ_VERSION] = FORMAT_VERSION + 1;
    seal_header(bytes);
    write_whole(path, bytes, n_bytes);
    cr_assert_eq(read_all(&rules, "KvM", EINSPUL_DTW, path), EINSPUL_WRONG_VERSION);
    free(bytes);
}

/* Fails if opening a folder blocks on a FIFO, or reads from a device. */
Test(bad_table, opens_regular_files_only, .timeout = 300)
{
    const struct rules rules = rules_named("frisian");
    cr_assert_eq(mkfifo(path_of("KvM.dtw"), 0666), 0);
    cr_assert_eq(read_all(&rules, "KvM", EINSPUL_DTW, path_of("KvM.dtw")), EINSPUL_IO);
    cr_assert_eq(read_all(&rules, "KvM", EINSPUL_DTW, "/dev/zero"), EINSPUL_IO);
    cr_assert_eq(symlink("/dev/zero", path_of("KvM.wdl")), 0);
    cr_assert_eq(read_all(&rules, "KvM", EINSPUL_WDL, path_of("KvM.wdl")), EINSPUL_IO);
    cr_assert_eq(symlink("KMvM.wdl", path_of("KMvM.wdl")), 0);
    cr_assert_eq(read_all(&rules, "KMvM", EINSPUL_WDL, path_of("KMvM.wdl")), EINSPUL_IO);
}

/* Fails if a header with valid checksums but impossible numbers makes the reader read outside the
 * file. */
Test(bad_table, notices_numbers_that_contradict)
{
    const struct rules rules = rules_named("frisian");
    size_t n_bytes = 0;
    uint8_t *bytes = small_table(EINSPUL_DTW, "KvM.dtw", &n_bytes);
    for (size_t at = 42; at < 248; at++) {
        static const uint8_t changes[] = {0x01, 0x80, 0xff};
        if ((at >= 136 && at < 144) || at == 10 || at == 11)
            continue; /* the reader does not use the value hash */
        for (size_t i = 0; i < sizeof changes; i++) {
            bytes[at] ^= changes[i];
            seal_header(bytes);
            write_whole(path_of("KvM.dtw"), bytes, n_bytes);
            const einspul_status status = read_all(&rules, "KvM", EINSPUL_DTW, path_of("KvM.dtw"));
            const bool count = at >= 144 && at < 160; /* a smaller count is possible */
            cr_assert(status != EINSPUL_OK || count, "byte %zu ^ %d is accepted", at, changes[i]);
            bytes[at] ^= changes[i];
        }
    }
    free(bytes);
}

/* --- sizes that no content needs -------------------------------------------------------------- */

enum { AT_FILE_SIZES = 96, SKIPPED = 100000 };

/* A skippable zstd frame of SKIPPED bytes: after another frame it changes nothing but the size. */
static void skippable(uint8_t *at)
{
    memset(at, 0, SKIPPED);
    store_u32(at, 0x184d2a50);
    store_u32(at + 4, SKIPPED - 8);
}

/* Inserts a skippable frame at `at`. */
static uint8_t *make_longer(const uint8_t *bytes, size_t n_bytes, size_t at)
{
    uint8_t *longer = synthetic_alloc(n_bytes + SKIPPED);
    memcpy(longer, bytes, at);
    skippable(longer + at);
    memcpy(longer + at + SKIPPED, bytes + at, n_bytes - at);
    return longer;
}

/* Fails if a file of some bytes on the disk makes its reader hash gigabytes, or ask for as much
 * memory: its sizes are sound, but nothing that its material can hold needs them. */
Test(bad_table, refuses_sizes_that_no_content_needs)
{
    einspul_error error = {0};
    size_t n_bytes = 0;
    uint8_t *bytes = small_table(EINSPUL_DTW, "KvM.dtw", &n_bytes);
    const size_t index = (size_t)load_u64(bytes + AT_FILE_SIZES);
    const uint64_t n_blocks = load_u64(bytes + 64);
    const size_t blocks = (size_t)load_u64(bytes + AT_FILE_SIZES + 16);
    uint32_t *sizes = block_sizes(bytes, n_bytes);
    uint8_t *longer = make_longer(bytes, n_bytes, blocks + sizes[0]);
    sizes[0] += SKIPPED;
    size_t n_longer = 0;
    uint8_t *sound = with_index(longer, index + SKIPPED, sizes, n_blocks, 1, &n_longer);
    cr_assert_eq(open_small(EINSPUL_DTW, sound, n_longer, &error), EINSPUL_CORRUPT);
    cr_assert_not_null(strstr(error.text, "block 0 has"), "%s", error.text);
    free(sound);
    free(longer);
    free(sizes);
    free(bytes);
}

/* Fails if an oversized model is accepted. */
Test(bad_table, refuses_a_model_that_is_too_long)
{
    enum { MUCH = 4 << 20 }; /* more bytes than all its weights */
    const struct rules rules = rules_named("frisian");
    const struct table_id id = {&rules, material_named("KKvM"), EINSPUL_DTW};
    struct table *table = NULL;
    einspul_error error = {0};
    size_t n_bytes = 0;
    generate(&rules, 3, NULL, METRICS_DTW);
    const char *path = table_name(&rules, "KKvM", EINSPUL_DTW);
    compress_table(&rules, &id.material, EINSPUL_DTW, COMPRESS_WHOLE, path);
    expect_header(path);
    uint8_t *bytes = read_whole(path, &n_bytes);
    const size_t blocks = (size_t)load_u64(bytes + AT_FILE_SIZES + 16);
    uint8_t *longer = synthetic_alloc(n_bytes + MUCH);
    memcpy(longer, bytes, blocks);
    memset(longer + blocks, 0, MUCH);
    memcpy(longer + blocks + MUCH, bytes + blocks, n_bytes - blocks);
    add_to(longer, AT_MODEL_SIZE, MUCH);
    add_to(longer, AT_FILE_SIZES, MUCH);
    add_to(longer, AT_FILE_SIZES + 16, MUCH);
    add_to(longer, AT_FILE_SIZES + 32, MUCH);
    store_u64(longer + 160, format_checksum(longer + 256, blocks + MUCH - 256));
    cr_assert_eq(open_sealed(id, longer, n_bytes + MUCH, &table, &error), EINSPUL_CORRUPT);
    cr_assert_not_null(strstr(error.text, "model too large"), "%s", error.text);
    free(longer);
    free(bytes);
}

/* Fails if a damaged dictionary of blocks with sound checksums crashes its reader, or is taken for a
 * lack of memory. */
Test(bad_table, notices_a_damaged_dictionary)
{
    const struct rules rules = rules_named("frisian");
    const struct table_id id = {&rules, material_named("KKMvM"), EINSPUL_WDL};
    struct synthetic made;
    size_t n_bytes = 0;
    int n_refused = 0;
    synthetic_create(&made, &rules, "KKMvM", 40, 17);
    synthetic_write(&made, &rules, EINSPUL_WDL, path_of("T"), 1);
    synthetic_free(&made);
    uint8_t *bytes = read_whole(path_of("T"), &n_bytes);
    const size_t size = (size_t)load_u64(bytes + AT_MODEL_SIZE);
    cr_assert(size > 256 && size <= MAX_DICTIONARY_BYTES);
    for (size_t at = 0; at < 256; at += 3) {
        struct table *table = NULL;
        struct block *block = NULL;
        bytes[HEADER_SIZE + at] ^= 0xff;
        store_u64(bytes + AT_MODEL_CHECKSUM, format_checksum(bytes + HEADER_SIZE, size));
        einspul_status status = open_sealed(id, bytes, n_bytes, &table, NULL);
        n_refused += status == EINSPUL_CORRUPT;
        if (status == EINSPUL_OK)
            status = table_decode_block(table, 0, UINT32_MAX, &block, NULL);
        cr_assert(status == EINSPUL_OK || status == EINSPUL_CORRUPT);
        free(block);
        table_close(table);
        bytes[HEADER_SIZE + at] ^= 0xff;
    }
    cr_assert_gt(n_refused, 10);
    free(bytes);
}

/* Fails if a block that is oversized by less than 100,000 bytes is accepted. */
Test(bad_table, refuses_a_block_larger_than_any_content)
{
    size_t n_bytes = 0;
    uint8_t *bytes = small_table(EINSPUL_DTW, "KvM.dtw", &n_bytes);
    const size_t index = (size_t)load_u64(bytes + AT_FILE_SIZES);
    const size_t blocks = (size_t)load_u64(bytes + AT_FILE_SIZES + 16);
    const uint64_t n_blocks = load_u64(bytes + 64);
    const uint32_t content = 4 + load_u32(bytes + 52) * (2 + load_u16(bytes + 50));
    const uint32_t most = content + content / 256 + 64;
    uint32_t *sizes = block_sizes(bytes, n_bytes);
    const uint32_t usual = sizes[0];
    cr_assert_lt(most, SKIPPED);
    for (uint32_t more = 0; more <= 1; more++) {
        const size_t n_added = most + more - usual;
        einspul_error error = {0};
        size_t n_made = 0;
        uint8_t *longer = synthetic_alloc(n_bytes + n_added);
        memcpy(longer, bytes, blocks + usual);
        memset(longer + blocks + usual, 0, n_added);
        memcpy(longer + blocks + usual + n_added, bytes + blocks + usual, n_bytes - blocks - usual);
        sizes[0] = most + more;
        uint8_t *made = with_index(longer, index + n_added, sizes, n_blocks, 1, &n_made);
        cr_assert_eq(open_small(EINSPUL_DTW, made, n_made, &error),
                     more == 0 ? EINSPUL_OK : EINSPUL_CORRUPT, "%s", error.text);
        cr_assert(more == 0 || strstr(error.text, "block 0 has") != NULL, "%s", error.text);
        free(made);
        free(longer);
    }
    free(sizes);
    free(bytes);
}

/* Fails if a block with valid checksums may contain impossible values, or pattern numbers out of
 * range. */
Test(bad_table, rejects_impossible_values)
{
    /* Pattern numbers of one byte: KvM has no runs. The last one is relative to their number. */
    enum { AT_PATTERNS = 4, AT_LAST = -1, LARGEST = 255 };
    static const struct {
        long at;
        uint8_t byte;
        einspul_status status;
    } cases[] = {{AT_PATTERNS, VALUE_DRAW, EINSPUL_OK},
                 {AT_PATTERNS, VALUE_LOST + 3, EINSPUL_OK},
                 {AT_PATTERNS, VALUE_NONE, EINSPUL_CORRUPT},
                 {AT_LAST, LARGEST, EINSPUL_OK},
                 {AT_LAST, 0, EINSPUL_CORRUPT},
                 {AT_LAST, 128, EINSPUL_CORRUPT}};
    const struct rules rules = rules_named("frisian");
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct table_id id = {&rules, material_named("KvM"), EINSPUL_DTW};
        uint8_t payload[8192];
        uint8_t packed[8192];
        struct table *table = NULL;
        struct block *block = NULL;
        size_t n_bytes = 0;
        uint8_t *bytes = small_table(EINSPUL_DTW, "KvM", &n_bytes);
        uint32_t *sizes = block_sizes(bytes, n_bytes);
        cr_assert_eq(table_open(path_of("KvM"), id, NULL, &table, NULL), EINSPUL_OK);
        const size_t n = ZSTD_decompress(payload, sizeof payload,
                                         bytes + load_u64(bytes + AT_FILE_SIZES + 16), sizes[0]);
        cr_assert(!ZSTD_isError(n) && load_u32(payload) <= 255);
        if (cases[i].at < 0)
            payload[n - 1] = (uint8_t)(payload[0] + cases[i].byte);
        else
            payload[cases[i].at] = cases[i].byte;
        const size_t size = ZSTD_compress(packed, sizeof packed, payload, n, 1);
        cr_assert_eq(table_block_from_bytes(table, 0, UINT32_MAX, packed, size, &block, NULL),
                     cases[i].status, "case %zu", i);
        free(block);
        free(sizes);
        free(bytes);
        table_close(table);
    }
}

/* Decodes block 0 of a table of outcomes from another content. */
static einspul_status decode_content(const struct table *table, const uint8_t *content, size_t n)
{
    uint8_t packed[1 << 16];
    struct block *block = NULL;
    const size_t size = ZSTD_compress(packed, sizeof packed, content, n, 1);
    const einspul_status status =
        table_block_from_bytes(table, 0, UINT32_MAX, packed, size, &block, NULL);
    free(block);
    return status;
}

/* Fails if a block of outcomes may have codes, patterns, numbers or sizes that cannot be. */
Test(bad_table, rejects_impossible_outcomes)
{
    const struct rules rules = rules_named("frisian");
    static const char *const materials[] = {"KvM", "KMvM"}; /* one rule state, four */
    for (size_t i = 0; i < 2; i++) {
        const struct table_id id = {&rules, material_named(materials[i]), EINSPUL_WDL};
        uint8_t content[1 << 15] = {0};
        struct synthetic made;
        struct table *table = NULL;
        size_t n_bytes = 0;
        synthetic_create(&made, &rules, materials[i], 40, 17);
        synthetic_write(&made, &rules, EINSPUL_WDL, path_of("T"), 1);
        uint8_t *bytes = read_whole(path_of("T"), &n_bytes);
        uint32_t *sizes = block_sizes(bytes, n_bytes);
        cr_assert_eq(table_open(path_of("T"), id, NULL, &table, NULL), EINSPUL_OK);
        const size_t n = ZSTD_decompress(content, sizeof content,
                                         bytes + load_u64(bytes + AT_FILE_SIZES + 16), sizes[0]);
        const uint64_t n_placements = made.shape.n_placements;
        const size_t n_codes = (size_t)((n_placements < table->header.block_placements
                                             ? n_placements
                                             : table->header.block_placements) +
                                        3) /
                               4;
        cr_assert_eq(decode_content(table, content, n), EINSPUL_OK);
        cr_assert_eq(decode_content(table, content, n - 1), EINSPUL_CORRUPT);
        cr_assert_eq(decode_content(table, content, n + 1), EINSPUL_CORRUPT);
        for (size_t at = 0; at < n_codes + 2 && at < n; at += at == 0 ? n_codes : 1) {
            for (int byte = 0; byte < 256; byte++) {
                const uint8_t before = content[at];
                content[at] = (uint8_t)byte;
                const einspul_status status = decode_content(table, content, n);
                if (at >= n_codes && byte != before)
                    cr_assert_eq(status, EINSPUL_CORRUPT, "another number of patterns");
                if (at < n_codes && byte == 0xff)
                    cr_assert_eq(status, EINSPUL_CORRUPT, "codes that are uneven");
                content[at] = before;
            }
        }
        if (i == 1) {
            const uint32_t n_patterns = load_u16(content + n_codes);
            cr_assert(n_patterns > 2 && n_patterns < 255);
            const uint8_t first = content[n_codes + 2];
            content[n_codes + 2] |= 3; /* no outcome */
            cr_assert_eq(decode_content(table, content, n), EINSPUL_CORRUPT);
            content[n_codes + 2] = first;
            content[n - 1] = (uint8_t)n_patterns;
            cr_assert_eq(decode_content(table, content, n), EINSPUL_CORRUPT);
            content[n - 1]--;
            cr_assert_eq(decode_content(table, content, n), EINSPUL_OK);
            cr_assert_eq(decode_content(table, content, n_codes), EINSPUL_CORRUPT);
            cr_assert_eq(decode_content(table, content, n_codes + 1), EINSPUL_CORRUPT);
        }
        cr_assert_eq(decode_content(table, content, 0), EINSPUL_CORRUPT);
        free(sizes);
        free(bytes);
        table_close(table);
        synthetic_free(&made);
    }
}

/* Fails if a header says that distances are outcomes of two bits, or outcomes are patterns. */
Test(bad_table, refuses_a_dictionary_of_the_other_metric)
{
    enum { AT_MODE = 49 };
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
        for (int mode = 0; mode <= 4; mode++) {
            einspul_error error = {0};
            size_t n_bytes = 0;
            uint8_t *bytes = small_table((einspul_metric)metric, "KvM", &n_bytes);
            const bool right = bytes[AT_MODE] == mode;
            bytes[AT_MODE] = (uint8_t)mode;
            cr_assert_eq(open_small((einspul_metric)metric, bytes, n_bytes, &error),
                         right ? EINSPUL_OK : EINSPUL_CORRUPT);
            free(bytes);
        }
    }
}

/* Fails if blocks of a table without a model are read in groups, whose size nothing bounds. */
Test(bad_table, refuses_groups_without_a_model)
{
    einspul_error error = {0};
    size_t n_bytes = 0;
    size_t n_made = 0;
    uint8_t *bytes = small_table(EINSPUL_DTW, "KvM.dtw", &n_bytes);
    const size_t index = (size_t)load_u64(bytes + AT_FILE_SIZES);
    uint32_t *sizes = block_sizes(bytes, n_bytes);
    uint8_t *made = with_index(bytes, index, sizes, load_u64(bytes + 64), 2, &n_made);
    cr_assert_eq(open_small(EINSPUL_DTW, made, n_made, &error), EINSPUL_CORRUPT);
    cr_assert_not_null(strstr(error.text, "inconsistent header"), "%s", error.text);
    free(made);
    free(sizes);
    free(bytes);
}

/* Fails if blocks of sizes that leave bytes over, or want more than there are, with a sound
 * checksum. */
Test(bad_table, refuses_sizes_that_do_not_add_up)
{
    size_t n_bytes = 0;
    uint8_t *bytes = small_table(EINSPUL_DTW, "KvM.dtw", &n_bytes);
    const size_t index = (size_t)load_u64(bytes + AT_FILE_SIZES);
    const uint64_t n_blocks = load_u64(bytes + 64);
    uint32_t *sizes = block_sizes(bytes, n_bytes);
    for (int more = -1; more <= 1; more++) {
        einspul_error error = {0};
        size_t n_made = 0;
        sizes[0] += (uint32_t)more;
        uint8_t *made = with_index(bytes, index, sizes, n_blocks, 1, &n_made);
        sizes[0] -= (uint32_t)more;
        cr_assert_eq(open_small(EINSPUL_DTW, made, n_made, &error),
                     more == 0 ? EINSPUL_OK : EINSPUL_CORRUPT);
        cr_assert(more == 0 || strstr(error.text, "do not add up") != NULL, "%s", error.text);
        free(made);
    }
    free(sizes);
    free(bytes);
}

/* Fails if an index that ends within a size, or continues after the last one, is read beyond its
 * end or accepted. */
Test(bad_table, refuses_an_index_of_another_length)
{
    size_t n_bytes = 0;
    uint8_t *bytes = small_table(EINSPUL_DTW, "KvM.dtw", &n_bytes);
    const size_t index = (size_t)load_u64(bytes + AT_FILE_SIZES);
    const size_t n_index = n_bytes - index;
    uint8_t *changed = synthetic_alloc(n_bytes + 1);
    for (int first = 0; first < 256; first++) {
        for (int more = -1; more <= 1; more++) {
            einspul_error error = {0};
            const size_t n = n_index + (size_t)more;
            memset(changed, first, n_bytes + 1);
            memcpy(changed, bytes, more < 0 ? n_bytes - 1 : n_bytes);
            if (first != 0)
                memset(changed + index, first, n);
            store_u64(changed + AT_INDEX_SIZE, n);
            store_u64(changed + AT_FILE_SIZE, index + n);
            store_u64(changed + AT_INDEX_CHECKSUM, format_checksum(changed + index, n));
            const einspul_status status = open_small(EINSPUL_DTW, changed, index + n, &error);
            cr_assert_eq(status, first == 0 && more == 0 ? EINSPUL_OK : EINSPUL_CORRUPT,
                         "%d, %d more: %s", first, more, error.text);
        }
    }
    free(changed);
    free(bytes);
}

/* Fails if a table of another version is misread or not named as such, or one that a later program
 * wrote for readers of this version is refused. */
Test(bad_table, names_another_version)
{
    static const struct {
        uint8_t read, write;
        einspul_status status;
    } cases[] = {{1, 1, EINSPUL_OLD_VERSION},
                 {0, 0, EINSPUL_OLD_VERSION},
                 {0, FORMAT_VERSION, EINSPUL_WRONG_VERSION},
                 {FORMAT_VERSION, FORMAT_VERSION + 1, EINSPUL_OK},
                 {FORMAT_VERSION + 1, FORMAT_VERSION + 1, EINSPUL_WRONG_VERSION},
                 {255, 255, EINSPUL_WRONG_VERSION}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        einspul_error error = {0};
        size_t n_bytes = 0;
        char said[32];
        uint8_t *bytes = small_table(EINSPUL_DTW, "KvM.dtw", &n_bytes);
        bytes[AT_READ_VERSION] = cases[i].read;
        bytes[AT_WRITE_VERSION] = cases[i].write;
        cr_assert_eq(open_small(EINSPUL_DTW, bytes, n_bytes, &error), cases[i].status);
        snprintf(said, sizeof said, "T: format version %d,", cases[i].read);
        cr_assert(cases[i].status == EINSPUL_OK || strstr(error.text, said) != NULL, "%s",
                  error.text);
        free(bytes);
    }
}

/* --- a side to move that is said to be left out ------------------------------------------------- */

enum { AT_NUMBER_OF_BLOCKS = 64, AT_GROUP = 76, AT_OMITTED = 78 };

/* Fails if values of one side are read as those of the other. */
Test(bad_table, rejects_omitted_side_that_is_stored)
{
    for (int byte = 1; byte <= 3; byte++) {
        einspul_error error = {0};
        size_t n_bytes = 0;
        uint8_t *bytes = small_table(EINSPUL_DTW, "KvM.dtw", &n_bytes);
        bytes[AT_OMITTED] = (uint8_t)byte;
        cr_assert_eq(open_small(EINSPUL_DTW, bytes, n_bytes, &error), EINSPUL_CORRUPT);
        cr_assert_not_null(strstr(error.text, "inconsistent header"), "%s", error.text);
        free(bytes);
    }
}

/* A synthetic table without the blocks of a side, otherwise as a writer would write it. Returns its
 * bytes. */
static uint8_t *without_side(const char *rule_set, const char *material, einspul_metric metric,
                             int side, size_t *n_bytes)
{
    const struct rules rules = rules_named(rule_set);
    struct synthetic made;
    synthetic_create(&made, &rules, material, 40, 23);
    synthetic_write(&made, &rules, metric, path_of("T"), 1);
    uint8_t *from = read_whole(path_of("T"), n_bytes);
    const uint64_t n_sides = (uint64_t)made.shape.n_sides;
    const uint64_t per_side = load_u64(from + AT_NUMBER_OF_BLOCKS) / n_sides;
    const uint64_t n_blocks = per_side * (n_sides - 1);
    const uint64_t first = side == WHITE && n_sides == 2 ? per_side : 0;
    uint32_t *sizes = block_sizes(from, *n_bytes);
    const size_t blocks = (size_t)load_u64(from + AT_BLOCKS_OFFSET);
    size_t begin = blocks;
    for (uint64_t i = 0; i < first; i++)
        begin += sizes[i];
    size_t end = begin;
    for (uint64_t i = first; i < first + n_blocks; i++)
        end += sizes[i];
    memmove(from + blocks, from + begin, end - begin);
    uint8_t *bytes =
        with_index(from, blocks + end - begin, sizes + first, n_blocks, from[AT_GROUP], n_bytes);
    bytes[AT_OMITTED] = (uint8_t)(1 << side);
    free(sizes);
    free(from);
    synthetic_free(&made);
    return bytes;
}

/* Fails if a side whose values nothing determines counts as omitted, or both sides do. */
Test(bad_table, rejects_side_that_may_not_be_omitted)
{
    static const struct {
        const char *rules, *material;
        einspul_metric metric;
        enum side side;
        int byte; /* 78: the omitted side, as a bit */
    } tables[] = {
        {"frisian", "KMvK", EINSPUL_DTW, WHITE, 3}, /* both */
        {"frisian", "KMvK", EINSPUL_DTW, WHITE, 4}, /* none */
        {"frisian", "KMvK", EINSPUL_DTW, WHITE, 5},
        {"frisian", "KMvK", EINSPUL_DTW, WHITE, 129},
        {"frisian", "KMvK", EINSPUL_DTW, WHITE, 255},
        {"frisian", "KMvK", EINSPUL_DTW, WHITE, 0}, /* too few blocks for both */
        {"frisian", "KMvK", EINSPUL_WDL, WHITE, 3}, /* of outcomes too */
        {"frisian", "KMvK", EINSPUL_WDL, WHITE, 0},
        {"frisian", "MvM", EINSPUL_WDL, BLACK, 2},
        {"frisian", "KKvK", EINSPUL_DTW, WHITE, 1}, /* a clock is involved */
        {"frisian", "KKvK", EINSPUL_DTW, BLACK, 2},
        {"frisian", "KKvK", EINSPUL_WDL, BLACK, 2},
        {"frisian-no17", "KKvK", EINSPUL_DTW, BLACK, 2},
        {"frisian", "MvM", EINSPUL_DTW, WHITE, 1}, /* one side to move: no blocks left */
        {"frisian", "MvM", EINSPUL_DTW, BLACK, 2},
        {"international", "KvK", EINSPUL_DTW, WHITE, 1},
        {"frisian", "KvK", EINSPUL_DTW, WHITE, 1},
    };
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        struct table *table = NULL;
        einspul_error error = {0};
        size_t n_bytes = 0;
        uint8_t *bytes = without_side(tables[i].rules, tables[i].material, tables[i].metric,
                                      (int)tables[i].side, &n_bytes);
        bytes[AT_OMITTED] = (uint8_t)tables[i].byte;
        const struct rules rules = rules_named(tables[i].rules);
        const struct table_id id = {&rules, material_named(tables[i].material), tables[i].metric};
        const einspul_status status = open_sealed(id, bytes, n_bytes, &table, &error);
        cr_assert_eq(status, EINSPUL_CORRUPT, "%s, byte %d: %s", tables[i].material, tables[i].byte,
                     einspul_status_name(status));
        cr_assert_not_null(strstr(error.text, "inconsistent header"), "%s", error.text);
        table_close(table);
        free(bytes);
    }
}
