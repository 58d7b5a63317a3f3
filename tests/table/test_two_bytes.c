/* Table files with two bytes a value: that they say so, and that nothing else is taken
 * for one, whatever its checksums. What goes for tables of both sizes is in test_table.c. */
#include "tests/support/synthetic.h"
#include "tests/support/table_bytes.h"

#include "table/bytes.h"
#include "table/table_format.h"
#include "tests/support/folder.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

TestSuite(two_bytes, .init = make_folder, .fini = drop_folder);

/* Places in the header. */
enum {
    AT_FLAGS = 43,
    AT_DICTIONARY = 49,
    AT_BLOCK_PLACEMENTS = 52,
    AT_PATTERNS = 72,
    AT_PATTERNS_SIZE = 88,
    AT_FILE_SIZES = 96,
    AT_PATTERNS_CHECKSUM = 160
};

/* Wrong: values of two bytes are read as bytes; or outcomes, which a byte tells, take the room
 * of two. */
Test(two_bytes, says_that_values_have_two_bytes)
{
    static const struct {
        const char *material;
        einspul_metric metric;
        int flags;
    } tables[] = {
        {"KvM", EINSPUL_DTW, 3},
        {"KvM", EINSPUL_WDL, 0},
        {"KKvK", EINSPUL_WDL, 3}, /* which keeps its distances */
    };
    const struct rules rules = rules_named("frisian");
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        struct synthetic made;
        size_t n_bytes = 0;
        synthetic_create(&made, &rules, tables[i].material, 1, 3);
        synthetic_widen(&made, 3);
        synthetic_write(&made, &rules, tables[i].metric, path_of("T"), 1);
        uint8_t *bytes = read_whole(path_of("T"), &n_bytes);
        cr_assert_eq(bytes[AT_FLAGS], tables[i].flags);
        free(bytes);
        synthetic_free(&made);
    }
}

/* Wrong: bytes are taken for values of two, or the other way round; outcomes or models for what
 * nothing says how to read. */
Test(two_bytes, refuses_two_bytes_where_they_cannot_be)
{
    static const char contradict[] = "contradict", size[] = "patterns or";
    static const struct {
        int value_bytes; /* of the table that is changed */
        einspul_metric metric;
        int flags, dictionary;
        const char *text; /* of the error */
    } changes[] = {
        {2, EINSPUL_DTW, 3, DICTIONARY_TABLE, NULL},
        {1, EINSPUL_DTW, 1, DICTIONARY_TABLE, NULL}, /* which is no contradiction */
        {2, EINSPUL_DTW, 1, DICTIONARY_TABLE, size},
        {1, EINSPUL_DTW, 3, DICTIONARY_TABLE, size},
        {2, EINSPUL_DTW, 2, DICTIONARY_TABLE, contradict},
        {2, EINSPUL_DTW, 7, DICTIONARY_TABLE, contradict},
        {1, EINSPUL_WDL, 2, DICTIONARY_TABLE, contradict},
        {1, EINSPUL_WDL, 3, DICTIONARY_TABLE, contradict},
        {2, EINSPUL_DTW, 3, DICTIONARY_BLOCK, contradict},
        {1, EINSPUL_DTW, 1, DICTIONARY_MODEL, size},
        {2, EINSPUL_DTW, 3, DICTIONARY_MODEL, contradict},
    };
    for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
        einspul_error error = {0};
        size_t n_bytes = 0;
        uint8_t *bytes = small_table(changes[i].value_bytes, changes[i].metric, "T", &n_bytes);
        bytes[AT_FLAGS] = (uint8_t)changes[i].flags;
        bytes[AT_DICTIONARY] = (uint8_t)changes[i].dictionary;
        if (changes[i].dictionary == DICTIONARY_MODEL) { /* one block a side as before */
            store_u32(bytes + AT_BLOCK_PLACEMENTS, MAX_MODEL_BLOCK_PLACEMENTS);
            store_u32(bytes + AT_PATTERNS, 0);
        }
        const einspul_status status = open_small(changes[i].metric, bytes, n_bytes, &error);
        cr_assert_eq(status == EINSPUL_OK, changes[i].text == NULL, "change %zu", i);
        cr_assert(status == EINSPUL_OK || strstr(error.text, changes[i].text) != NULL,
                  "change %zu: %s", i, error.text);
        free(bytes);
    }
}

