/* Writing a pack: the index is known before the first table is copied. */
#include "table/write/pack_write.h"

#include "core/os.h"
#include "core/program/os_write.h"
#include "table/bytes.h"
#include "table/pack.h"
#include "table/table_format.h"
#include "table/write/output.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { COPIED_AT_ONCE = 1 << 20 };

static int compare_names(const void *first, const void *second)
{
    const struct pack_item *a = first;
    const struct pack_item *b = second;
    return strcmp(a->name, b->name);
}

/* Header and index of the items; `*n_bytes` is the size of the whole file. */
static void fill_head(uint8_t *head, const struct pack_item *items, size_t n_items,
                      uint64_t *n_bytes)
{
    const size_t index_bytes = n_items * PACK_ENTRY_SIZE;
    uint8_t *index = head + PACK_HEADER_SIZE;
    *n_bytes = PACK_HEADER_SIZE + index_bytes;
    for (size_t i = 0; i < n_items; i++) {
        uint8_t *entry = index + i * PACK_ENTRY_SIZE;
        memcpy(entry, items[i].name, strlen(items[i].name));
        store_u64(entry + PACK_NAME_SIZE, items[i].file->size);
        *n_bytes += items[i].file->size;
    }
    memcpy(head, pack_magic, sizeof pack_magic);
    store_u16(head + PACK_AT_READ_VERSION, PACK_VERSION);
    store_u16(head + PACK_AT_WRITE_VERSION, PACK_VERSION);
    store_u32(head + PACK_AT_ENTRIES, (uint32_t)n_items);
    store_u64(head + PACK_AT_FILE_SIZE, *n_bytes);
    store_u64(head + PACK_AT_INDEX_CHECKSUM, format_checksum(index, index_bytes));
    store_u64(head + PACK_AT_HEADER_CHECKSUM, format_checksum(head, PACK_AT_HEADER_CHECKSUM));
}

static einspul_status copy_file(struct output *output, uint64_t to, const struct file *file,
                                einspul_error *error)
{
    einspul_status status = EINSPUL_OK;
    for (uint64_t at = 0; at < file->size && status == EINSPUL_OK; at += COPIED_AT_ONCE) {
        const uint64_t left = file->size - at;
        const size_t n = left < COPIED_AT_ONCE ? (size_t)left : (size_t)COPIED_AT_ONCE;
        uint8_t *bytes = NULL;
        status = file_read(file, at, n, &bytes, error);
        if (status == EINSPUL_OK)
            status = output_write(output, to + at, bytes, n, error);
        free(bytes);
    }
    return status;
}

/* Refuses to replace a regular file that is not a pack. Anything that is not a regular file is left
 * to output_create. */
static einspul_status check_replaced(const char *path, einspul_error *error)
{
    struct os_info info;
    char begin[sizeof pack_magic];
    if (os_info_at_link(path, &info) != 0 || info.kind != OS_REGULAR)
        return EINSPUL_OK;
    const int file = os_open_as(path, OS_NO_LINK);
    if (file < 0)
        return error_set(error, status_of_errno(errno), "%s: %s", path_tail(path), strerror(errno));
    const int64_t n_read = os_read_at(file, begin, sizeof begin, 0);
    const int reason = errno;
    os_close(file);
    if (n_read < 0)
        return error_set(error, status_of_errno(reason), "%s: %s", path_tail(path),
                         strerror(reason));
    if (n_read == (int64_t)sizeof begin && memcmp(begin, pack_magic, sizeof begin) == 0)
        return EINSPUL_OK;
    return error_set(error, EINSPUL_BAD_ARGUMENT, "%s exists and is not a pack; not overwritten",
                     path_tail(path));
}

einspul_status pack_write(const char *path, struct pack_item *items, size_t n_items,
                          uint64_t *n_bytes, einspul_error *error)
{
    struct output output = {.file = -1};
    const size_t head_bytes = PACK_HEADER_SIZE + n_items * PACK_ENTRY_SIZE;
    uint8_t *head = calloc(1, head_bytes);
    if (head == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "%s: not enough memory for its index",
                         path_tail(path));
    qsort(items, n_items, sizeof *items, compare_names);
    fill_head(head, items, n_items, n_bytes);
    einspul_status status = output_create(&output, path, error);
    if (status == EINSPUL_OK)
        status = check_replaced(path, error);
    if (status == EINSPUL_OK)
        status = output_write(&output, 0, head, head_bytes, error);
    uint64_t at = head_bytes;
    for (size_t i = 0; i < n_items && status == EINSPUL_OK; i++) {
        status = copy_file(&output, at, items[i].file, error);
        at += items[i].file->size;
    }
    if (status == EINSPUL_OK)
        status = output_commit(&output, error);
    output_abandon(&output);
    free(head);
    return status;
}
