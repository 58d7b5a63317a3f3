/* A file header, then records: a record header and a zstd frame of numbers and patterns. The record
 * header has a checksum of the whole record, so a file needs no index, order or sync: a record that
 * did not reach the disk whole is ignored. Pattern numbers are in native byte order, which is part
 * of the key.
 *
 * Resuming does not depend on locks, which some file systems lack: a process never writes to a file
 * that another may still have open, but copies the intact records to its own. So two processes may
 * solve the same material at the same time; all they lose is time. */
#include "gen/values/chunk_file.h"

#include "core/program/os_write.h"
#include "gen/values/paths.h"
#include "table/bytes.h"
#include "table/checksum_parts.h"
#include "table/write/output.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>
#include <zstd_errors.h>

enum {
    VERSION = 4, /* of the record layout and of the values: increment when either changes */
    ZSTD_LEVEL = 1,
    FILE_HEADER_SIZE = 8 + CHUNK_FILE_SIGNATURE_SIZE, /* magic number and version, key */
    RECORD_HEADER_SIZE = 48
};

struct chunk_file {
    int file;
    char *path; /* NULL: it has no name */
    struct chunk_form form;
    _Atomic uint64_t end;
};

static const char *name_of(const struct chunk_file *file)
{
    return file->path == NULL ? "room for values on disk" : file->path;
}

static einspul_status no_memory(const struct chunk_file *file, einspul_error *error)
{
    return error_set(error, EINSPUL_NO_MEMORY, "%.200s: not enough memory", name_of(file));
}

/* The error in errno. */
static einspul_status failed(const struct chunk_file *file, einspul_error *error)
{
    const int reason = errno;
    return error_set(error, reason == EFBIG ? EINSPUL_NO_SPACE : status_of_errno(reason),
                     "%.200s: %s", name_of(file), strerror(reason));
}

static einspul_status write_at(const struct chunk_file *file, uint64_t offset, const uint8_t *bytes,
                               size_t n, einspul_error *error)
{
    return os_write_at(file->file, bytes, n, offset) == 0 ? EINSPUL_OK : failed(file, error);
}

/* --- records ---------------------------------------------------------------------------------- */

/* The head of a record. */
struct record_header {
    uint64_t page;
    uint32_t n_placements, n_patterns;
    uint32_t n_raw, n_bytes; /* of the content: decompressed, and in the file */
};

static void header_pack(const struct record_header *head, const uint8_t *content,
                        uint8_t bytes[RECORD_HEADER_SIZE])
{
    struct checksum sum;
    memset(bytes, 0, RECORD_HEADER_SIZE);
    store_u64(bytes, head->page);
    store_u32(bytes + 12, head->n_placements);
    store_u32(bytes + 16, head->n_patterns);
    store_u32(bytes + 20, head->n_raw);
    store_u32(bytes + 24, head->n_bytes);
    store_u64(bytes + 32, format_checksum(bytes, 32));
    checksum_begin(&sum);
    checksum_add(&sum, bytes, 40);
    checksum_add(&sum, content, head->n_bytes);
    store_u64(bytes + 40, checksum_end(&sum));
}

static size_t raw_size(const struct record_header *head, const struct chunk_form *form)
{
    return chunk_value_bytes(form, head->n_patterns) +
           chunk_number_bytes(head->n_placements, head->n_patterns);
}

/* False if the checksum fails or the sizes are impossible. */
static bool header_unpack(struct record_header *head, const struct chunk_form *form,
                          const uint8_t bytes[RECORD_HEADER_SIZE])
{
    head->page = load_u64(bytes);
    head->n_placements = load_u32(bytes + 12);
    head->n_patterns = load_u32(bytes + 16);
    head->n_raw = load_u32(bytes + 20);
    head->n_bytes = load_u32(bytes + 24);
    return load_u64(bytes + 32) == format_checksum(bytes, 32) &&
           head->n_placements <= PAGE_CAPACITY && head->n_patterns > 0 &&
           head->n_patterns <= PAGE_CAPACITY && head->n_raw == raw_size(head, form) &&
           head->n_bytes > 0 && head->n_bytes <= ZSTD_compressBound(head->n_raw);
}

/* Reads and checks the record at an offset; its bytes begin with the header; free() them. CORRUPT,
 * without a message, if it is damaged; head->n_bytes is 0 if the record header is, so that the next
 * record cannot be found. */
