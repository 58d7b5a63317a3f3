/* The key, then records: a head and a zstd frame of counts, patterns and numbers. The head has the
 * checksum of all of its record, so that a file needs no index, no order and no sync: what did not
 * reach the disk whole is not there. Numbers are of the machine's own byte order, which the key
 * tells apart. */
#include "gen/values/chunk_file_parts.h"

#include "core/os_write.h"
#include "gen/values/build_id.h"
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

enum { VERSION = 2, ZSTD_LEVEL = 1 };

void chunk_file_start(const uint8_t key[CHUNK_FILE_KEY_SIZE], uint8_t start[CHUNK_FILE_START])
{
    static const uint8_t magic[8] = {'E', 'I', 'N', 'S', 'P', 'A', 'R', VERSION};
    memcpy(start, magic, sizeof magic);
    memcpy(start + sizeof magic, key, CHUNK_FILE_KEY_SIZE);
    store_u64(start + CHUNK_FILE_BUILD - 8, build_form_id);
    store_u64(start + CHUNK_FILE_BUILD, build_id);
}

static void head_pack(const struct chunk_head *head, const uint8_t *content,
                      uint8_t bytes[CHUNK_HEAD_SIZE])
{
    XXH64_state_t state;
    memset(bytes, 0, CHUNK_HEAD_SIZE);
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

static struct chunk_size size_of(const struct chunk_head *head, const struct chunk_form *form)
{
    return (struct chunk_size){head->n_placements, head->n_patterns, form->n_run_states,
                               form->limit > 0};
}

static size_t raw_size(const struct chunk_head *head, const struct chunk_form *form)
{
    const struct chunk_size size = size_of(head, form);
    return (size_t)head->n_patterns * 4 + chunk_value_bytes(&size) + chunk_number_bytes(&size);
}

/* False when it is no head, or one of a chunk that cannot be: no size it has needs to be feared. */
static bool head_unpack(struct chunk_head *head, const struct chunk_form *form,
                        const uint8_t bytes[CHUNK_HEAD_SIZE])
{
    head->page = load_u64(bytes);
    head->n_placements = load_u32(bytes + 12);
    head->n_patterns = load_u32(bytes + 16);
    head->n_raw = load_u32(bytes + 20);
    head->n_bytes = load_u32(bytes + 24);
    return load_u64(bytes + 32) == XXH64(bytes, 32, 0) && head->n_placements <= PAGE_ROOM &&
           head->n_patterns > 0 && head->n_patterns <= PAGE_ROOM &&
           head->n_raw == raw_size(head, form) && head->n_bytes > 0 &&
           head->n_bytes <= ZSTD_compressBound(head->n_raw);
}

const char *chunk_file_name(const struct chunk_file *file)
{
    return file->path == NULL ? "room for values on disk" : file->path;
}

einspul_status chunk_file_no_memory(const struct chunk_file *file, einspul_error *error)
{
    return error_set(error, EINSPUL_NO_MEMORY, "%.200s: no memory for a part of it",
                     chunk_file_name(file));
}

einspul_status chunk_file_failed(const struct chunk_file *file, einspul_error *error)
{
    const int reason = errno;
    return error_set(error, reason == EFBIG ? EINSPUL_NO_SPACE : status_of_errno(reason),
                     "%.200s: %s", chunk_file_name(file), strerror(reason));
}

einspul_status chunk_file_write(struct chunk_file *file, uint64_t offset, const uint8_t *bytes,
                                size_t n, einspul_error *error)
{
    return os_write_at(file->file, bytes, n, offset) == 0 ? EINSPUL_OK
                                                          : chunk_file_failed(file, error);
}

size_t chunk_file_read(const struct chunk_file *file, uint64_t offset, uint8_t *bytes, size_t n)
{
    const int64_t n_read = os_read_at(file->file, bytes, n, offset);
    return n_read < 0 ? CHUNK_NOT_READ : (size_t)n_read;
}

/* --- records ---------------------------------------------------------------------------------- */

/* The chunk in the bytes behind a head, and its counts if `count`, which is to be freed. Any bytes
 * give a chunk or an error. */
static einspul_status decode(const struct chunk_file *file, const struct chunk_head *head,
                             const uint8_t *content, struct chunk **chunk, uint32_t **count,
                             einspul_error *error)
{
    const size_t n_counts = (size_t)head->n_patterns * 4;
    const struct chunk_size size = size_of(head, &file->form);
    const size_t n_numbers = chunk_number_bytes(&size);
    uint8_t *raw = malloc(head->n_raw);
    struct chunk *made = chunk_new(&size);
    einspul_status status = EINSPUL_OK;
    if (raw == NULL || made == NULL) {
        status = chunk_file_no_memory(file, error);
    } else {
        const size_t n = ZSTD_decompress(raw, head->n_raw, content, head->n_bytes);
        if (ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation)
            status = chunk_file_no_memory(file, error);
        else if (n != head->n_raw)
            status = error_set(error, EINSPUL_CORRUPT, "%.200s: a part does not decompress",
                               chunk_file_name(file));
    }
    if (status == EINSPUL_OK) {
        memcpy(made->number, raw + n_counts, n_numbers);
        if (chunk_value_bytes(&size) > 0)
            memcpy(chunk_room(made), raw + n_counts + n_numbers, chunk_value_bytes(&size));
        bool good = true;
        for (uint32_t i = 0; good && i < head->n_placements; i++)
            good = chunk_number(made, i) < head->n_patterns;
        if (!good)
            status = error_set(error, EINSPUL_CORRUPT, "%.200s: a part that cannot be",
                               chunk_file_name(file));
        if (file->form.limit > 0)
            chunk_limit(made, head->page < file->form.n_pages_a_side ? WHITE : BLACK,
                        file->form.n_run_states, file->form.limit);
        made->from_file = true;
    }
    if (status == EINSPUL_OK && count != NULL) {
        *count = malloc(n_counts);
        if (*count == NULL)
            status = chunk_file_no_memory(file, error);
        else
            memcpy(*count, raw, n_counts);
    }
    free(raw);
    if (status != EINSPUL_OK)
        chunk_free(made);
    else
        *chunk = made;
    return status;
}

einspul_status chunk_file_put(struct chunk_file *file, const struct chunk *chunk, uint64_t page,
                              const uint32_t *count, struct chunk_record *record,
                              einspul_error *error)
{
    struct chunk_head head = {
        .page = page, .n_placements = chunk->n_placements, .n_patterns = chunk->n_patterns};
    const struct chunk_size sized = size_of(&head, &file->form);
    const size_t n_counts = (size_t)head.n_patterns * 4;
    const size_t n_numbers = chunk_number_bytes(&sized);
    const size_t n_raw = raw_size(&head, &file->form);
    const size_t bound = ZSTD_compressBound(n_raw);
    uint8_t *raw = malloc(n_raw);
    uint8_t *bytes = malloc(CHUNK_HEAD_SIZE + bound);
    einspul_status status = EINSPUL_OK;

    if (raw == NULL || bytes == NULL) {
        status = chunk_file_no_memory(file, error);
        goto cleanup;
    }
    memset(raw, 0, n_counts);
    if (count != NULL)
        memcpy(raw, count, n_counts);
    memcpy(raw + n_counts, chunk->number, n_numbers);
    if (chunk_value_bytes(&sized) > 0)
        memcpy(raw + n_counts + n_numbers, chunk->values, chunk_value_bytes(&sized));
    const size_t size = ZSTD_compress(bytes + CHUNK_HEAD_SIZE, bound, raw, n_raw, ZSTD_LEVEL);
    if (ZSTD_isError(size)) {
        status = chunk_file_no_memory(file, error);
        goto cleanup;
    }
    head.n_raw = (uint32_t)n_raw;
    head.n_bytes = (uint32_t)size;
    head_pack(&head, bytes + CHUNK_HEAD_SIZE, bytes);
    struct chunk_record written = {.n_bytes = (uint32_t)(CHUNK_HEAD_SIZE + size)};
    written.offset = atomic_fetch_add(&file->end, written.n_bytes);
    status = chunk_file_write(file, written.offset, bytes, written.n_bytes, error);
    if (status == EINSPUL_OK)
        *record = written;
cleanup:
    free(raw);
    free(bytes);
    return status;
}

einspul_status chunk_file_record(const struct chunk_file *file, struct chunk_record record,
                                 uint64_t page, struct chunk_head *head, struct chunk **chunk,
                                 uint32_t **count, einspul_error *error)
{
    uint8_t bytes[CHUNK_HEAD_SIZE];
    uint8_t expected[CHUNK_HEAD_SIZE];
    *head = (struct chunk_head){0};
    size_t n_read = chunk_file_read(file, record.offset, bytes, CHUNK_HEAD_SIZE);
    if (n_read == CHUNK_NOT_READ)
        return chunk_file_failed(file, error);
    if (n_read != CHUNK_HEAD_SIZE || !head_unpack(head, &file->form, bytes) ||
        (record.n_bytes != 0 &&
         (head->n_bytes + CHUNK_HEAD_SIZE != record.n_bytes || head->page != page))) {
        *head = (struct chunk_head){0};
        return EINSPUL_CORRUPT;
    }
    uint8_t *content = malloc((size_t)head->n_bytes + 1);
    if (content == NULL)
        return chunk_file_no_memory(file, error);
    einspul_status status = EINSPUL_CORRUPT;
    n_read = chunk_file_read(file, record.offset + CHUNK_HEAD_SIZE, content, head->n_bytes);
    if (n_read == CHUNK_NOT_READ) {
        status = chunk_file_failed(file, error);
    } else if (n_read == head->n_bytes) {
        head_pack(head, content, expected);
        if (memcmp(bytes, expected, CHUNK_HEAD_SIZE) == 0)
            status = decode(file, head, content, chunk, count, error);
    }
    free(content);
    return status;
}

einspul_status chunk_file_get(const struct chunk_file *file, uint64_t page,
                              struct chunk_record record, struct chunk **chunk, uint32_t **count,
                              einspul_error *error)
{
    struct chunk_head head;
    const einspul_status status = chunk_file_record(file, record, page, &head, chunk, count, error);
    return status == EINSPUL_CORRUPT
               ? error_set(error, status, "%.200s: a part of it is damaged", chunk_file_name(file))
               : status;
}
