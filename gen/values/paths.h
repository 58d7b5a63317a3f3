/* The names of our files, except those of tables (table/metric.h) and of files that become tables
 * (table/write/output.h):
 *
 *   <root>/<rules>/                               the folder of a rule set
 *   <root>/<rules>/.lock                          its lock
 *   <root>/<rules>/.<material>.*.part             what a process has solved of a material so far
 *   <root>/<rules>/.values.*                      values that do not fit memory
 *
 * `*` is a number of 16 digits that no other process has (output_number).
 * All calls fail with BAD_ARGUMENT where a path is too long, or the root is empty. */
#ifndef EINSPUL_GEN_VALUES_PATHS_H
#define EINSPUL_GEN_VALUES_PATHS_H

#include "core/material.h"
#include "core/rules.h"
#include "core/status.h"
#include "table/metric.h"

#include <stdbool.h>

enum { PATHS_SIZE = 4096 };

einspul_status path_folder(const char *root, const struct rules *rules, char path[PATHS_SIZE],
                           einspul_error *error);

einspul_status path_lock(const char *root, const struct rules *rules, char path[PATHS_SIZE],
                         einspul_error *error);

/* What files of what is solved of a material begin with, and one of them: <stem>.<number>.part. And
 * whether an entry of the stem's folder is one of `name`. */
einspul_status path_parts(const char *root, const struct rules *rules,
                          const struct material *material, char path[PATHS_SIZE],
                          einspul_error *error);
einspul_status path_numbered_part(const char *stem, uint64_t number, char path[PATHS_SIZE],
                                  einspul_error *error);
bool path_is_part(const char *entry, const char *name);

/* Values that do not fit memory. */
einspul_status path_values(const char *folder, uint64_t number, char path[PATHS_SIZE],
                           einspul_error *error);

#endif