static einspul_status read_record(const struct chunk_file *file, uint64_t offset,
                                  struct record_header *head, uint8_t **record,
                                  einspul_error *error)
{
    uint8_t packed[RECORD_HEADER_SIZE];
    uint8_t expected[RECORD_HEADER_SIZE];
    *record = NULL;
    int64_t n_read = os_read_at(file->file, packed, RECORD_HEADER_SIZE, offset);
    if (n_read < 0)
        return failed(file, error);
    if (n_read != RECORD_HEADER_SIZE || !header_unpack(head, &file->form, packed)) {
        head->n_bytes = 0;
        return EINSPUL_CORRUPT;
    }
    uint8_t *bytes = malloc(RECORD_HEADER_SIZE + (size_t)head->n_bytes);
    if (bytes == NULL)
        return no_memory(file, error);
    memcpy(bytes, packed, RECORD_HEADER_SIZE);
    n_read = os_read_at(file->file, bytes + RECORD_HEADER_SIZE, head->n_bytes,
                        offset + RECORD_HEADER_SIZE);
    einspul_status status = EINSPUL_CORRUPT;
    if (n_read < 0) {
        status = failed(file, error);
    } else if (n_read == (int64_t)head->n_bytes) {
        header_pack(head, bytes + RECORD_HEADER_SIZE, expected);
        status = memcmp(packed, expected, RECORD_HEADER_SIZE) == 0 ? EINSPUL_OK : EINSPUL_CORRUPT;
    }
    if (status == EINSPUL_OK)
        *record = bytes;
    else
        free(bytes);
    return status;
}

/* Makes the chunk of a record's content, which is the chunk's bytes from its numbers on. Any
 * content gives a chunk or an error. */
static einspul_status decode(const struct chunk_file *file, const struct record_header *head,
                             const uint8_t *content, struct chunk **result, einspul_error *error)
{
    struct chunk *chunk = chunk_new(&file->form, head->n_placements, head->n_patterns);
    if (chunk == NULL)
        return no_memory(file, error);
    const size_t n = ZSTD_decompress(chunk->number, head->n_raw, content, head->n_bytes);
    bool good = n == head->n_raw;
    for (uint32_t i = 0; good && i < head->n_placements; i++)
        good = chunk_number(chunk, i) < head->n_patterns;
    if (!good) {
        chunk_free(chunk);
        return ZSTD_getErrorCode(n) == ZSTD_error_memory_allocation
                   ? no_memory(file, error)
                   : error_set(error, EINSPUL_CORRUPT, "%.200s: damaged", name_of(file));
    }
    chunk_finish(chunk, &file->form, head->page);
    chunk->from_file = true;
    *result = chunk;
    return EINSPUL_OK;
}

einspul_status chunk_file_get(const struct chunk_file *file, uint64_t page,
                              struct chunk_record record, struct chunk **chunk,
                              einspul_error *error)
{
    struct record_header head;
    uint8_t *bytes = NULL;
    einspul_status status = read_record(file, record.offset, &head, &bytes, error);
    if (status == EINSPUL_CORRUPT ||
        (status == EINSPUL_OK &&
         (head.page != page || head.n_bytes + RECORD_HEADER_SIZE != record.n_bytes)))
        status = error_set(error, EINSPUL_CORRUPT, "%.200s: damaged", name_of(file));
    if (status == EINSPUL_OK)
        status = decode(file, &head, bytes + RECORD_HEADER_SIZE, chunk, error);
    free(bytes);
    return status;
}

/* Adds the bytes of a record at the end. */
static einspul_status put_record(struct chunk_file *file, const uint8_t *bytes, size_t n_bytes,
                                 struct chunk_record *record, einspul_error *error)
{
    const struct chunk_record written = {.offset = atomic_fetch_add(&file->end, n_bytes),
                                         .n_bytes = (uint32_t)n_bytes};
    const einspul_status status = write_at(file, written.offset, bytes, n_bytes, error);
    if (status == EINSPUL_OK)
        *record = written;
    return status;
}

einspul_status chunk_file_put(struct chunk_file *file, const struct chunk *chunk, uint64_t page,
                              struct chunk_record *record, einspul_error *error)
{
    struct record_header head = {
        .page = page, .n_placements = chunk->n_placements, .n_patterns = chunk->n_patterns};
    head.n_raw = (uint32_t)raw_size(&head, &file->form);
    const size_t bound = ZSTD_compressBound(head.n_raw);
    uint8_t *bytes = malloc(RECORD_HEADER_SIZE + bound);
    if (bytes == NULL)
        return no_memory(file, error);
    const size_t n =
        ZSTD_compress(bytes + RECORD_HEADER_SIZE, bound, chunk->number, head.n_raw, ZSTD_LEVEL);
    einspul_status status = EINSPUL_OK;
    if (ZSTD_isError(n)) {
        status = no_memory(file, error);
    } else {
        head.n_bytes = (uint32_t)n;
        header_pack(&head, bytes + RECORD_HEADER_SIZE, bytes);
        status = put_record(file, bytes, RECORD_HEADER_SIZE + n, record, error);
    }
    free(bytes);
    return status;
}

