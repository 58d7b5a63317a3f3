/* Files of chunks that are whole. Behind the records stands an index, an entry a record,
 *
 *   u64 page   u64 offset   u32 bytes
 *
 * and behind it a foot with a magic number, the number of entries and a checksum of the file's
 * beginning, the index and the foot so far. Records keep checksums of their own, so that to open a
 * file costs no more than its index. */
#include "gen/values/chunk_file_parts.h"

#include "core/os_write.h"
#include "table/bytes.h"
#include "table/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { ENTRY_SIZE = 20, FOOT_SIZE = 24, COPY_BYTES = 1 << 20 };

static const uint8_t foot_magic[8] = {'E', 'I', 'N', 'S', 'P', 'U', 'L', 'F'};

/* Of beginning, index and foot without its last field, which it is written to. */
static uint64_t checksum(const uint8_t start[CHUNK_FILE_START], const uint8_t *index, size_t n)
{
    XXH64_state_t state;
    XXH64_reset(&state, 0);
    XXH64_update(&state, start, CHUNK_FILE_START);
    XXH64_update(&state, index, n);
    return XXH64_digest(&state);
}

static einspul_status write_index(struct chunk_file *file, uint8_t *index,
                                  const struct chunk_record *records, uint64_t n_pages, uint64_t n,
                                  einspul_error *error)
{
    uint8_t start[CHUNK_FILE_START];
    uint8_t *at = index;
    for (uint64_t page = 0; page < n_pages; page++) {
        if (records[page].n_bytes == 0 || records[page].source != 0)
            continue;
        store_u64(at, page);
        store_u64(at + 8, records[page].offset);
        store_u32(at + 16, records[page].n_bytes);
        at += ENTRY_SIZE;
    }
    memcpy(at, foot_magic, sizeof foot_magic);
    store_u64(at + 8, n);
    if (chunk_file_read(file, 0, start, sizeof start) != sizeof start)
        return chunk_file_failed(file, error);
    store_u64(at + 16, checksum(start, index, (size_t)(at + 16 - index)));
    return chunk_file_write(file, atomic_load(&file->end), index, (size_t)(at + FOOT_SIZE - index),
                            error);
}

einspul_status chunk_file_seal(struct chunk_file *file, const struct chunk_record *records,
                               uint64_t n_pages, einspul_error *error)
{
    uint64_t n = 0;
    for (uint64_t page = 0; page < n_pages; page++)
        n += records[page].n_bytes > 0 && records[page].source == 0;
    uint8_t *index = malloc((size_t)n * ENTRY_SIZE + FOOT_SIZE);
    if (index == NULL)
        return chunk_file_no_memory(file, error);
    einspul_status status = write_index(file, index, records, n_pages, n, error);
    free(index);
    const uint64_t size = atomic_load(&file->end) + n * ENTRY_SIZE + FOOT_SIZE;
    /* Behind it may stand what is left of a record that could not be written. */
    if (status == EINSPUL_OK && (os_truncate(file->file, size) != 0 || os_sync(file->file) != 0))
        status = chunk_file_failed(file, error);
    return status;
}

/* --- reading ---------------------------------------------------------------------------------- */

static einspul_status list(const struct chunk_file *file, const uint8_t *index, uint64_t n,
                           uint64_t end, chunk_listed *listed, void *context, einspul_error *error)
{
    einspul_status status = EINSPUL_OK;
    for (uint64_t i = 0; i < n && status == EINSPUL_OK; i++) {
        const uint8_t *at = index + i * ENTRY_SIZE;
        const uint64_t page = load_u64(at);
        const struct chunk_record record = {.offset = load_u64(at + 8),
                                            .n_bytes = load_u32(at + 16)};
        if (record.n_bytes < CHUNK_HEAD_SIZE || record.offset < CHUNK_FILE_START ||
            record.offset > end || record.n_bytes > end - record.offset)
            return error_set(error, EINSPUL_CORRUPT, "%.200s: a part that cannot be",
                             chunk_file_name(file));
        status = listed(context, page, record, error);
    }
    return status;
}

