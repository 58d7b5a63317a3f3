/* Writing a pack of tables. */
#ifndef EINSPUL_TABLE_WRITE_PACK_WRITE_H
#define EINSPUL_TABLE_WRITE_PACK_WRITE_H

#include "table/pack.h"

/* A table to be packed. */
struct pack_item {
    char name[PACK_NAME_SIZE]; /* "frisian/KMvK.wdl" */
    const struct file *file;
};

/* Writes a pack of the given files, atomically (output.h), and sorts `items` by name. *n_bytes
 * becomes its size. Errors as output_create and file_read; BAD_ARGUMENT if `path` is an existing
 * file that is not a pack. */
einspul_status pack_write(const char *path, struct pack_item *items, size_t n_items,
                          uint64_t *n_bytes, einspul_error *error);

#endif
