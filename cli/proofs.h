/* `einspul verify --proof`. */
#ifndef EINSPUL_CLI_PROOFS_H
#define EINSPUL_CLI_PROOFS_H

#include "cli/options.h"

/* Checks every proof of a file and prints a row for each; returns an exit status, EXIT_NO if one does
 * not prove its claim, or the file is damaged. */
int proofs_check(const struct options *options, einspul *handle, const char *path);

#endif
