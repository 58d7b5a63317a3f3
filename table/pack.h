/* A pack: many tables in one file, after an index (docs/format.md), for reading. */
#ifndef EINSPUL_TABLE_PACK_H
#define EINSPUL_TABLE_PACK_H

#include "table/read_file.h"

/* Field offsets and sizes of a pack. */
enum {
    PACK_NAME_SIZE = 40,
    PACK_VERSION = 1,
    PACK_HEADER_SIZE = 64,
    PACK_ENTRY_SIZE = PACK_NAME_SIZE + 8,
    MAX_PACK_ENTRIES = 65535,
    PACK_AT_READ_VERSION = 8,
    PACK_AT_WRITE_VERSION = 10,
    PACK_AT_ENTRIES = 12,
    PACK_AT_FILE_SIZE = 16,
    PACK_AT_INDEX_CHECKSUM = 24,
    PACK_AT_RESERVED = 32,
    PACK_AT_HEADER_CHECKSUM = 56
};

static const uint8_t pack_magic[8] = {'E', 'I', 'N', 'S', 'P', 'A', 'K', 0x1a};

/* A table in a pack. */
struct pack_entry {
    char name[PACK_NAME_SIZE]; /* "frisian/KMvK.wdl"; ends with a zero byte */
    uint64_t offset, n_bytes;
};

struct pack {
    struct pack *next; /* next pack of the handle */
    struct file *file;
    size_t n_entries;
    struct pack_entry entries[]; /* by name */
};

/* Opens a pack and checks header and index; the tables in it are checked when they are opened. The
 * text of an error names the file. NO_TABLE if there is no such file; IO, NOT_A_TABLE,
 * WRONG_VERSION, TRUNCATED, BAD_HEADER, CORRUPT, NO_MEMORY. */
einspul_status pack_open(const char *path, const einspul_callbacks *callbacks, struct pack **pack,
                         einspul_error *error);
void pack_close(struct pack *pack); /* NULL is allowed */

#endif