/* --- files ------------------------------------------------------------------------------------ */

/* A file that is not open yet, with a copy of its path unless that is NULL. */
static einspul_status file_new(const char *path, const struct chunk_form *form,
                               struct chunk_file **result, einspul_error *error)
{
    struct chunk_file *file = calloc(1, sizeof *file);
    *result = file;
    if (file == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a file of values");
    file->file = -1;
    file->form = *form;
    if (path == NULL)
        return EINSPUL_OK;
    file->path = malloc(strlen(path) + 1);
    if (file->path == NULL)
        return no_memory(file, error);
    strcpy(file->path, path);
    return EINSPUL_OK;
}

void chunk_file_close(struct chunk_file *file)
{
    if (file == NULL)
        return;
    if (file->file >= 0)
        os_close(file->file);
    free(file->path);
    free(file);
}

void chunk_file_unlink(struct chunk_file *file)
{
    if (file->path != NULL)
        os_remove(file->path);
}

einspul_status chunk_file_create_hidden(const char *folder, const struct chunk_form *form,
                                        struct chunk_file **result, einspul_error *error)
{
    struct chunk_file *file = NULL;
    char path[PATHS_SIZE];
    einspul_status status = path_make(folder, path, error, "%s/.values.%016llx", folder,
                                      (unsigned long long)output_unique_number());
    *result = NULL;
    if (status == EINSPUL_OK)
        status = file_new(NULL, form, &file, error);
    if (status == EINSPUL_OK) {
        file->file = os_open_hidden(path);
        if (file->file < 0)
            status = failed(file, error);
    }
    if (status == EINSPUL_OK)
        *result = file;
    else
        chunk_file_close(file);
    return status;
}

/* --- parts ------------------------------------------------------------------------------------ */

/* Taking over the files of ended processes. */
struct takeover {
    struct chunk_file *file;          /* this process's own */
    uint8_t header[FILE_HEADER_SIZE]; /* header of files with the same key */
    struct chunk_record *records;     /* by page; `n` of them */
    uint64_t n;
    const _Atomic int *stop;
    einspul_error *error;
};

enum { PART_NAME_SIZE = 512, MAX_NAMES = 16 };

/* Splits a stem into its folder ("." for the current one) and the prefix of its files' names. */
static const char *split(const char *stem, char folder[PATHS_SIZE])
{
    size_t n = strlen(stem);
    while (n > 0 && !os_is_separator(stem[n - 1]))
        n--;
    snprintf(folder, PATHS_SIZE, "%.*s", n == 0 ? 1 : (int)n, n == 0 ? "." : stem);
    return stem + n;
}

/* True if a folder entry is a part file with this name. */
static bool is_part(const char *entry, const char *name)
{
    const size_t n = strlen(name);
    return strncmp(entry, name, n) == 0 && entry[n] == '.' &&
           strspn(entry + n + 1, "0123456789abcdef") == 16 && strcmp(entry + n + 17, ".part") == 0;
}

/* Calls a function for each file of a stem; errors end it. */
static einspul_status
each_part(const char *stem, einspul_status visit(const char *path, void *context), void *context)
{
    char folder[PATHS_SIZE];
    const char *name = split(stem, folder);
    struct os_folder *entries = os_folder_open(folder);
    const char *entry = NULL;
    einspul_status status = EINSPUL_OK;
    while (entries != NULL && status == EINSPUL_OK && (entry = os_folder_next(entries)) != NULL) {
        char path[PATHS_SIZE + PART_NAME_SIZE];
        if (!is_part(entry, name))
            continue;
        snprintf(path, sizeof path, "%.*s%s", (int)(name - stem), stem, entry);
        status = visit(path, context);
    }
    if (entries != NULL)
        os_folder_close(entries);
    return status;
}

/* Copies the intact records of a file, up to the first damaged record header. */
static einspul_status take_over_records(struct takeover *takeover, const struct chunk_file *from)
{
    uint64_t offset = FILE_HEADER_SIZE;
    struct record_header head;
    for (;; offset += RECORD_HEADER_SIZE + head.n_bytes) {
        uint8_t *bytes = NULL;
        if (takeover->stop != NULL && atomic_load(takeover->stop) != 0)
            return error_set(takeover->error, EINSPUL_STOPPED, "stopped");
        einspul_status status = read_record(from, offset, &head, &bytes, takeover->error);
        if (status == EINSPUL_CORRUPT && head.n_bytes == 0)
            return EINSPUL_OK;
        if (status == EINSPUL_OK && head.page < takeover->n &&
            takeover->records[head.page].n_bytes == 0)
            status = put_record(takeover->file, bytes, RECORD_HEADER_SIZE + head.n_bytes,
                                &takeover->records[head.page], takeover->error);
        free(bytes);
        if (status != EINSPUL_OK && status != EINSPUL_CORRUPT)
            return status;
    }
}

/* Takes over a file, and removes it if its writer has ended. One that cannot be opened, or has
 * another key, is left alone. */
static einspul_status take_over_file(const char *path, void *context)
{
    struct takeover *takeover = context;
    uint8_t header[FILE_HEADER_SIZE];
    struct chunk_file *from = NULL;
    struct os_info info;
    if (strcmp(path, takeover->file->path) == 0)
        return EINSPUL_OK;
    einspul_status status = file_new(path, &takeover->file->form, &from, takeover->error);
    if (status != EINSPUL_OK)
        goto cleanup;
    from->file = os_open_as(path, OS_WRITE | OS_NO_LINK);
    if (from->file < 0 || os_info_of(from->file, &info) != 0 || info.kind != OS_REGULAR)
        goto cleanup;
    const bool has_stopped = os_lock(from->file) == 0;
    if (os_read_at(from->file, header, sizeof header, 0) != (int64_t)sizeof header ||
        memcmp(header, takeover->header, sizeof header) != 0)
        goto cleanup;
    status = take_over_records(takeover, from);
    if (status == EINSPUL_OK && has_stopped)
        os_remove(path); /* before the lock is released: output_create_locked relies on that */
cleanup:
    chunk_file_close(from);
    return status;
}

static einspul_status remove_one(const char *path, void *context)
{
    const int file = os_open_as(path, OS_WRITE | OS_NO_LINK);
    (void)context;
    if (file >= 0 && os_lock(file) == 0)
        os_remove(path);
    if (file >= 0)
        os_close(file);
    return EINSPUL_OK;
}

void chunk_file_remove_parts(const char *stem)
{
    (void)each_part(stem, remove_one, NULL);
}

/* A new file <stem>.<number>.part. */
static einspul_status create_part(const char *stem, const struct chunk_form *form,
                                  const uint8_t header[FILE_HEADER_SIZE], struct chunk_file **file,
                                  einspul_error *error)
{
    char path[PATHS_SIZE];
    for (int i = 0; i < MAX_NAMES; i++) {
        chunk_file_close(*file);
        *file = NULL;
        einspul_status status = path_make(stem, path, error, "%s.%016llx.part", stem,
                                          (unsigned long long)output_unique_number());
        if (status == EINSPUL_OK)
            status = file_new(path, form, file, error);
        if (status != EINSPUL_OK)
            return status;
        (*file)->file = output_create_locked(path, 0);
        if ((*file)->file >= 0 || errno != EAGAIN)
            break;
    }
    if ((*file)->file < 0)
        return failed(*file, error);
    atomic_init(&(*file)->end, FILE_HEADER_SIZE);
    return write_at(*file, 0, header, FILE_HEADER_SIZE, error);
}

einspul_status chunk_file_create_part(const char *stem,
                                      const uint8_t key[CHUNK_FILE_SIGNATURE_SIZE],
                                      const struct chunk_form *form, struct chunk_record *records,
                                      uint64_t n, const _Atomic int *stop,
                                      struct chunk_file **result, einspul_error *error)
{
    struct takeover takeover = {.header = {'E', 'I', 'N', 'S', 'P', 'A', 'R', VERSION},
                                .records = records,
                                .n = n,
                                .stop = stop,
                                .error = error};
    memcpy(takeover.header + 8, key, CHUNK_FILE_SIGNATURE_SIZE);
    einspul_status status = create_part(stem, form, takeover.header, &takeover.file, error);
    *result = NULL;
    if (status == EINSPUL_OK)
        status = each_part(stem, take_over_file, &takeover);
    if (status == EINSPUL_OK) {
        *result = takeover.file;
    } else {
        if (takeover.file != NULL && takeover.file->file >= 0)
            chunk_file_unlink(takeover.file);
        chunk_file_close(takeover.file);
    }
    return status;
}
