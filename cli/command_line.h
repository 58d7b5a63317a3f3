/* Reading the command line. */
#ifndef EINSPUL_CLI_COMMAND_LINE_H
#define EINSPUL_CLI_COMMAND_LINE_H

#include "cli/options.h"

/* Reads the arguments of options->command; argv[0] is its name. `command` and `commands` are
 * filled in, the rest of *options is set here. True if the command is to run; otherwise *status
 * is the exit status (after --help, or after a message on standard error). */
bool command_line_read(int argc, char **argv, struct options *options, int *status);

#endif
