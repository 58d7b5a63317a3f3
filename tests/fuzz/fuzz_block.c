/* Blocks that are not what they should be: a first byte that says which block of which table, then
 * its bytes as they stand in the file. Decoding must end with a block or an error. */
#include "table/table_facts.h"
#include "tests/fuzz/hostile.h"

static const struct hostile_table kinds[] = {
    {"english", "KvM", EINSPUL_DTW, 200},  /* one byte a placement */
    {"frisian", "KvM", EINSPUL_DTW, 1000}, /* two */
    {"frisian", "KMvK", EINSPUL_WDL, 3},   /* patterns */
    {"english", "KMvM", EINSPUL_WDL, 100}, /* many blocks, the last one short */
    {"frisian", "KMvM", EINSPUL_DTW, 0},   /* more patterns than a dictionary takes */
    {"frisian", "KMvK", EINSPUL_DTW, MODELLED}, {"international", "KMvM", EINSPUL_WDL, MODELLED},
    {"frisian", "KMvM", EINSPUL_DTW, LEFT_OUT}, /* one side, without last runs */
    {"frisian", "KMvK", EINSPUL_WDL, LEFT_OUT}, /* without last runs */
};

enum { N_KINDS = sizeof kinds / sizeof kinds[0] };

static struct table *tables[N_KINDS];

static void close_tables(void)
{
    for (int i = 0; i < N_KINDS; i++)
        table_close(tables[i]);
}

static void open_tables(void)
{
    if (tables[0] != NULL)
        return;
    for (int i = 0; i < N_KINDS; i++) {
        struct rules rules;
        struct material material;
        char path[1024];
        einspul_error error = {0};
        hostile_make(&kinds[i], path);
        if (rules_by_name(&rules, kinds[i].rules, NULL) != EINSPUL_OK ||
            material_read(kinds[i].material, &material, NULL) != EINSPUL_OK)
            abort();
        const struct table_id id = {&rules, material, kinds[i].metric};
        const einspul_status status = table_open(path, id, NULL, &tables[i], &error);
        fuzz_expect(status == EINSPUL_OK, error.text);
    }
    atexit(close_tables);
}

/* The first, the second or the last block. */
static uint64_t block_number(const struct table *table, int which)
{
    const uint64_t n_blocks = table_header(table)->n_blocks;
    return which == 2 ? n_blocks - 1 : (uint64_t)which % n_blocks;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct fuzz_input input = {bytes, n_bytes};
    struct block *block = NULL;
    einspul_error error = {0};

    open_tables();
    const uint8_t choice = fuzz_byte(&input);
    const struct table *table = tables[choice % N_KINDS];
    const uint64_t number = block_number(table, choice / N_KINDS % 3);
    const einspul_status status =
        table_decode_bytes(table, number, UINT32_MAX, input.bytes, input.n_bytes, &block, &error);
    fuzz_expect(status == EINSPUL_OK || status == EINSPUL_CORRUPT, "a block, or CORRUPT");
    fuzz_expect((status == EINSPUL_OK) == (block != NULL), "a block, or an error");
    if (status != EINSPUL_OK) {
        fuzz_expect(error.status == status && strstr(error.text, "block") != NULL,
                    "an error names the block");
        return 0;
    }
    for (uint32_t place = 0; place < block->n_placements && block->n_patterns > 0; place++)
        fuzz_expect(block_pattern(block, block_is_wide(block), place) < block->n_patterns,
                    "a pattern that is there");
    hostile_expect_values(table, number, block);
    free(block);
    return 0;
}

size_t fuzz_seed(int number, uint8_t *bytes)
{
    if (number >= 3 * N_KINDS)
        return 0;
    open_tables();
    const struct table *table = tables[number % N_KINDS];
    bytes[0] = (uint8_t)number;
    const size_t n_bytes =
        hostile_block_bytes(table, block_number(table, number / N_KINDS), bytes + 1);
    return n_bytes + 1;
}
