/* Values in little memory: evicted chunks are read back unchanged, and the limit is kept. */
#include "core/program/materials.h"
#include "core/program/os_write.h"
#include "gen/material/material_solve.h"
#include "gen/material/material_write.h"
#include "gen/run/plan.h"
#include "gen/solver/word_solver.h"
#include "tests/support/tables.h"

#include <sys/resource.h>
#include <unistd.h>

TestSuite(pager, .init = make_folder, .fini = drop_folder);

enum { LIMIT = 200000 };

static bool same_file(const char *a, const char *b)
{
    char command[2048];
    snprintf(command, sizeof command, "cmp -s '%s' '%s'", a, b);
    return system(command) == 0;
}

/* Solves all materials with a pager and compares their tables with those in the folder; returns the
 * number of bytes read. */
static uint64_t solve_within(const struct rules *rules, int pieces, einspul_metric metric,
                             int n_threads, uint64_t limit, uint64_t memory_limit)
{
    static struct store store;
    struct material list[MAX_MATERIALS];
    einspul_error error = {0};
    const int n = material_list(2, pieces, list);
    char path[600];
    memset(&store, 0, sizeof store);
    store.rules = rules;
    snprintf(path, sizeof path, "%s/table", folder);
    cr_assert_eq(pager_create(folder, &store.pager), EINSPUL_OK);
    pager_set_memory_limit(store.pager, memory_limit);
    pager_set_limit(store.pager, limit);
    for (int i = 0; i < n; i++) {
        char name[MATERIAL_NAME_SIZE];
        struct material_params params = {
            .store = &store,
            .material = list[i],
            .metric = metric,
            .solver = &word_solver,
            .n_threads = n_threads,
        };
        material_write(&list[i], name);
        cr_assert_eq(material_solve(&params, &error), EINSPUL_OK, "%s", error.text);
        const struct table_output output = {path, {rules, list[i], metric}};
        cr_assert_eq(
            material_write_tables(&output, 1, store_get(&store, &list[i]), 3, n_threads, &error),
            EINSPUL_OK, "%s", error.text);
        cr_assert(same_file(path, table_name(rules, name, metric)), "%s", name);
        /* The input of a block stays in memory until the block is complete. */
        cr_assert_leq(pager_bytes(store.pager), 4 * limit);
        pager_set_limit(store.pager, limit);
        cr_assert_leq(pager_bytes(store.pager), limit);
    }
    const uint64_t n_read = pager_bytes_read(store.pager);
    for (int i = 0; i < n; i++)
        solved_destroy(store_get(&store, &list[i]));
    pager_set_limit(store.pager, 0); /* frees what readers had locked */
    cr_assert_eq(pager_bytes(store.pager), 0);
    pager_destroy(store.pager);
    return n_read;
}

static uint64_t solve_in_pages(const struct rules *rules, int pieces, einspul_metric metric,
                               int n_threads, uint64_t limit)
{
    return solve_within(rules, pieces, metric, n_threads, limit, 0);
}

/* Fails if a chunk is read back with other values, or is freed while a thread looks it up. */
Test(pager, same_tables_in_little_memory, .timeout = 300)
{
    const struct rules rules = rules_named("english");
    generate(&rules, 4, NULL, METRICS_DTW);
    cr_assert_gt(solve_in_pages(&rules, 4, EINSPUL_DTW, 3, LIMIT), 10 * LIMIT);
}

/* Fails if a process beyond its memory limit continues to allocate chunks. */
Test(pager, fewer_chunks_where_the_process_has_too_much, .timeout = 300)
{
    const uint64_t much = UINT64_C(1) << 40, little = 1;
    const struct rules rules = rules_named("frisian");
    if (os_memory_resident() == 0)
        cr_skip_test("the system does not tell what is in memory");
    generate(&rules, 3, NULL, METRICS_DTW);
    const uint64_t n_read = solve_within(&rules, 3, EINSPUL_DTW, 1, 4 * LIMIT, much);
    const uint64_t n_extra_roots = solve_within(&rules, 3, EINSPUL_DTW, 1, 4 * LIMIT, little);
    cr_assert_gt(n_extra_roots, 2 * n_read, "%llu, %llu", (unsigned long long)n_extra_roots,
                 (unsigned long long)n_read);
}

/* King runs: many patterns, two bytes per number; frames of several pages; several threads per
 * frame. */
Test(pager, king_runs_in_little_memory, .timeout = 300)
{
    const struct rules rules = rules_named("frisian");
    generate(&rules, 3, NULL, METRICS_DTW);
    cr_assert_gt(solve_in_pages(&rules, 3, EINSPUL_DTW, 2, LIMIT), LIMIT);
}

static void flip_bit(const char *path, uint64_t offset, int bit)
{
    FILE *file = fopen(path, "r+b");
    cr_assert_not_null(file);
    cr_assert_eq(fseek(file, (long)offset, SEEK_SET), 0);
    const int byte = fgetc(file);
    cr_assert_neq(byte, EOF);
    cr_assert_eq(fseek(file, (long)offset, SEEK_SET), 0);
    cr_assert_neq(fputc(byte ^ (1 << bit), file), EOF);
    cr_assert_eq(fclose(file), 0);
}

/* The path of the only part in the folder. */
static const char *part_path(void)
{
    static char path[600];
    FILE *pipe = NULL;
    char command[600];
    snprintf(command, sizeof command, "ls '%s'/X.*.part", folder);
    pipe = popen(command, "r");
    cr_assert_not_null(pipe);
    cr_assert_eq(fscanf(pipe, "%599s", path), 1);
    cr_assert_eq(pclose(pipe), 0);
    return path;
}

