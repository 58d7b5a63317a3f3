#include "tests/support/tables.h"

#include "gen/run/generate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "core/program/index.h"
#include "table/block_cursor.h"
#include "table/block_values.h"
#include "table/bytes.h"
#include "table/table_format.h"
#include "table/table_open.h"
#include "tests/support/parse.h"
#include "tests/support/require.h"

struct generate_options small_options(const struct rules *rules, const char *root)
{
    return (struct generate_options){
        .rules = rules,
        .root = root,
        .pieces = 3,
        .metrics = METRICS_BOTH,
        .n_threads = 2,
        .zstd_level = 3,
    };
}

struct generate_options options_in(const struct rules *rules, const char *name,
                                   char path[PATH_SIZE])
{
    snprintf(path, PATH_SIZE, "%s/%s", folder, name);
    return small_options(rules, path);
}

void generate_with(const struct generate_options *options)
{
    einspul_error error = {0};
    must(generate_tables(options, &error) == EINSPUL_OK, "%s", error.text);
}

void generate(const struct rules *rules, int pieces, const char *name, unsigned metrics)
{
    struct generate_options options = small_options(rules, folder);
    options.pieces = pieces;
    options.metrics = metrics;
    if (name != NULL)
        options.material = material_named(name);
    generate_with(&options);
}

const char *table_name(const struct rules *rules, const char *name, einspul_metric metric)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s.%s", rules->name, name,
             metric == EINSPUL_WDL ? "wdl" : "dtw");
    return path_of(path);
}

struct table *open_table(const struct rules *rules, const struct material *material,
                         einspul_metric metric, const char *path)
{
    struct table *table = NULL;
    einspul_error error = {0};
    const struct table_id id = {rules, *material, metric};
    must(table_open(path, id, NULL, &table, &error) == EINSPUL_OK, "%s", error.text);
    return table;
}

struct table *open_whole(const struct rules *rules, const char *name, einspul_metric metric,
                         const char *path)
{
    const struct material material = material_named(name);
    return open_table(rules, &material, metric, path);
}

uint64_t compress_table(const struct rules *rules, const struct material *material,
                        einspul_metric metric, enum compress_form form, const char *path)
{
    struct table *table = open_table(rules, material, metric, path);
    einspul_error error = {0};
    uint64_t n_bytes = 0;
    must(table_compress(table, rules, form, path, 2, NULL, &n_bytes, &error) == EINSPUL_OK, "%s",
         error.text);
    table_close(table);
    return n_bytes;
}

int leave_out(const struct rules *rules, const struct material *material, const char *root)
{
    char path[PATH_SIZE];
    einspul_error error = {0};
    int omitted = -1;
    const struct table_id id = {rules, *material, EINSPUL_DTW};
    must(table_path_below(root, id, path, sizeof path, &error) == EINSPUL_OK, "%s", error.text);
    compress_table(rules, material, EINSPUL_DTW, COMPRESS_DEFAULT, path);
    struct table *table = open_table(rules, material, EINSPUL_DTW, path);
    for (int side = WHITE; side < table->shape.n_sides; side++)
        if (!table_stores(table, (enum side)side))
            omitted = side;
    table_close(table);
    return omitted;
}

void leave_all_out(const struct rules *rules, const char *root)
{
    struct material materials[MAX_MATERIALS];
    const int n_materials = material_list(2, 3, materials);
    int n_omitted = 0;
    for (int i = 0; i < n_materials; i++)
        n_omitted += leave_out(rules, &materials[i], root) >= 0;
    must(n_omitted >= 6, "only %d tables leave a side out", n_omitted);
}

/* Reads a table sequentially. */
struct reader {
    const struct table *table;
    value_t values[MAX_RULE_STATES];
    struct block_cursor at;
};

static const uint8_t *read_values(struct reader *reader, enum side side, uint64_t index)
{
    const struct table *table = reader->table;
    const uint64_t n = table->header.block_placements;
    const uint64_t number = table_block_of(table, side, index);
    einspul_error error = {0};
    if (!block_cursor_holds(&reader->at, number))
        must(block_cursor_go(&reader->at, table, number, &error) == EINSPUL_OK, "%s", error.text);
    block_values(reader->at.block, (uint32_t)(index % n), table->shape.n_rule_states,
                 reader->values);
    return reader->values;
}

void expect_same_values(const struct rules *rules, const struct table *a, const struct table *b)
{
    const struct shape *shape = &a->shape;
    struct reader readers[2] = {{.table = a}, {.table = b}};
    for (int side = 0; side < shape->n_sides; side++) {
        for (uint64_t index = 0; index < shape->n_placements; index++) {
            struct placement at;
            if (!shape_unrank(shape, index, (enum side)side, &at) ||
                placement_has_capture(rules, &at))
                continue;
            const uint8_t *values = read_values(&readers[0], (enum side)side, index);
            must(memcmp(values, read_values(&readers[1], (enum side)side, index),
                        (size_t)shape->n_rule_states) == 0,
                 "%s: another value at placement %llu", b->path, (unsigned long long)index);
        }
    }
    block_cursor_free(&readers[0].at);
    block_cursor_free(&readers[1].at);
}

void expect_header(const char *path)
{
    size_t n_bytes = 0;
    uint8_t *bytes = read_whole(path, &n_bytes);
    const uint64_t n_blocks = load_u64(bytes + 64);
    must(bytes[49] == DICTIONARY_MODEL, "%s: dictionary %d", path, bytes[49]);
    must(bytes[76] > 1 && bytes[76] <= MAX_INDEX_GROUP, "%s: groups of %d blocks", path, bytes[76]);
    must(load_u32(bytes + 52) <= (uint32_t)MAX_MODEL_BLOCK_PLACEMENTS, "%s: long blocks", path);
    must(load_u32(bytes + 72) == 0, "%s: a model has no patterns", path);
    const uint64_t n_checksums = (n_blocks + bytes[76] - 1) / bytes[76];
    const uint64_t n_index =
        ZSTD_getFrameContentSize(bytes + load_u64(bytes + 96), (size_t)load_u64(bytes + 104));
    must(n_index <= 2 * n_blocks + 8 * n_checksums, "%s: size of the index", path);
    free(bytes);
}
