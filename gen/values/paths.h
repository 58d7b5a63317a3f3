/* The names of our files, except those of tables (table/metric.h) and of files that become tables
 * (table/write/output.h):
 *
 *   <root>/<rules>/                               the folder of a rule set
 *   <root>/<rules>/.lock                          its lock
 *   <root>/<rules>/.<material>.*.part             partial values of a material, from one process
 *   <root>/<rules>/.values.*                      values that do not fit memory
 *
 * `*` is a number of 16 digits that no other process has (output_unique_number).
 * BAD_ARGUMENT where a path is too long, or the root is empty. */
#ifndef EINSPUL_GEN_VALUES_PATHS_H
#define EINSPUL_GEN_VALUES_PATHS_H

#include "core/compiler.h"
#include "core/status.h"

enum { PATHS_SIZE = 4096 };

/* Formats a path. `root`, its beginning, is named in error messages. */
PRINTF_LIKE(4, 5)
einspul_status path_make(const char *root, char path[PATHS_SIZE], einspul_error *error,
                         const char *format, ...);

#endif
