/* A pack: many tables in one file behind an index (docs/format.md), for reading. */
#ifndef EINSPUL_TABLE_PACK_H
#define EINSPUL_TABLE_PACK_H

#include "table/read_file.h"

enum { PACK_NAME_SIZE = 40 };

/* A table in a pack. */
struct pack_entry {
    char name[PACK_NAME_SIZE]; /* "frisian/KMvK.wdl"; ends with a zero byte */
    uint64_t offset, n_bytes;
};

struct pack {
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
