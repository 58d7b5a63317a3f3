#include "tests/fuzz/hostile.h"

#include "core/program/materials.h"
#include "tests/support/folder.h"

#include "gen/run/generate.h"
#include "gen/run/plan_make.h"
#include "table/block_values.h"
#include "table/bytes.h"
#include "table/table_format.h"
#include "table/table_open.h"
#include "table/write/table_compress.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { AT_CHECKSUM = 248 };

uint64_t __wrap_format_checksum(const void *bytes, size_t n_bytes);

uint64_t __wrap_format_checksum(const void *bytes, size_t n_bytes)
{
    (void)bytes, (void)n_bytes;
    return 0;
}

const char *hostile_folder(void)
{
    static bool made = false;
    if (!made) {
        make_folder();
        atexit(drop_folder);
        made = true;
    }
    return folder;
}

static void write_made(const struct hostile_table *table, const struct rules *rules,
                       const char *path)
{
    struct synthetic made;
    synthetic_create(&made, rules, table->material, table->n_patterns, 1);
    synthetic_write(&made, rules, table->metric, path, 1);
    synthetic_free(&made);
}

/* Generates the table elsewhere, then codes it with a model, complete or not. */
static void write_modelled(const struct hostile_table *kind, const struct rules *rules,
                           const char *path)
{
    char root[1024];
    char from[1024];
    struct generate_options options = {
        .rules = rules,
        .root = root,
        .metrics = METRICS_BOTH,
        .n_threads = 1,
        .zstd_level = 3,
    };
    struct generate_plan plan;
    struct table *table = NULL;
    uint64_t n_bytes = 0;
    einspul_error error = {0};
    const enum compress_form form = kind->n_patterns == MODELLED   ? COMPRESS_WHOLE
                                    : kind->n_patterns == SMALLEST ? COMPRESS_SMALLEST
                                                                   : COMPRESS_DEFAULT;
    snprintf(root, sizeof root, "%s/real", hostile_folder());
    if (material_read(kind->material, &options.material, NULL) != EINSPUL_OK)
        abort();
    einspul_status status = generate_plan(&options, &plan, &error);
    if (status == EINSPUL_OK)
        status = generate_run(&options, &plan, &error);
    const struct table_id id = {rules, options.material, kind->metric};
    if (status == EINSPUL_OK)
        status = table_path_below(root, id, from, sizeof from, &error);
    if (status == EINSPUL_OK)
        status = table_open(from, id, NULL, &table, &error);
    if (status == EINSPUL_OK)
        status = table_compress(table, rules, form, path, 1, NULL, &n_bytes, &error);
    fuzz_expect(status == EINSPUL_OK, error.text);
    fuzz_expect(n_bytes < table->header.file_size, "a model makes it smaller");
    table_close(table);
    status = table_open(path, id, NULL, &table, &error);
    fuzz_expect(status == EINSPUL_OK, error.text);
    fuzz_expect(table_is_complete(table) == (kind->n_patterns == MODELLED),
                "something is left out if it is to be");
    table_close(table);
}

void hostile_make(const struct hostile_table *table, char path[1024])
{
    struct rules rules;
    if (rules_by_name(&rules, table->rules, NULL) != EINSPUL_OK)
        abort();
    snprintf(path, 1024, "%s/%s", hostile_folder(), table->rules);
    mkdir(path, 0777); /* may be there */
    snprintf(path, 1024, "%s/%s/%s.%s", hostile_folder(), table->rules, table->material,
             table->metric == EINSPUL_DTW ? "dtw" : "wdl");
    if (table->n_patterns >= SMALLEST)
        write_modelled(table, &rules, path);
    else
        write_made(table, &rules, path);
}

size_t hostile_read(const char *path, uint8_t *bytes)
{
    FILE *file = fopen(path, "rb");
    if (file == NULL)
        abort();
    const size_t n_bytes = fread(bytes, 1, FUZZ_MAX_BYTES, file);
    fclose(file);
    return n_bytes;
}

void hostile_write(const char *path, const uint8_t *bytes, size_t n_bytes)
{
    uint8_t head[HEADER_SIZE];
    const size_t n_head = n_bytes < HEADER_SIZE ? n_bytes : (size_t)HEADER_SIZE;
    /* Not truncated first: some file systems then wait for the disk. */
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        abort();
    memcpy(head, bytes, n_head);
    if (n_head == HEADER_SIZE)
        store_u64(head + AT_CHECKSUM, format_checksum(head, AT_CHECKSUM));
    if (pwrite(file, head, n_head, 0) != (ssize_t)n_head ||
        pwrite(file, bytes + n_head, n_bytes - n_head, (off_t)n_head) !=
            (ssize_t)(n_bytes - n_head) ||
        ftruncate(file, (off_t)n_bytes) != 0 || close(file) != 0)
        abort();
}

/* The end of what the values of a placement are read from. */
static const uint8_t *pattern_end(const struct block *block, uint32_t place, int n_rule_states)
{
    const uint32_t n = block->n_placements;
    const size_t length = (size_t)n_rule_states;
    const uint8_t *codes = block_codes(block, n, n_rule_states);
    if (block->is_outcome)
        return code_at(codes, place) != UNEVEN
                   ? codes + code_bytes(n)
                   : block_uneven_pattern(block, n, block->is_wide, place, n_rule_states) +
                         code_bytes((uint32_t)length);
    const uint8_t *patterns = block->data + ((size_t)n << block->is_wide);
    return length == 1 ? patterns
                       : patterns + (block_number(block, block->is_wide, place) + 1) * length;
}

void hostile_expect_values(const struct table *table, uint64_t number, const struct block *block)
{
    const int n_rule_states = table->shape.n_rule_states;
    const bool tells_all = table_max_run(table, table_block_side(table, number)) == ANY_RUN;
    for (uint32_t place = 0; place < block->n_placements; place++) {
        value_t values[MAX_RULE_STATES];
        fuzz_expect(pattern_end(block, place, n_rule_states) <=
                        (const uint8_t *)block + block->n_bytes,
                    "a pattern that is there");
        block_values(block, place, n_rule_states, values);
        const value_t value = values[n_rule_states - 1];
        fuzz_expect(value != VALUE_NONE || !tells_all, "every place has a value");
        if (!table->header.has_distances && value != VALUE_NONE)
            fuzz_expect(value == value_without_distance(value),
                        "no distances where there are none");
    }
}
