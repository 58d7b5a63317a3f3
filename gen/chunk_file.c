/* The key, then records: a head and a zstd frame of counts, patterns and numbers. The head has the
 * checksum of all of its record, so that a file needs no index, no order and no sync: what did not
 * reach the disk whole is not there. Numbers are of the machine's own byte order, which the key
 * tells apart. */
#include "gen/chunk_file.h"

#include "core/os_write.h"
#include "table/bytes.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { VERSION = 2, ZSTD_LEVEL = 1, HEAD_SIZE = 48, START = 8 + CHUNK_FILE_KEY_SIZE };

static const uint8_t magic[8] = {'E', 'I', 'N', 'S', 'P', 'A', 'R', VERSION};

struct chunk_file {
    int file;
    char *path; /* NULL: it has no name */
    struct chunk_form form;
    _Atomic uint64_t end;
};

struct head {
    uint64_t page;
    uint32_t n_placements, n_patterns;
    uint32_t n_raw, n_bytes; /* of the content, as it is and as it stands in the file */
};

static void head_pack(const struct head *head, const uint8_t *content, uint8_t bytes[HEAD_SIZE])
{
    XXH64_state_t state;
    memset(bytes, 0, HEAD_SIZE);
    store_u64(bytes, head->page);
    store_u32(bytes + 12, head->n_placements);
    store_u32(bytes + 16, head->n_patterns);
    store_u32(bytes + 20, head->n_raw);
    store_u32(bytes + 24, head->n_bytes);
    store_u64(bytes + 32, XXH64(bytes, 32, 0));
    XXH64_reset(&state, 0);
    XXH64_update(&state, bytes, 40);
    XXH64_update(&state, content, head->n_bytes);
    store_u64(bytes + 40, XXH64_digest(&state));
}

static size_t raw_size(const struct head *head, int n_run_states)
{
    const size_t n_values = n_run_states > 1 ? (size_t)head->n_patterns * (size_t)n_run_states : 0;
    return (size_t)head->n_patterns * 4 + n_values +
           (size_t)head->n_placements * (head->n_patterns > 256 ? 2 : 1);
}

/* False when it is no head, or one of a chunk that cannot be: no size it has needs to be feared. */
static bool head_unpack(struct head *head, int n_run_states, const uint8_t bytes[HEAD_SIZE])
{
    head->page = load_u64(bytes);
    head->n_placements = load_u32(bytes + 12);
    head->n_patterns = load_u32(bytes + 16);
    head->n_raw = load_u32(bytes + 20);
    head->n_bytes = load_u32(bytes + 24);
    return load_u64(bytes + 32) == XXH64(bytes, 32, 0) && head->n_placements <= PAGE_ROOM &&
           head->n_patterns > 0 && head->n_patterns <= PAGE_ROOM &&
           head->n_raw == raw_size(head, n_run_states) && head->n_bytes > 0 &&
           head->n_bytes <= ZSTD_compressBound(head->n_raw);
}

static const char *name_of(const struct chunk_file *file)
{
    return file->path == NULL ? "room for values on disk" : file->path;
}

static enum status no_memory(const struct chunk_file *file, struct error *error)
{
    return error_set(error, STATUS_NO_MEMORY, "%.200s: no memory for a part of it", name_of(file));
}

static enum status failed(const struct chunk_file *file, struct error *error)
{
    const int reason = errno;
    return error_set(error, reason == EFBIG ? STATUS_NO_SPACE : status_of_errno(reason),
                     "%.200s: %s", name_of(file), strerror(reason));
}

static enum status write_at(struct chunk_file *file, uint64_t offset, const uint8_t *bytes,
                            size_t n, struct error *error)
{
    return os_write_at(file->file, bytes, n, offset) == 0 ? STATUS_OK : failed(file, error);
}

/* Returns the bytes that could be read: fewer at the end of the file, NOT_READ if it fails. */
static const size_t NOT_READ = SIZE_MAX;

