/* Solved tables in the test's folder, and what compressed ones hold. */
#ifndef EINSPUL_TESTS_SUPPORT_TABLES_H
#define EINSPUL_TESTS_SUPPORT_TABLES_H

#include "gen/generate.h"
#include "table/bytes.h"
#include "table/table_compress.h"
#include "table/table_format.h"
#include "tests/support/folder.h"

/* Makes tables of 2..pieces, or those of a material and what it needs. */
static inline void generate(const struct rules *rules, int pieces, const char *name,
                            unsigned metrics)
{
    struct generate_options options = {
        .rules = rules,
        .root = folder,
        .pieces = pieces,
        .metrics = metrics,
        .n_threads = 2,
        .level = 3,
    };
    struct generate_plan plan;
    struct error error = {0};
    cr_assert(name == NULL || material_read(name, &options.material, NULL) == STATUS_OK);
    cr_assert_eq(generate_plan(&options, &plan, &error), STATUS_OK, "%s", error.text);
    cr_assert_eq(generate_run(&options, &plan, &error), STATUS_OK, "%s", error.text);
}

static inline const char *table_name(const struct rules *rules, const char *name,
                                     enum metric metric)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s.%s", rules->name, name,
             metric == METRIC_WDL ? "wdl" : "dtw");
    return path_of(path);
}

static inline struct table *open_whole(const struct rules *rules, const char *name,
                                       enum metric metric, const char *path)
{
    struct material material;
    struct table *table = NULL;
    struct error error = {0};
    cr_assert_eq(material_read(name, &material, NULL), STATUS_OK);
    cr_assert_eq(table_open(path, rules, &material, metric, &file_io_map, &table, &error),
                 STATUS_OK, "%s", error.text);
    return table;
}

/* A table read from its beginning to its end. */
struct reader {
    const struct table *table;
    struct block *block; /* the one read last */
    uint64_t number;
};

static inline const value_t *read_values(struct reader *reader, enum side side, uint64_t index)
{
    const struct table *table = reader->table;
    const uint64_t n = table_block_placements(table);
    const uint64_t number = table_first_block(table, side) + index / n;
    if (reader->block == NULL || reader->number != number) {
        struct error error = {0};
        free(reader->block);
        cr_assert_eq(table_decode_block(table, number, &reader->block, &error), STATUS_OK, "%s",
                     error.text);
        reader->number = number;
    }
    const struct block *block = reader->block;
    return block->patterns + block_pattern(block, block_is_wide(block), (uint32_t)(index % n)) *
                                 (uint32_t)table_shape(table)->n_run_states;
}

static inline void expect_same_values(const struct rules *rules, const struct table *a,
                                      const struct table *b)
{
    const struct shape *shape = table_shape(a);
    struct reader readers[2] = {{.table = a}, {.table = b}};
    for (int side = 0; side < shape->n_sides; side++) {
        for (uint64_t index = 0; index < shape->n_placements; index++) {
            struct placement at;
            if (!shape_unrank(shape, index, (enum side)side, &at) ||
                placement_has_capture(rules, &at))
                continue;
            const value_t *values = read_values(&readers[0], (enum side)side, index);
            if (memcmp(values, read_values(&readers[1], (enum side)side, index),
                       (size_t)shape->n_run_states) != 0)
                cr_assert_fail("%s: another value at placement %llu", table_path(b),
                               (unsigned long long)index);
        }
    }
    free(readers[0].block);
    free(readers[1].block);
}

static inline void expect_header(const char *path)
{
    size_t n_bytes = 0;
    uint8_t *bytes = read_whole(path, &n_bytes);
    cr_assert_eq(bytes[49], DICTIONARY_MODEL);
    cr_assert(bytes[76] > 1 && bytes[76] <= MAX_INDEX_GROUP);
    cr_assert_eq(bytes[77], 2);
    cr_assert_leq(load_u32(bytes + 52), (uint32_t)MAX_MODEL_BLOCK_PLACEMENTS);
    cr_assert_eq(load_u32(bytes + 72), 0, "a model has no patterns");
    const uint64_t n_blocks = load_u64(bytes + 64);
    cr_assert_eq(load_u64(bytes + 104),
                 2 * n_blocks + 8 * ((n_blocks + bytes[76] - 1) / bytes[76]));
    free(bytes);
}

#endif
