/* Opening and making files of chunks, and going through their records, from the first to the last
 * that is whole. */
#include "gen/values/chunk_file_parts.h"

#include "core/os_write.h"
#include "gen/values/paths.h"
#include "table/write/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Tells of the sound records of a file. `*end` comes back as the place behind the last one. */
static einspul_status scan(const struct chunk_file *file, chunk_found *found, void *context,
                           uint64_t *end, einspul_error *error)
{
    struct os_info info;
    uint64_t offset = CHUNK_FILE_START;
    einspul_status status = EINSPUL_OK;
    if (os_info_of(file->file, &info) != 0)
        return chunk_file_failed(file, error);
    while (status == EINSPUL_OK && offset + CHUNK_HEAD_SIZE <= info.n_bytes) {
        struct chunk_head head;
        struct chunk *chunk = NULL;
        uint32_t *count = NULL;
        struct chunk_record record = {.offset = offset};
        status = chunk_file_record(file, record, 0, &head, &chunk, &count, error);
        if (status == EINSPUL_CORRUPT && head.n_bytes == 0)
            break;
        record.n_bytes = CHUNK_HEAD_SIZE + head.n_bytes;
        if (status == EINSPUL_OK)
            status = found(context, head.page, chunk, count, record);
        else if (status == EINSPUL_CORRUPT)
            status = EINSPUL_OK;
        chunk_free(chunk);
        free(count);
        offset += record.n_bytes;
    }
    if (status == EINSPUL_CORRUPT)
        status = EINSPUL_OK;
    *end = offset < info.n_bytes ? offset : info.n_bytes;
    return status;
}

/* The same of a file to go on with; what stands behind the last sound head is cut off. */
static einspul_status scan_and_cut(struct chunk_file *file, chunk_found *found, void *context,
                                   einspul_error *error)
{
    uint64_t end = CHUNK_FILE_START;
    einspul_status status = scan(file, found, context, &end, error);
    atomic_store(&file->end, end);
    if (status == EINSPUL_OK && os_truncate(file->file, end) != 0)
        status = chunk_file_failed(file, error);
    return status;
}

einspul_status chunk_file_new(const char *path, const struct chunk_form *form,
                              struct chunk_file **result, einspul_error *error)
{
    struct chunk_file *file = calloc(1, sizeof *file);
    *result = file;
    if (file == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "no memory for a file of values");
    file->file = -1;
    file->form = *form;
    atomic_init(&file->end, CHUNK_FILE_START);
    if (path == NULL)
        return EINSPUL_OK;
    file->path = malloc(strlen(path) + 1);
    if (file->path == NULL)
        return chunk_file_no_memory(file, error);
    strcpy(file->path, path);
    return EINSPUL_OK;
}

/* Opens the file, or a new one. `*is_file` comes back false where what has its name is none, or
 * none can be made. IO: it is there and cannot be opened, and to begin anew would cost what it
 * holds. */
static einspul_status open_regular(struct chunk_file *file, bool *is_file, einspul_error *error)
{
    struct os_info info;
    /* What a link leads to would be written over. */
    file->file = os_open(file->path, OS_WRITE | OS_NO_LINK);
    if (file->file < 0 && errno == ENOENT)
        file->file = os_open(file->path, OS_WRITE | OS_NEW);
    else if (file->file < 0 && errno == ELOOP)
        return error_set(error, EINSPUL_IO, "%.200s: a symbolic link", chunk_file_name(file));
    else if (file->file < 0 && errno != EISDIR)
        return chunk_file_failed(file, error);
    if (file->file >= 0 && os_info_of(file->file, &info) != 0)
        return chunk_file_failed(file, error);
    *is_file = file->file >= 0 && info.kind == OS_REGULAR;
    return EINSPUL_OK;
}

einspul_status chunk_file_open(const char *path, const uint8_t key[CHUNK_FILE_KEY_SIZE],
                               const struct chunk_form *form, chunk_found *found, void *context,
                               struct chunk_file **result, einspul_error *error)
{
    uint8_t start[CHUNK_FILE_START];
    uint8_t there[CHUNK_FILE_START];
    struct chunk_file *file = NULL;
    bool is_file = false;
    einspul_status status = chunk_file_new(path, form, &file, error);
    *result = NULL;
    if (status != EINSPUL_OK)
        goto cleanup;
    chunk_file_start(key, start);
    status = open_regular(file, &is_file, error);
    if (status != EINSPUL_OK || !is_file)
        goto cleanup;
    const size_t n_read = chunk_file_read(file, 0, there, CHUNK_FILE_START);
    if (n_read == CHUNK_NOT_READ)
        status = chunk_file_failed(file, error);
    else if (n_read == CHUNK_FILE_START && memcmp(there, start, CHUNK_FILE_START) == 0)
        status = scan_and_cut(file, found, context, error);
    else
        is_file =
            os_truncate(file->file, 0) == 0 &&
            chunk_file_write(file, 0, start, CHUNK_FILE_START, &(einspul_error){0}) == EINSPUL_OK;
cleanup:
    if (status == EINSPUL_OK && is_file)
        *result = file;
    else
        chunk_file_close(file, false);
    return status;
}

einspul_status chunk_file_look(const char *path, const struct chunk_file *like, chunk_found *found,
                               void *context, einspul_error *error)
{
    uint8_t start[CHUNK_FILE_START];
    uint8_t there[CHUNK_FILE_START];
    struct chunk_file *file = NULL;
    struct os_info info;
    uint64_t end = 0;
    einspul_status status = chunk_file_new(path, &like->form, &file, error);
    if (status != EINSPUL_OK)
        goto cleanup;
    file->file = os_open(path, OS_WRITE | OS_NO_LINK);
    if (file->file < 0 || os_info_of(file->file, &info) != 0 || info.kind != OS_REGULAR)
        goto cleanup;
    const bool is_over = os_lock(file->file) == 0;
    if (chunk_file_read(like, 0, start, sizeof start) == sizeof start &&
        chunk_file_read(file, 0, there, sizeof there) == sizeof there &&
        memcmp(there, start, sizeof start) == 0) {
        status = scan(file, found, context, &end, error);
        if (status == EINSPUL_OK && is_over)
            os_remove(path); /* before the lock goes: output_open_own counts on that */
    }
cleanup:
    chunk_file_close(file, false);
    return status;
}

einspul_status chunk_file_hidden(const char *folder, const struct chunk_form *form,
                                 struct chunk_file **result, einspul_error *error)
{
    struct chunk_file *file = NULL;
    char path[PATHS_SIZE];
    einspul_status status = path_values(folder, output_number(), path, error);
    *result = NULL;
    if (status == EINSPUL_OK)
        status = chunk_file_new(NULL, form, &file, error);
    if (status == EINSPUL_OK) {
        file->file = os_open_hidden(path);
        if (file->file < 0)
            status = chunk_file_failed(file, error);
    }
    if (status == EINSPUL_OK)
        *result = file;
    else
        chunk_file_close(file, false);
    return status;
}

void chunk_file_unlink(struct chunk_file *file)
{
    if (file->path != NULL)
        os_remove(file->path);
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
