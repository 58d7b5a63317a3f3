/* The path of a table's file: <root>/<rules>/<material>.wdl or .dtw. */
#ifndef EINSPUL_TABLE_TABLE_PATH_H
#define EINSPUL_TABLE_TABLE_PATH_H

#include "table/metric.h"

#include <stddef.h>

/* Writes the path of a table below `root`. `path` has `size` bytes; BAD_ARGUMENT if that is too
 * small. */
enum status table_path_below(const char *root, struct table_id id, char *path, size_t size,
                             struct error *error);

#endif
