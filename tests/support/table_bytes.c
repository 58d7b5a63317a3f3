#include "tests/support/table_bytes.h"

#include "table/bytes.h"
#include "tests/support/folder.h"
#include "tests/support/named.h"
#include "tests/support/synthetic.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { AT_CHECKSUM = 248 };

uint8_t *small_table(int value_bytes, enum metric metric, const char *name, size_t *n_bytes)
{
    const struct rules rules = rules_named("frisian");
    struct synthetic made;
    synthetic_create(&made, &rules, "KvM", 40, 17);
    if (value_bytes == 2)
        synthetic_widen(&made, 17);
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
    store_u64(bytes + AT_CHECKSUM, XXH64(bytes, AT_CHECKSUM, 0));
}

enum status open_sealed(struct table_id id, uint8_t *bytes, size_t n_bytes, struct table **table,
                        struct error *error)
{
    seal_header(bytes);
    write_whole(path_of("T"), bytes, n_bytes);
    return table_open(path_of("T"), id, &file_io_read, table, error);
}

enum status open_small(enum metric metric, uint8_t *bytes, size_t n_bytes, struct error *error)
{
    const struct rules rules = rules_named("frisian");
    const struct table_id id = {&rules, material_named("KvM"), metric};
    struct table *table = NULL;
    const enum status status = open_sealed(id, bytes, n_bytes, &table, error);
    table_close(table);
    return status;
}