/* Opens a part file with a key that begins with `key`; returns the number of records taken over. */
static int open_part(uint8_t key, int n_rule_states, struct chunk_file **file)
{
    const struct chunk_form form = {.n_rule_states = n_rule_states, .n_pages_a_side = 8};
    const uint8_t whole_key[CHUNK_FILE_SIGNATURE_SIZE] = {key};
    einspul_error error = {0};
    struct chunk_record records[16] = {{0}};
    int n_taken = 0;
    cr_assert_eq(
        chunk_file_create_part(path_of("X"), whole_key, &form, records, 16, NULL, file, &error),
        EINSPUL_OK, "%s", error.text);
    for (int page = 0; page < 16; page++) {
        n_taken += records[page].n_bytes > 0;
        cr_assert(page == 5 || records[page].n_bytes == 0);
    }
    return n_taken;
}

/* Fails if a flipped bit of a record is not noticed, if the next run does not take over an intact
 * record, or if it takes over one made from other tables. */
Test(pager, flipped_bits_of_a_record)
{
    static const uint8_t values[2][8] = {{1, 2, 3, 4}, {9, 8, 7, 6}}; /* half of them used */
    struct chunk_builder *builder = NULL;
    struct chunk_file *file = NULL;
    struct chunk_record record = {0};
    struct chunk *back = NULL;
    einspul_error error = {0};
    cr_assert_eq(chunk_builder_create(&builder, 4, false), EINSPUL_OK);
    chunk_builder_begin(builder, 3);
    cr_assert_eq(chunk_builder_put(builder, 0, values[0]), EINSPUL_OK);
    cr_assert_eq(chunk_builder_put(builder, 1, values[1]), EINSPUL_OK);
    cr_assert_eq(chunk_builder_put(builder, 2, values[1]), EINSPUL_OK);
    struct chunk *chunk =
        chunk_builder_make(builder, NULL, &(struct chunk_form){.n_rule_states = 4}, 5);
    cr_assert_not_null(chunk);
    cr_assert_eq(open_part(1, 4, &file), 0);
    cr_assert_eq(chunk_file_put(file, chunk, 5, &record, &error), EINSPUL_OK);
    for (uint32_t bit = 0; bit < 8 * record.n_bytes; bit++) {
        flip_bit(part_path(), record.offset + bit / 8, (int)(bit % 8));
        const einspul_status status = chunk_file_get(file, 5, record, &back, &error);
        cr_assert_eq(status, EINSPUL_CORRUPT, "bit %u", bit);
        flip_bit(part_path(), record.offset + bit / 8, (int)(bit % 8));
    }
    cr_assert_eq(chunk_file_get(file, 4, record, &back, &error), EINSPUL_CORRUPT, "another page's");
    cr_assert_eq(chunk_file_get(file, 5, record, &back, &error), EINSPUL_OK);
    cr_assert_arr_eq(chunk_values(back, 2, 4), values[1], 4);
    chunk_free(back);
    chunk_free(chunk);
    /* A reader that opens it while its writer is running copies it, and leaves it in place. */
    struct chunk_file *second = NULL;
    cr_assert_eq(open_part(1, 4, &second), 1);
    cr_assert_eq(folder_entries(), 2);
    chunk_file_close(second);
    chunk_file_close(file);
    cr_assert_eq(open_part(1, 4, &file), 1);
    cr_assert_eq(folder_entries(), 1);
    chunk_file_close(file);
    cr_assert_eq(open_part(2, 4, &file), 0);
    chunk_file_close(file);
    chunk_file_remove_parts(path_of("X"));
    cr_assert_eq(system("! ls X.* 2>/dev/null"), 0);
    chunk_builder_free(builder);
}

/* Fails if a file that claims a record of 4 GiB ends a run for lack of memory. */
Test(pager, sizes_that_a_record_cannot_have)
{
    enum {
        AT_RECORD = 8 + CHUNK_FILE_SIGNATURE_SIZE,
        AT_RAW = 20,
        AT_BYTES = 24,
        AT_CHECKSUM = 32
    };
    struct chunk_file *file = NULL;
    struct rlimit limit = {(rlim_t)1 << 30, (rlim_t)1 << 30};
    size_t n_bytes = 0;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    limit.rlim_cur = limit.rlim_max = RLIM_INFINITY;
#endif
    cr_assert_eq(open_part(1, 1, &file), 0);
    chunk_file_close(file);
    const char *path = part_path();
    uint8_t *whole = read_whole(path, &n_bytes);
    cr_assert_eq(n_bytes, AT_RECORD);
    uint8_t bytes[AT_RECORD + 48] = {0};
    memcpy(bytes, whole, AT_RECORD);
    free(whole);
    uint8_t *head = bytes + AT_RECORD;
    head[12] = head[16] = 1; /* a placement and a pattern */
    store_u32(head + AT_RAW, 1);
    store_u32(head + AT_BYTES, 0xfffffff0);
    store_u64(head + AT_CHECKSUM, format_checksum(head, AT_CHECKSUM));
    write_whole(path, bytes, sizeof bytes);
    cr_assert_eq(setrlimit(RLIMIT_AS, &limit), 0);
    cr_assert_eq(open_part(1, 1, &file), 0);
    chunk_file_close(file);
}
