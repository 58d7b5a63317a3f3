#include "tests/support/table_bytes.h"

#include "table/bytes.h"
#include "table/checksum.h"
#include "table/table_format.h"
#include "table/table_open.h"
#include "tests/support/folder.h"
#include "tests/support/parse.h"
#include "tests/support/require.h"
#include "tests/support/synthetic.h"

enum { AT_N_BLOCKS = 64, AT_GROUP = 76, AT_SIZES = 96, AT_INDEX_HASH = 168, AT_CHECKSUM = 248 };

uint8_t *small_table(einspul_metric metric, const char *name, size_t *n_bytes)
{
    const struct rules rules = rules_named("frisian");
    struct synthetic made;
    synthetic_create(&made, &rules, "KvM", 40, 17);
    synthetic_write(&made, &rules, metric, path_of(name), 1);
    synthetic_free(&made);
    return read_whole(path_of(name), n_bytes);
}

void add_to(uint8_t *bytes, size_t at, uint64_t number)
{
    store_u64(bytes + at, load_u64(bytes + at) + number);
}

void seal_header(uint8_t *bytes)
{
    store_u64(bytes + AT_CHECKSUM, format_checksum(bytes, AT_CHECKSUM));
}

einspul_status open_sealed(struct table_id id, uint8_t *bytes, size_t n_bytes, struct table **table,
                           einspul_error *error)
{
    seal_header(bytes);
    write_whole(path_of("T"), bytes, n_bytes);
    return table_open(path_of("T"), id, NULL, table, error);
}

einspul_status open_small(einspul_metric metric, uint8_t *bytes, size_t n_bytes,
                          einspul_error *error)
{
    const struct rules rules = rules_named("frisian");
    const struct table_id id = {&rules, material_named("KvM"), metric};
    struct table *table = NULL;
    const einspul_status status = open_sealed(id, bytes, n_bytes, &table, error);
    table_close(table);
    return status;
}

uint32_t *block_sizes(const uint8_t *bytes, size_t n_bytes)
{
    const uint64_t n = load_u64(bytes + AT_N_BLOCKS);
    const uint8_t *at = bytes + load_u64(bytes + AT_SIZES);
    uint32_t *sizes = synthetic_alloc((size_t)n * sizeof *sizes);
    for (uint64_t i = 0; i < n; i++) {
        must(at + 4 <= bytes + n_bytes, "the index ends");
        sizes[i] = load_u32(at);
        at += 4;
        if ((i + 1) % bytes[AT_GROUP] == 0)
            at += 8;
    }
    return sizes;
}

uint8_t *with_index(const uint8_t *bytes, size_t end, const uint32_t *sizes, uint64_t n,
                    uint32_t group, size_t *n_bytes)
{
    uint8_t *made = synthetic_alloc(end + (size_t)n * (4 + 8));
    const uint64_t blocks = load_u64(bytes + AT_SIZES + 16);
    size_t from = (size_t)blocks;
    size_t to = (size_t)blocks;
    uint8_t *at = made + end;
    memcpy(made, bytes, end);
    for (uint64_t i = 0; i < n; i++) {
        store_u32(at, sizes[i]);
        at += 4;
        to += sizes[i];
        if ((i + 1) % group == 0 || i + 1 == n) {
            store_u64(at, format_checksum(made + from, (to < end ? to : end) - from));
            from = to;
            at += 8;
        }
    }
    *n_bytes = (size_t)(at - made);
    made[AT_GROUP] = (uint8_t)group;
    store_u64(made + AT_N_BLOCKS, n);
    store_u64(made + AT_SIZES, end);
    store_u64(made + AT_SIZES + 8, *n_bytes - end);
    store_u64(made + AT_SIZES + 24, end - blocks);
    store_u64(made + AT_SIZES + 32, *n_bytes);
    store_u64(made + AT_INDEX_HASH, format_checksum(made + end, *n_bytes - end));
    return made;
}
