/* Published value hashes, such as data/hashes.tsv. */
#ifndef EINSPUL_CLI_PUBLISHED_HASHES_H
#define EINSPUL_CLI_PUBLISHED_HASHES_H

#include "table/table_open.h"

/* Looks up the value hash of an open table in a file: a line per table with rule set, material, metric and
 * hash, separated by tabs. CORRUPT if it differs, NO_TABLE if the file does not have it, IO. */
einspul_status published_hashes_check(const char *path, struct table_id id,
                                      const struct table *table, einspul_error *error);

#endif