static einspul_status read_index(struct chunk_file *file, const uint8_t start[CHUNK_FILE_START],
                                 chunk_listed *listed, void *context, einspul_error *error)
{
    struct os_info info;
    uint8_t foot[FOOT_SIZE];
    if (os_info_of(file->file, &info) != 0)
        return chunk_file_failed(file, error);
    const uint64_t size = info.n_bytes;
    const size_t n_read = size < CHUNK_FILE_START + FOOT_SIZE
                              ? 0
                              : chunk_file_read(file, size - FOOT_SIZE, foot, FOOT_SIZE);
    if (n_read == CHUNK_NOT_READ)
        return chunk_file_failed(file, error);
    const uint64_t n = n_read == FOOT_SIZE ? load_u64(foot + 8) : 0;
    if (n_read != FOOT_SIZE || memcmp(foot, foot_magic, sizeof foot_magic) != 0 ||
        n > (size - CHUNK_FILE_START - FOOT_SIZE) / ENTRY_SIZE)
        return error_set(error, EINSPUL_TRUNCATED, "%.200s: its end is missing or damaged",
                         chunk_file_name(file));
    const size_t n_index = (size_t)n * ENTRY_SIZE + FOOT_SIZE - 8;
    const uint64_t end = size - FOOT_SIZE - n * ENTRY_SIZE;
    uint8_t *index = malloc(n_index);
    einspul_status status = EINSPUL_OK;
    if (index == NULL)
        return chunk_file_no_memory(file, error);
    const size_t n_got = chunk_file_read(file, end, index, n_index);
    if (n_got == CHUNK_NOT_READ)
        status = chunk_file_failed(file, error);
    else if (n_got != n_index || checksum(start, index, n_index) != load_u64(foot + 16))
        status = error_set(error, EINSPUL_CORRUPT, "%.200s: its index fails its checksum",
                           chunk_file_name(file));
    else
        status = list(file, index, n, end, listed, context, error);
    free(index);
    return status;
}

einspul_status chunk_file_open_sealed(const char *path, const uint8_t key[CHUNK_FILE_KEY_SIZE],
                                      const struct chunk_form *form, chunk_listed *listed,
                                      void *context, struct chunk_file **result, uint64_t *build,
                                      einspul_error *error)
{
    uint8_t start[CHUNK_FILE_START];
    uint8_t there[CHUNK_FILE_START];
    struct chunk_file *file = NULL;
    struct os_info info;
    einspul_status status = chunk_file_new(path, form, &file, error);
    *result = NULL;
    if (status != EINSPUL_OK)
        goto cleanup;
    chunk_file_start(key, start);
    file->file = os_open(path, 0);
    if (file->file < 0 && errno == ENOENT)
        status = error_set(error, EINSPUL_NO_TABLE, "%.200s: no such file", path_text(path));
    else if (file->file < 0 || os_info_of(file->file, &info) != 0)
        status = chunk_file_failed(file, error);
    else if (info.kind != OS_REGULAR)
        status = error_set(error, EINSPUL_IO, "%.200s: not a regular file", path_text(path));
    if (status != EINSPUL_OK)
        goto cleanup;
    const size_t n_read = chunk_file_read(file, 0, there, sizeof there);
    if (n_read == CHUNK_NOT_READ)
        status = chunk_file_failed(file, error);
    else if (n_read != sizeof there || memcmp(there, start, CHUNK_FILE_BUILD) != 0)
        status = error_set(error, EINSPUL_WRONG_VERSION,
                           "%.200s: of another form, or made from other tables", path_text(path));
    else
        status = read_index(file, there, listed, context, error);
    *build = status == EINSPUL_OK ? load_u64(there + CHUNK_FILE_BUILD) : 0;
cleanup:
    if (status == EINSPUL_OK)
        *result = file;
    else
        chunk_file_close(file, false);
    return status;
}

/* --- publishing ------------------------------------------------------------------------------- */

static einspul_status copy(const struct chunk_file *file, const char *path, einspul_error *error)
{
    struct output output = {.file = -1};
    uint8_t *bytes = malloc(COPY_BYTES);
    einspul_status status =
        bytes == NULL ? chunk_file_no_memory(file, error) : output_create(&output, path, error);
    for (uint64_t offset = 0; status == EINSPUL_OK;) {
        const size_t n = chunk_file_read(file, offset, bytes, COPY_BYTES);
        if (n == CHUNK_NOT_READ)
            status = chunk_file_failed(file, error);
        if (n == CHUNK_NOT_READ || n == 0)
            break;
        status = output_write(&output, offset, bytes, n, error);
        offset += n;
    }
    if (status == EINSPUL_OK)
        status = output_commit(&output, error);
    output_abandon(&output);
    free(bytes);
    return status;
}

einspul_status chunk_file_publish(struct chunk_file *file, const char *path, einspul_error *error)
{
    einspul_status status = output_check(path, error);
    bool remove = false;
    if (status == EINSPUL_OK && os_rename(file->path, path) == 0) {
        status = output_sync_folder(path, error);
    } else if (status == EINSPUL_OK && errno == EXDEV) {
        status = copy(file, path, error);
        remove = status == EINSPUL_OK;
    } else if (status == EINSPUL_OK) {
        status = chunk_file_failed(file, error);
    }
    chunk_file_close(file, remove);
    return status;
}
