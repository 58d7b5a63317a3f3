/* Manifests: the files of a set of tables with their sizes, checksums and value hashes. */
#ifndef EINSPUL_CLI_MANIFEST_H
#define EINSPUL_CLI_MANIFEST_H

#include "cli/tables.h"
#include "table/pack.h"

/* "frisian/KMvK.wdl": where a table stands below the root. */
enum { TABLE_NAME_SIZE = PACK_NAME_SIZE };
void table_name_write(const struct rules *rules, const struct material *material,
                      enum metric metric, char name[TABLE_NAME_SIZE]);

/* Prints the manifest of all tables; returns an exit status. */
int manifest_print(const struct options *options, einspul *handle);

/* Compares the tables with the manifest in the file of --manifest, and prints a line for each of
 * its files; returns an exit status, EXIT_NO if one is missing or differs. */
int manifest_check(const struct options *options, einspul *handle);

#endif