static size_t read_at(const struct chunk_file *file, uint64_t offset, uint8_t *bytes, size_t n)
{
    const int64_t n_read = os_read_at(file->file, bytes, n, offset);
    return n_read < 0 ? NOT_READ : (size_t)n_read;
}

/* --- records ---------------------------------------------------------------------------------- */

/* The chunk in the bytes behind a head, and its counts if `count`, which is to be freed. Any bytes
 * give a chunk or an error. */
static enum status decode(const struct chunk_file *file, const struct head *head,
                          const uint8_t *content, struct chunk **chunk, uint32_t **count,
                          struct error *error)
{
    const size_t n_counts = (size_t)head->n_patterns * 4;
    const size_t n_numbers = (size_t)head->n_placements * (head->n_patterns > 256 ? 2 : 1);
    uint8_t *raw = malloc(head->n_raw);
    struct chunk *made = chunk_new(head->n_placements, head->n_patterns, file->form.n_run_states,
                                   file->form.limit > 0);
    enum status status = STATUS_OK;
    if (raw == NULL || made == NULL) {
        status = no_memory(file, error);
    } else {
        const size_t n = ZSTD_decompress(raw, head->n_raw, content, head->n_bytes);
        if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation)
            status = no_memory(file, error);
        else if (n != head->n_raw)
            status = error_set(error, STATUS_CORRUPT, "%.200s: a part does not decompress",
                               name_of(file));
    }
    if (status == STATUS_OK) {
        memcpy(made->number, raw + n_counts, n_numbers);
        if (file->form.n_run_states > 1)
            memcpy(made->number + n_numbers, raw + n_counts + n_numbers,
                   (size_t)head->n_patterns * (size_t)file->form.n_run_states);
        for (uint32_t i = 0; i < head->n_placements; i++)
            if (chunk_number(made, i) >= head->n_patterns)
                status = error_set(error, STATUS_CORRUPT, "%.200s: a part that cannot be",
                                   name_of(file));
        if (file->form.limit > 0)
            chunk_limit(made, head->page < file->form.n_pages_a_side ? WHITE : BLACK,
                        file->form.n_run_states, file->form.limit);
        made->from_file = true;
    }
    if (status == STATUS_OK && count != NULL) {
        *count = malloc(n_counts);
        if (*count == NULL)
            status = no_memory(file, error);
        else
            memcpy(*count, raw, n_counts);
    }
    free(raw);
    if (status != STATUS_OK)
        free(made);
    else
        *chunk = made;
    return status;
}

enum status chunk_file_put(struct chunk_file *file, const struct chunk *chunk, uint64_t page,
                           const uint32_t *count, struct chunk_record *record, struct error *error)
{
    struct head head = {
        .page = page, .n_placements = chunk->n_placements, .n_patterns = chunk->n_patterns};
    const size_t n_counts = (size_t)head.n_patterns * 4;
    const size_t n_numbers = (size_t)head.n_placements * (chunk->wide ? 2 : 1);
    const size_t n_raw = raw_size(&head, file->form.n_run_states);
    const size_t bound = ZSTD_compressBound(n_raw);
    uint8_t *raw = malloc(n_raw);
    uint8_t *bytes = malloc(HEAD_SIZE + bound);
    enum status status = STATUS_OK;

    if (raw == NULL || bytes == NULL) {
        status = no_memory(file, error);
        goto cleanup;
    }
    memset(raw, 0, n_counts);
    if (count != NULL)
        memcpy(raw, count, n_counts);
    memcpy(raw + n_counts, chunk->number, n_numbers);
    if (file->form.n_run_states > 1)
        memcpy(raw + n_counts + n_numbers, chunk->values,
               (size_t)head.n_patterns * (size_t)file->form.n_run_states);
    const size_t size = ZSTD_compress(bytes + HEAD_SIZE, bound, raw, n_raw, ZSTD_LEVEL);
    if (ZSTD_isError(size)) {
        status = no_memory(file, error);
        goto cleanup;
    }
    head.n_raw = (uint32_t)n_raw;
    head.n_bytes = (uint32_t)size;
    head_pack(&head, bytes + HEAD_SIZE, bytes);
    struct chunk_record written = {.n_bytes = (uint32_t)(HEAD_SIZE + size)};
    written.offset = atomic_fetch_add(&file->end, written.n_bytes);
    status = write_at(file, written.offset, bytes, written.n_bytes, error);
    if (status == STATUS_OK)
        *record = written;
cleanup:
    free(raw);
    free(bytes);
    return status;
}