/* A table of values of two bytes with patterns of its own making in place of the table's, whose
 * checksums hold. */
static einspul_status open_with_patterns(const uint8_t *from, size_t n_from, const uint8_t *planes,
                                         size_t n_planes)
{
    einspul_error error = {0};
    const size_t n_old = (size_t)load_u64(from + AT_PATTERNS_SIZE);
    const size_t room = ZSTD_compressBound(n_planes);
    uint8_t *bytes = synthetic_alloc(n_from + room);
    memcpy(bytes, from, HEADER_SIZE);
    const size_t n_new = ZSTD_compress(bytes + HEADER_SIZE, room, planes, n_planes, 3);
    cr_assert_not(ZSTD_isError(n_new));
    memcpy(bytes + HEADER_SIZE + n_new, from + HEADER_SIZE + n_old, n_from - HEADER_SIZE - n_old);
    store_u64(bytes + AT_PATTERNS_SIZE, n_new);
    store_u64(bytes + AT_PATTERNS_CHECKSUM, XXH64(bytes + HEADER_SIZE, n_new, 0));
    add_to(bytes, AT_FILE_SIZES, n_new - n_old);
    add_to(bytes, AT_FILE_SIZES + 16, n_new - n_old);
    add_to(bytes, AT_FILE_SIZES + 32, n_new - n_old);
    const einspul_status status = open_small(EINSPUL_DTW, bytes, n_from + n_new - n_old, &error);
    free(bytes);
    return status;
}

/* Wrong: a number that is no value is told as one, or looked up with. */
Test(two_bytes, refuses_two_bytes_that_are_no_value)
{
    static const unsigned bad[] = {VALUE_NONE, VALUE_NONE + 1, 0x1fff, 0x8000, UINT16_MAX};
    size_t n_bytes = 0;
    uint8_t *bytes = small_table(2, EINSPUL_DTW, "T", &n_bytes);
    const size_t n = load_u32(bytes + AT_PATTERNS);
    const size_t n_section = (size_t)load_u64(bytes + AT_PATTERNS_SIZE);
    uint8_t *planes = synthetic_alloc(2 * n);
    cr_assert_eq(ZSTD_decompress(planes, 2 * n, bytes + HEADER_SIZE, n_section), 2 * n);
    cr_assert_eq(open_with_patterns(bytes, n_bytes, planes, 2 * n), EINSPUL_OK);
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const size_t at = i == 0 ? 0 : n - i;
        const uint8_t low = planes[at];
        const uint8_t high = planes[n + at];
        planes[at] = (uint8_t)bad[i];
        planes[n + at] = (uint8_t)(bad[i] >> 8);
        cr_assert_eq(open_with_patterns(bytes, n_bytes, planes, 2 * n), EINSPUL_CORRUPT, "%u",
                     bad[i]);
        planes[at] = (uint8_t)(VALUE_WIN_IN_1 & 0xff);
        planes[n + at] = VALUE_WIN_IN_1 >> 8;
        cr_assert_eq(open_with_patterns(bytes, n_bytes, planes, 2 * n), EINSPUL_OK);
        planes[at] = low;
        planes[n + at] = high;
    }
    cr_assert_eq(open_with_patterns(bytes, n_bytes, planes, 2 * n - 1), EINSPUL_CORRUPT);
    cr_assert_eq(open_with_patterns(bytes, n_bytes, planes, n), EINSPUL_CORRUPT);
    free(planes);
    free(bytes);
}
