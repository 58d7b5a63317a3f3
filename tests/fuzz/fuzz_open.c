/* Opens and decodes an arbitrary table file. Input: a byte that selects what is expected and how it
 * is read, then the file. The result must be a table, or an error that names the file. */
#include "table/table_block.h"
#include "tests/fuzz/hostile.h"

#include "core/program/materials.h"
#include "table/bytes.h"
#include "table/table_open.h"

enum { AT_INDEX = 96 };

static const struct hostile_table kinds[] = {
    {"english", "MvM", EINSPUL_DTW, 40},        {"english", "KvM", EINSPUL_WDL, 3},
    {"frisian", "KvK", EINSPUL_WDL, 20},        {"frisian", "KMvK", EINSPUL_DTW, 1},
    {"frisian", "KMvK", EINSPUL_WDL, 2},        {"international", "KvM", EINSPUL_DTW, 300},
    {"frisian", "KMvM", EINSPUL_DTW, MODELLED}, {"international", "MMvK", EINSPUL_WDL, MODELLED},
    {"frisian", "KMvK", EINSPUL_DTW, OMITTED},  {"english", "KvM", EINSPUL_DTW, OMITTED},
    {"frisian", "KMvM", EINSPUL_WDL, OMITTED},  {"frisian", "KMvM", EINSPUL_WDL, SMALLEST},
};

enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static einspul_status open_kind(const char *path, int kind, struct table **table,
                                einspul_error *error)
{
    struct rules rules;
    struct material material;
    if (rules_by_name(&rules, kinds[kind].rules, NULL) != EINSPUL_OK ||
        material_read(kinds[kind].material, &material, NULL) != EINSPUL_OK)
        abort();
    const struct table_id id = {&rules, material, kinds[kind].metric};
    return table_open(path, id, NULL, table, error);
}

static void decode(const struct table *table, uint64_t number)
{
    struct block *block = NULL;
    einspul_error error = {0};
    const einspul_status status = table_decode_block(table, number, UINT32_MAX, &block, &error);
    fuzz_expect((status == EINSPUL_OK) == (block != NULL), "a block, or an error");
    if (status != EINSPUL_OK) {
        fuzz_expect(status == EINSPUL_CORRUPT || status == EINSPUL_BAD_BLOCK,
                    "sizes are those of the file once it is open");
        fuzz_expect(error.status == status && strstr(error.text, "fuzzed") != NULL,
                    "the error of a block names the file");
        return;
    }
    hostile_expect_values(table, number, block);
    free(block);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct fuzz_input input = {bytes, n_bytes};
    struct table *table = NULL;
    einspul_error error = {0};
    char path[1024];
    const uint8_t choice = fuzz_byte(&input);

    snprintf(path, sizeof path, "%s/fuzzed", hostile_folder());
    hostile_write(path, input.bytes, input.n_bytes);
    const einspul_status status = open_kind(path, (choice & 0x7f) % N_KINDS, &table, &error);
    fuzz_expect((status == EINSPUL_OK) == (table != NULL), "a table, or an error");
    if (status != EINSPUL_OK) {
        fuzz_expect(error.status == status && strstr(error.text, "fuzzed") != NULL,
                    "an error names the file");
        fuzz_expect(status == EINSPUL_NO_METRIC ||
                        (status >= EINSPUL_NOT_A_TABLE && status <= EINSPUL_OLD_VERSION),
                    "an error of a file");
        return 0;
    }
    const uint64_t n_blocks = table->header.n_blocks;
    decode(table, 0);
    decode(table, n_blocks - 1);
    decode(table, n_bytes % n_blocks);
    table_close(table);
    return 0;
}

/* Checksums are made valid for changed bytes, because the target would read nothing else. */
static void expect_checksums_off(const char *path, int kind, uint8_t *bytes, size_t n_bytes)
{
    struct table *table = NULL;
    struct block *block = NULL;
    const size_t at = (size_t)load_u64(bytes + AT_INDEX) - 1; /* in the last block */
    bytes[at] ^= 0xff;
    hostile_write(path, bytes, n_bytes);
    fuzz_expect(open_kind(path, kind, &table, NULL) == EINSPUL_OK, "a seed opens");
    const uint64_t n_blocks = table->header.n_blocks;
    fuzz_expect(table_decode_block(table, n_blocks - 1, UINT32_MAX, &block, NULL) !=
                    EINSPUL_BAD_BLOCK,
                "checksums are off");
    free(block);
    table_close(table);
    bytes[at] ^= 0xff;
}

size_t fuzz_seed(int number, uint8_t *bytes)
{
    char path[1024];
    if (number >= 2 * N_KINDS)
        return 0;
    hostile_make(&kinds[number / 2], path);
    const size_t n_bytes = hostile_read(path, bytes + 1);
    expect_checksums_off(path, number / 2, bytes + 1, n_bytes);
    bytes[0] = (uint8_t)(number / 2 + number % 2 * 0x80);
    return n_bytes + 1;
}