/* Reads and checks the record at an offset, of `n_bytes` if that is not 0. STATUS_CORRUPT without a
 * text where it is damaged; `head` is zero where its head is. */
static enum status read_record(const struct chunk_file *file, uint64_t offset, uint32_t n_bytes,
                               struct head *head, struct chunk **chunk, uint32_t **count,
                               struct error *error)
{
    uint8_t bytes[HEAD_SIZE];
    uint8_t expected[HEAD_SIZE];
    *head = (struct head){0};
    size_t n_read = read_at(file, offset, bytes, HEAD_SIZE);
    if (n_read == NOT_READ)
        return failed(file, error);
    if (n_read != HEAD_SIZE || !head_unpack(head, file->form.n_run_states, bytes) ||
        (n_bytes != 0 && head->n_bytes + HEAD_SIZE != n_bytes)) {
        *head = (struct head){0};
        return STATUS_CORRUPT;
    }
    uint8_t *content = malloc((size_t)head->n_bytes + 1);
    if (content == NULL)
        return no_memory(file, error);
    enum status status = STATUS_CORRUPT;
    n_read = read_at(file, offset + HEAD_SIZE, content, head->n_bytes);
    if (n_read == NOT_READ) {
        status = failed(file, error);
    } else if (n_read == head->n_bytes) {
        head_pack(head, content, expected);
        if (memcmp(bytes, expected, HEAD_SIZE) == 0)
            status = decode(file, head, content, chunk, count, error);
    }
    free(content);
    return status;
}

enum status chunk_file_get(const struct chunk_file *file, uint64_t page, struct chunk_record record,
                           struct chunk **chunk, struct error *error)
{
    struct head head;
    enum status status =
        read_record(file, record.offset, record.n_bytes, &head, chunk, NULL, error);
    if (status == STATUS_OK && head.page != page) {
        free(*chunk);
        status = STATUS_CORRUPT;
    }
    if (status == STATUS_CORRUPT)
        error_set(error, status, "%.200s: a part of it is damaged", name_of(file));
    return status;
}

/* --- files ------------------------------------------------------------------------------------ */

/* Tells of the records of a file; what stands behind the last sound head is cut off. */
static enum status scan(struct chunk_file *file, chunk_found *found, void *context,
                        struct error *error)
{
    struct os_info info;
    uint64_t offset = START;
    enum status status = STATUS_OK;
    if (os_info_of(file->file, &info) != 0)
        return failed(file, error);
    while (status == STATUS_OK && offset + HEAD_SIZE <= info.n_bytes) {
        struct head head;
        struct chunk *chunk = NULL;
        uint32_t *count = NULL;
        status = read_record(file, offset, 0, &head, &chunk, &count, error);
        if (status == STATUS_CORRUPT && head.n_bytes == 0)
            break;
        const struct chunk_record record = {offset, HEAD_SIZE + head.n_bytes};
        if (status == STATUS_OK)
            status = found(context, head.page, chunk, count, record);
        else if (status == STATUS_CORRUPT)
            status = STATUS_OK;
        free(chunk);
        free(count);
        offset += record.n_bytes;
    }
    if (status == STATUS_CORRUPT)
        status = STATUS_OK;
    if (offset > info.n_bytes)
        offset = info.n_bytes;
    atomic_store(&file->end, offset);
    if (status == STATUS_OK && os_truncate(file->file, offset) != 0)
        status = failed(file, error);
    return status;
}

