/* Reading a pack: a header of fixed size, the index, and the tables one after the other in the
 * order of the index, so that their places follow from their sizes. */
#include "table/pack.h"

#include "table/bytes.h"
#include "table/table_format.h"

#include <stdlib.h>
#include <string.h>

static einspul_status check_header(const uint8_t *bytes, size_t n_bytes, uint64_t file_bytes,
                                   const char *path, einspul_error *error)
{
    if (n_bytes < sizeof pack_magic || memcmp(bytes, pack_magic, sizeof pack_magic) != 0)
        return error_set(error, EINSPUL_NOT_A_TABLE, "%s: neither a folder nor a pack of tables",
                         path_text(path));
    if (n_bytes < PACK_HEADER_SIZE)
        return error_set(error, EINSPUL_TRUNCATED, "%s: %zu bytes, less than the header of a pack",
                         path_text(path), n_bytes);
    if (load_u64(bytes + PACK_AT_HEADER_CHECKSUM) !=
        format_checksum(bytes, PACK_AT_HEADER_CHECKSUM))
        return error_set(error, EINSPUL_BAD_HEADER, "%s: the header of the pack fails its checksum",
                         path_text(path));
    if (load_u16(bytes + PACK_AT_READ_VERSION) > PACK_VERSION)
        return error_set(error, EINSPUL_WRONG_VERSION,
                         "%s: pack version %d is needed to read it, this is version %d",
                         path_text(path), load_u16(bytes + PACK_AT_READ_VERSION), PACK_VERSION);
    const uint64_t expected = load_u64(bytes + PACK_AT_FILE_SIZE);
    if (file_bytes != expected)
        return error_set(error, file_bytes < expected ? EINSPUL_TRUNCATED : EINSPUL_CORRUPT,
                         "%s: %llu bytes, the header of the pack says %llu", path_text(path),
                         (unsigned long long)file_bytes, (unsigned long long)expected);
    const uint64_t n_entries = load_u32(bytes + PACK_AT_ENTRIES);
    bool agrees = n_entries <= MOST_PACK_ENTRIES &&
                  PACK_HEADER_SIZE + n_entries * PACK_ENTRY_SIZE <= file_bytes;
    for (int i = PACK_AT_RESERVED; i < PACK_AT_HEADER_CHECKSUM; i++)
        agrees = agrees && bytes[i] == 0;
    return agrees ? EINSPUL_OK
                  : error_set(error, EINSPUL_CORRUPT,
                              "%s: fields in the header of the pack contradict each other",
                              path_text(path));
}

/* Whether a name is padded with zero bytes, and comes after the one before it. */
static bool is_name(const uint8_t *name, const uint8_t *before)
{
    const size_t length = strnlen((const char *)name, PACK_NAME_SIZE);
    if (length == 0 || length == PACK_NAME_SIZE)
        return false;
    for (size_t i = length; i < PACK_NAME_SIZE; i++)
        if (name[i] != 0)
            return false;
    return before == NULL || memcmp(before, name, PACK_NAME_SIZE) < 0;
}

static einspul_status unpack_entries(struct pack *pack, const uint8_t *bytes, einspul_error *error)
{
    const uint64_t size = file_size(pack->file);
    uint64_t end = PACK_HEADER_SIZE + (uint64_t)pack->n_entries * PACK_ENTRY_SIZE;
    bool fits = true;
    for (size_t i = 0; i < pack->n_entries; i++) {
        const uint8_t *from = bytes + i * PACK_ENTRY_SIZE;
        struct pack_entry *entry = &pack->entries[i];
        if (!is_name(from, i == 0 ? NULL : from - PACK_ENTRY_SIZE))
            return error_set(error, EINSPUL_CORRUPT,
                             "%s: name %zu in the index of the pack is wrong",
                             path_text(file_path(pack->file)), i);
        memcpy(entry->name, from, PACK_NAME_SIZE);
        entry->offset = end;
        entry->n_bytes = load_u64(from + PACK_NAME_SIZE);
        fits = fits && entry->n_bytes <= size - end;
        end += fits ? entry->n_bytes : 0;
    }
    if (!fits || end != size)
        return error_set(error, EINSPUL_CORRUPT,
                         "%s: the sizes in the index of the pack do not add up",
                         path_text(file_path(pack->file)));
    return EINSPUL_OK;
}

/* Reads the index; the header has been checked. */
static einspul_status read_entries(struct file *file, const uint8_t *header, struct pack **result,
                                   einspul_error *error)
{
    const size_t n = load_u32(header + PACK_AT_ENTRIES);
    uint8_t *bytes = NULL;
    struct pack *pack = malloc(sizeof *pack + n * sizeof *pack->entries);
    if (pack == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "%s: no memory for its index",
                         path_text(file_path(file)));
    *pack = (struct pack){.file = file, .n_entries = n};
    einspul_status status = file_read(file, PACK_HEADER_SIZE, n * PACK_ENTRY_SIZE, &bytes, error);
    if (status == EINSPUL_OK &&
        format_checksum(bytes, n * PACK_ENTRY_SIZE) != load_u64(header + PACK_AT_INDEX_CHECKSUM))
        status =
            error_set(error, EINSPUL_BAD_HEADER, "%s: the index of the pack fails its checksum",
                      path_text(file_path(file)));
    if (status == EINSPUL_OK)
        status = unpack_entries(pack, bytes, error);
    free(bytes);
    if (status == EINSPUL_OK)
        *result = pack;
    else
        free(pack);
    return status;
}

einspul_status pack_open(const char *path, const einspul_callbacks *callbacks, struct pack **pack,
                         einspul_error *error)
{
    struct file *file = NULL;
    uint8_t *header = NULL;
    *pack = NULL;
    einspul_status status = file_open(path, callbacks, &file, error);
    if (status != EINSPUL_OK)
        return status;
    const uint64_t size = file_size(file);
    const size_t n_bytes = size < PACK_HEADER_SIZE ? (size_t)size : (size_t)PACK_HEADER_SIZE;
    status = file_read(file, 0, n_bytes, &header, error);
    if (status == EINSPUL_OK)
        status = check_header(header, n_bytes, size, path, error);
    if (status == EINSPUL_OK)
        status = read_entries(file, header, pack, error);
    free(header);
    if (status != EINSPUL_OK)
        file_close(file);
    return status;
}

void pack_close(struct pack *pack)
{
    if (pack == NULL)
        return;
    file_close(pack->file);
    free(pack);
}
