/* Writing a pack of tables. */
#ifndef EINSPUL_TABLE_WRITE_PACK_WRITE_H
#define EINSPUL_TABLE_WRITE_PACK_WRITE_H

#include "table/pack.h"

/* A table to be packed. */
struct pack_item {
    char name[PACK_NAME_SIZE]; /* "frisian/KMvK.wdl" */
    const struct file *file;
};

/* Writes files into one, under a temporary name until it is whole; sorts the items by name. Errors
 * as output_create and file_read; BAD_ARGUMENT where a file that is no pack has the name. `*n_bytes`
 * is its size. */
einspul_status pack_write(const char *path, struct pack_item *items, size_t n_items,
                          uint64_t *n_bytes, einspul_error *error);

#endif
