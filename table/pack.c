/* Reading a pack: a header of fixed size, the index, and the tables one after the other in the
 * order of the index, so that their places follow from their sizes. */
#include "table/pack.h"

#include "table/bytes.h"
#include "table/table_format.h"

#include <stdlib.h>

static const struct header_spec pack_kind = {
    .magic = pack_magic,
    .wrong_magic_text = "not a folder or pack of tables",
    .version = PACK_VERSION,
    .n_bytes = PACK_HEADER_SIZE,
    .at_file_size = PACK_AT_FILE_SIZE,
};

/* True if a name is not empty, is padded with zero bytes, and sorts after the one before it. */
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
    const uint64_t size = pack->file->size;
    uint64_t end = PACK_HEADER_SIZE + (uint64_t)pack->n_entries * PACK_ENTRY_SIZE;
    bool fits = true;
    for (size_t i = 0; i < pack->n_entries; i++) {
        const uint8_t *from = bytes + i * PACK_ENTRY_SIZE;
        struct pack_entry *entry = &pack->entries[i];
        if (!is_name(from, i == 0 ? NULL : from - PACK_ENTRY_SIZE))
            return error_set(error, EINSPUL_CORRUPT,
                             "%s: entry %zu in the pack index is invalid; the pack is damaged",
                             path_tail(pack->file->path), i);
        memcpy(entry->name, from, PACK_NAME_SIZE);
        entry->offset = end;
        entry->n_bytes = load_u64(from + PACK_NAME_SIZE);
        fits = fits && entry->n_bytes <= size - end;
        end += fits ? entry->n_bytes : 0;
    }
    if (!fits || end != size)
        return error_set(error, EINSPUL_CORRUPT,
                         "%s: the sizes in the index of the pack do not add up",
                         path_tail(pack->file->path));
    return EINSPUL_OK;
}

/* True if the index fits into the file and the reserved bytes are 0. */
static bool pack_fields_agree(const uint8_t *header, uint64_t file_size)
{
    const uint64_t n_entries = load_u32(header + PACK_AT_ENTRIES);
    bool agrees = n_entries <= MAX_PACK_ENTRIES &&
                  PACK_HEADER_SIZE + n_entries * PACK_ENTRY_SIZE <= file_size;
    for (int i = PACK_AT_RESERVED; i < PACK_AT_HEADER_CHECKSUM; i++)
        agrees = agrees && header[i] == 0;
    return agrees;
}

/* Reads header and index of a pack whose file is open. */
static einspul_status read_pack(struct pack **result, struct file *file, einspul_error *error)
{
    uint8_t *header = NULL;
    uint8_t *index = NULL;
    struct pack *pack = NULL;
    einspul_status status = file_read_header(file, &pack_kind, &header, error);
    if (status == EINSPUL_OK && !pack_fields_agree(header, file->size))
        status =
            error_set(error, EINSPUL_CORRUPT, "%s: inconsistent header", path_tail(file->path));
    if (status != EINSPUL_OK)
        goto cleanup;
    const size_t n = load_u32(header + PACK_AT_ENTRIES);
    status = file_read_section(file, PACK_HEADER_SIZE, n * PACK_ENTRY_SIZE,
                               load_u64(header + PACK_AT_INDEX_CHECKSUM), "the index of the pack",
                               &index, error);
    if (status != EINSPUL_OK)
        goto cleanup;
    pack = malloc(sizeof *pack + n * sizeof *pack->entries);
    if (pack == NULL) {
        status = file_no_memory(file->path, error);
        goto cleanup;
    }
    *pack = (struct pack){.file = file, .n_entries = n};
    status = unpack_entries(pack, index, error);
cleanup:
    free(header);
    free(index);
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
    *pack = NULL;
    einspul_status status = file_open(path, callbacks, &file, error);
    if (status == EINSPUL_OK)
        status = read_pack(pack, file, error);
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
