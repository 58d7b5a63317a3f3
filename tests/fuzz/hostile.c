#include "tests/fuzz/hostile.h"

#include "probe/bytes.h"
#include "probe/table_format.h"

#include <fcntl.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { AT_CHECKSUM = 248 };

uint64_t __wrap_format_checksum(const void *bytes, size_t n_bytes);

static uint8_t *checked; /* room for what is checked, or NULL */
static size_t n_checked;

uint64_t __wrap_format_checksum(const void *bytes, size_t n_bytes)
{
    if (checked != NULL && n_bytes <= FUZZ_MAX_BYTES) {
        memcpy(checked, bytes, n_bytes);
        n_checked = n_bytes;
    }
    return 0;
}

static char folder[] = "/tmp/einspul-fuzz-XXXXXX";

static void drop_folder(void)
{
    remove_folder(folder);
}

const char *hostile_folder(void)
{
    static bool made = false;
    if (!made) {
        if (mkdtemp(folder) == NULL)
            abort();
        atexit(drop_folder);
        made = true;
    }
    return folder;
}

void hostile_make(const struct hostile_table *table, char path[1024])
{
    struct rules rules;
    struct synthetic made;
    struct error error = {0};
    if (rules_by_name(&rules, table->rules, NULL) != STATUS_OK)
        abort();
    snprintf(path, 1024, "%s/%s", hostile_folder(), table->rules);
    mkdir(path, 0777); /* may be there */
    snprintf(path, 1024, "%s/%s/%s.%s", hostile_folder(), table->rules, table->material,
             table->metric == METRIC_DTW ? "dtw" : "wdl");
    synthetic_create(&made, &rules, table->material, table->n_patterns, 1);
    const enum status status =
        table_write(path, &rules, &made.shape, table->metric, made.sides, 3, 1, &error);
    fuzz_expect(status == STATUS_OK, error.text);
    synthetic_free(&made);
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
    /* Not emptied before: some file systems then wait for the disk. */
    const int file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0666);
    if (file < 0)
        abort();
    memcpy(head, bytes, n_head);
    if (n_head == HEADER_SIZE)
        store_u64(head + AT_CHECKSUM, XXH64(head, AT_CHECKSUM, 0));
    if (pwrite(file, head, n_head, 0) != (ssize_t)n_head ||
        pwrite(file, bytes + n_head, n_bytes - n_head, (off_t)n_head) !=
            (ssize_t)(n_bytes - n_head) ||
        ftruncate(file, (off_t)n_bytes) != 0 || close(file) != 0)
        abort();
}

size_t hostile_block_bytes(const struct table *table, uint64_t number, uint8_t *bytes)
{
    struct block *block = NULL;
    struct error error = {0};
    n_checked = 0;
    checked = bytes;
    const enum status status = table_decode_block(table, number, &block, &error);
    checked = NULL;
    fuzz_expect(status == STATUS_OK, error.text);
    fuzz_expect(n_checked > 0, "the bytes of a block have a checksum");
    free(block);
    return n_checked;
}
