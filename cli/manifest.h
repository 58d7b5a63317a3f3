/* Manifests: the files of tables with their sizes, checksums and value hashes. */
#ifndef EINSPUL_CLI_MANIFEST_H
#define EINSPUL_CLI_MANIFEST_H

#include "cli/options.h"

/* Prints the manifest of all tables; returns an exit status. */
int manifest_print(const struct options *options, einspul *handle);

/* Compares the tables with the manifest in a file, and prints a line for each of
 * its files; returns an exit status, EXIT_CHECK_FAILED if one is missing or differs. */
int manifest_check(const struct options *options, einspul *handle, const char *path);

#endif