static enum status new_file(const struct chunk_form *form, struct chunk_file **result,
                            struct error *error)
{
    struct chunk_file *file = calloc(1, sizeof *file);
    *result = file;
    if (file == NULL)
        return error_set(error, STATUS_NO_MEMORY, "no memory for a file of values");
    file->file = -1;
    file->form = *form;
    atomic_init(&file->end, START);
    return STATUS_OK;
}

/* Opens the file, or a new one. `*is_file` comes back false where what has its name is none, or
 * none can be made. IO: it is there and cannot be opened, and to begin anew would cost what it
 * holds. */
static enum status open_regular(struct chunk_file *file, bool *is_file, struct error *error)
{
    struct os_info info;
    /* What a link leads to would be written over. */
    file->file = os_open(file->path, OS_WRITE | OS_NO_LINK);
    if (file->file < 0 && errno == ENOENT)
        file->file = os_open(file->path, OS_WRITE | OS_NEW);
    else if (file->file < 0 && errno == ELOOP)
        return error_set(error, STATUS_IO, "%.200s: a symbolic link", name_of(file));
    else if (file->file < 0 && errno != EISDIR)
        return failed(file, error);
    if (file->file >= 0 && os_info_of(file->file, &info) != 0)
        return failed(file, error);
    *is_file = file->file >= 0 && info.kind == OS_REGULAR;
    return STATUS_OK;
}

enum status chunk_file_open(const char *path, const uint8_t key[CHUNK_FILE_KEY_SIZE],
                            const struct chunk_form *form, chunk_found *found, void *context,
                            struct chunk_file **result, struct error *error)
{
    uint8_t start[START];
    uint8_t there[START];
    struct chunk_file *file = NULL;
    bool is_file = false;
    enum status status = new_file(form, &file, error);
    *result = NULL;
    if (status != STATUS_OK)
        return status;
    memcpy(start, magic, sizeof magic);
    memcpy(start + sizeof magic, key, CHUNK_FILE_KEY_SIZE);
    file->path = malloc(strlen(path) + 1);
    if (file->path == NULL) {
        status = no_memory(file, error);
        goto cleanup;
    }
    strcpy(file->path, path);
    status = open_regular(file, &is_file, error);
    if (status != STATUS_OK || !is_file)
        goto cleanup;
    const size_t n_read = read_at(file, 0, there, START);
    if (n_read == NOT_READ)
        status = failed(file, error);
    else if (n_read == START && memcmp(there, start, START) == 0)
        status = scan(file, found, context, error);
    else
        is_file = os_truncate(file->file, 0) == 0 &&
                  write_at(file, 0, start, START, &(struct error){0}) == STATUS_OK;
cleanup:
    if (status == STATUS_OK && is_file)
        *result = file;
    else
        chunk_file_close(file, false);
    return status;
}

enum status chunk_file_hidden(const char *folder, const struct chunk_form *form,
                              struct chunk_file **result, struct error *error)
{
    static const char name[] = "/.values";
    struct chunk_file *file = NULL;
    char *path = malloc(strlen(folder) + sizeof name);
    enum status status = new_file(form, &file, error);
    *result = NULL;
    if (status == STATUS_OK && path == NULL)
        status = no_memory(file, error);
    if (status == STATUS_OK) {
        strcat(strcpy(path, folder), name);
        file->file = os_open_hidden(path);
        if (file->file < 0)
            status = failed(file, error);
    }
    free(path);
    if (status == STATUS_OK)
        *result = file;
    else
        chunk_file_close(file, false);
    return status;
}

void chunk_file_close(struct chunk_file *file, bool remove)
{
    if (file == NULL)
        return;
    if (file->file >= 0)
        os_close(file->file);
    if (remove && file->path != NULL)
        os_remove(file->path);
    free(file->path);
    free(file);
}
