/* A header, then blocks of entries, each followed by its checksum; integers are little-endian.
 *
 *   0   8  magic
 *   8  32  name of the rule set, padded with zeros
 *   40  8  hash of the tables
 *   48  8  number of entries
 *   56  8  checksum of the header so far */
#include "prove/keep.h"

#include "core/program/random.h"
#include "prove/search.h"
#include "table/bytes.h"
#include "table/read_file.h"
#include "table/table_format.h"

#include <stdlib.h>

enum {
    RULES_AT = 8,
    RULES_BYTES = 32,
    TABLES_AT = 40,
    ENTRIES_AT = 48,
    CHECKSUM_AT = 56,
    KEEP_HEADER_BYTES = 64,
    CHECKSUM_BYTES = 8,
    BLOCK_ENTRIES = 2048,
};

static const char magic[] = "einsKEP1";

static void add_table(void *context, const char *material, const char *metric, uint64_t value_hash)
{
    uint64_t *hash = context;
    for (const char *at = material; *at != '\0'; at++)
        *hash = random_mix(*hash ^ (uint8_t)*at);
    *hash = random_mix(random_mix(*hash ^ (uint8_t)*metric) ^ value_hash);
}

/* Fills in all of a header but the number of entries and the checksum. */
static einspul_status header_of(const struct prover *prover, uint8_t header[KEEP_HEADER_BYTES],
                                einspul_error *error)
{
    uint64_t hash = 0;
    memset(header, 0, KEEP_HEADER_BYTES);
    memcpy(header, magic, RULES_AT);
    strncpy((char *)header + RULES_AT, prover->rules->name, RULES_BYTES);
    const einspul_status status = proof_each_table(prover->handle, add_table, &hash, error);
    store_u64(header + TABLES_AT, hash);
    return status;
}

/* --- writing ---------------------------------------------------------------------------------- */

einspul_status keep_write(const struct prover *prover,
                          einspul_status (*put)(void *context, const void *bytes, size_t n_bytes,
                                                einspul_error *error),
                          void *context, einspul_error *error)
{
    const uint64_t n = memory_n_entries(&prover->memory);
    uint8_t header[KEEP_HEADER_BYTES];
    uint8_t entry[ENTRY_BYTES];
    uint64_t n_left = 0;
    for (uint64_t i = 0; i < n; i++)
        n_left += memory_export(&prover->memory, i, entry);
    uint8_t *block = malloc(BLOCK_ENTRIES * ENTRY_BYTES + CHECKSUM_BYTES);
    if (block == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory to write a file");
    einspul_status status = header_of(prover, header, error);
    store_u64(header + ENTRIES_AT, n_left);
    store_u64(header + CHECKSUM_AT, format_checksum(header, CHECKSUM_AT));
    if (status == EINSPUL_OK)
        status = put(context, header, sizeof header, error);
    size_t n_bytes = 0;
    for (uint64_t i = 0; i < n && n_left > 0 && status == EINSPUL_OK; i++) {
        if (!memory_export(&prover->memory, i, block + n_bytes))
            continue;
        n_bytes += ENTRY_BYTES;
        n_left--;
        if (n_bytes < BLOCK_ENTRIES * ENTRY_BYTES && n_left > 0)
            continue;
        store_u64(block + n_bytes, format_checksum(block, n_bytes));
        status = put(context, block, n_bytes + CHECKSUM_BYTES, error);
        n_bytes = 0;
    }
    free(block);
    return status;
}

/* --- reading ---------------------------------------------------------------------------------- */

static einspul_status corrupt(const struct file *file, einspul_error *error)
{
    return error_set(error, EINSPUL_CORRUPT, "%s: damaged", file->path);
}

/* Checks the header; `*n_entries` is their number. */
static einspul_status read_header(const struct prover *prover, const struct file *file,
                                  uint64_t *n_entries, einspul_error *error)
{
    uint8_t expected[KEEP_HEADER_BYTES];
    uint8_t *header = NULL;
    if (file->size < KEEP_HEADER_BYTES)
        return error_set(error, EINSPUL_NOT_A_TABLE, "%s: not a kept search", file->path);
    einspul_status status = header_of(prover, expected, error);
    if (status == EINSPUL_OK)
        status = file_read(file, 0, KEEP_HEADER_BYTES, &header, error);
    if (status != EINSPUL_OK)
        return status;
    *n_entries = load_u64(header + ENTRIES_AT);
    if (memcmp(header, expected, RULES_AT) != 0)
        status = error_set(error, EINSPUL_NOT_A_TABLE, "%s: not a kept search", file->path);
    else if (load_u64(header + CHECKSUM_AT) != format_checksum(header, CHECKSUM_AT))
        status = corrupt(file, error);
    else if (memcmp(header + RULES_AT, expected + RULES_AT, RULES_BYTES) != 0)
        status =
            error_set(error, EINSPUL_WRONG_RULES, "%s: kept under another rule set", file->path);
    else if (load_u64(header + TABLES_AT) != load_u64(expected + TABLES_AT))
        status = error_set(error, EINSPUL_WRONG_RULES, "%s: kept with other tables", file->path);
    free(header);
    return status;
}

/* Enters a block at an offset, which is moved past it. */
static einspul_status read_block(struct prover *prover, const struct file *file, uint64_t *offset,
                                 uint64_t n_entries, einspul_error *error)
{
    const size_t n_bytes = (size_t)n_entries * ENTRY_BYTES; /* a block is small */
    uint8_t *block = NULL;
    if (file->size - *offset < n_bytes + CHECKSUM_BYTES)
        return corrupt(file, error);
    einspul_status status = file_read(file, *offset, n_bytes + CHECKSUM_BYTES, &block, error);
    if (status == EINSPUL_OK && load_u64(block + n_bytes) != format_checksum(block, n_bytes))
        status = corrupt(file, error);
    for (uint64_t i = 0; i < n_entries && status == EINSPUL_OK; i++)
        if (!memory_import(&prover->memory, block + i * ENTRY_BYTES))
            status = corrupt(file, error);
    free(block);
    *offset += n_bytes + CHECKSUM_BYTES;
    return status;
}

einspul_status keep_read(struct prover *prover, const char *path, einspul_error *error)
{
    struct file *file = NULL;
    uint64_t n_left = 0;
    uint64_t offset = KEEP_HEADER_BYTES;
    einspul_status status = file_open(path, NULL, &file, error);
    if (status != EINSPUL_OK)
        return status;
    status = read_header(prover, file, &n_left, error);
    if (status == EINSPUL_OK)
        memory_reserve(&prover->memory, n_left);
    while (status == EINSPUL_OK && n_left > 0) {
        const uint64_t n = n_left < BLOCK_ENTRIES ? n_left : BLOCK_ENTRIES;
        status = read_block(prover, file, &offset, n, error);
        n_left -= n;
    }
    if (status == EINSPUL_OK && offset != file->size)
        status = corrupt(file, error);
    file_close(file);
    return status;
}
