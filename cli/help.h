/* Help, from the tables of commands and options. */
#ifndef EINSPUL_CLI_HELP_H
#define EINSPUL_CLI_HELP_H

#include "cli/options.h"

/* On standard output: the help of a command. */
void help_command(const struct command *command);

/* Prints an error for an unknown command; returns EXIT_WRONG. */
int help_unknown(const char *name);

#endif
