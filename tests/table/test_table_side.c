/* Tables without the blocks of a side to move: of the other side they hold what others do, and
 * only where the values left out can be had from it may one be without. */
#include "tests/support/synthetic.h"
#include "tests/support/table_bytes.h"

#include "table/bytes.h"
#include "table/table_facts.h"
#include "tests/support/folder.h"
#include "tests/support/support.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

TestSuite(table_side, .init = make_folder, .fini = drop_folder);

enum { AT_BLOCKS = 64, AT_GROUP = 76, AT_LEFT_OUT = 78, AT_INDEX = 96, AT_FIRST_BLOCK = 112 };

/* A table of made-up values without the blocks of a side: all else is as a writer would have it.
 * Returns its bytes. */
static uint8_t *without_side(const char *rule_set, const char *material, einspul_metric metric,
                             int side, size_t *n_bytes)
{
    const struct rules rules = rules_named(rule_set);
    struct synthetic made;
    synthetic_create(&made, &rules, material, 40, 23);
    synthetic_write(&made, &rules, metric, path_of("T"), 1);
    uint8_t *from = read_whole(path_of("T"), n_bytes);
    const uint64_t n_sides = (uint64_t)made.shape.n_sides;
    const uint64_t per_side = load_u64(from + AT_BLOCKS) / n_sides;
    const uint64_t n_blocks = per_side * (n_sides - 1);
    const uint64_t first = side == WHITE && n_sides == 2 ? per_side : 0;
    uint32_t *sizes = block_sizes(from, *n_bytes);
    const size_t blocks = (size_t)load_u64(from + AT_FIRST_BLOCK);
    size_t begin = blocks;
    for (uint64_t i = 0; i < first; i++)
        begin += sizes[i];
    size_t end = begin;
    for (uint64_t i = first; i < first + n_blocks; i++)
        end += sizes[i];
    memmove(from + blocks, from + begin, end - begin);
    uint8_t *bytes =
        with_index(from, blocks + end - begin, sizes + first, n_blocks, from[AT_GROUP], n_bytes);
    bytes[AT_LEFT_OUT] = (uint8_t)(1 << side);
    free(sizes);
    free(from);
    synthetic_free(&made);
    return bytes;
}

/* Wrong: of a side that is left out values are read, or of the other one not its own. */
Test(table_side, holds_the_side_that_is_not_left_out)
{
    static const struct {
        const char *rules, *material;
        einspul_metric metric;
    } tables[] = {
        {"frisian", "KMvK", EINSPUL_DTW},      {"english", "KvM", EINSPUL_DTW},
        {"frisian-no18", "KKvK", EINSPUL_DTW}, {"frisian", "KMvK", EINSPUL_WDL},
        {"frisian-no18", "KKvK", EINSPUL_WDL},
    };
    for (size_t i = 0; i < 2 * sizeof tables / sizeof tables[0]; i++) {
        const enum side left_out = i % 2 == 0 ? WHITE : BLACK;
        const enum side stored = side_other(left_out);
        const struct rules rules = rules_named(tables[i / 2].rules);
        struct synthetic made;
        struct table *table = NULL;
        einspul_error error = {0};
        uint64_t n_wrong = 0;
        uint64_t index = 0;
        size_t n_bytes = 0;
        uint8_t *bytes = without_side(rules.name, tables[i / 2].material, tables[i / 2].metric,
                                      (int)left_out, &n_bytes);
        const struct table_id id = {&rules, material_named(tables[i / 2].material),
                                    tables[i / 2].metric};
        cr_assert_eq(open_sealed(id, bytes, n_bytes, &table, &error), EINSPUL_OK, "%s", error.text);
        cr_assert(table_stores(table, stored) && !table_stores(table, left_out));
        cr_assert_not(table_is_whole(table));
        cr_assert_eq(table_first_block(table, stored), 0);
        cr_assert_eq(table_header(table)->n_blocks, table_blocks_per_side(table));
        synthetic_create(&made, &rules, tables[i / 2].material, 40, 23);
        const bool outcomes = tables[i / 2].metric == EINSPUL_WDL;
        for (uint64_t number = 0; number < table_header(table)->n_blocks; number++) {
            struct block *block = NULL;
            cr_assert_eq(table_decode_block(table, number, &block, &error), EINSPUL_OK, "%s",
                         error.text);
            for (uint32_t place = 0; place < block->n_placements; place++, index++) {
                const value_t value = synthetic_value(&made, (int)stored, index, 0);
                n_wrong += synthetic_stored(&made, (int)stored, index) &&
                           block_values(block, place, made.shape.n_run_states)[0] !=
                               (outcomes ? value_sign(value) : value);
            }
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
Test(table_side, refuses_a_side_left_out_that_must_not_be)
{
    static const struct {
        const char *rules, *material;
        einspul_metric metric;
        enum side side;
        int byte; /* 78: which side, by its bit */
    } tables[] = {
        {"frisian", "KMvK", EINSPUL_DTW, WHITE, 3}, /* both */
        {"frisian", "KMvK", EINSPUL_DTW, WHITE, 4}, /* nobody */
        {"frisian", "KMvK", EINSPUL_DTW, WHITE, 5},
        {"frisian", "KMvK", EINSPUL_DTW, WHITE, 129},
        {"frisian", "KMvK", EINSPUL_DTW, WHITE, 255},
        {"frisian", "KMvK", EINSPUL_DTW, WHITE, 0}, /* too few blocks for both */
        {"frisian", "KMvK", EINSPUL_WDL, WHITE, 3}, /* of outcomes too */
        {"frisian", "KMvK", EINSPUL_WDL, WHITE, 0},
        {"frisian", "MvM", EINSPUL_WDL, BLACK, 2},
        {"frisian", "KKvK", EINSPUL_DTW, WHITE, 1}, /* a clock has a part in it */
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
        bytes[AT_LEFT_OUT] = (uint8_t)tables[i].byte;
        const struct rules rules = rules_named(tables[i].rules);
        const struct table_id id = {&rules, material_named(tables[i].material), tables[i].metric};
        const einspul_status status = open_sealed(id, bytes, n_bytes, &table, &error);
        cr_assert_eq(status, EINSPUL_CORRUPT, "%s, byte %d: %s", tables[i].material, tables[i].byte,
                     einspul_status_name(status));
        cr_assert_not_null(strstr(error.text, "contradict"), "%s", error.text);
        table_close(table);
        free(bytes);
    }
}
