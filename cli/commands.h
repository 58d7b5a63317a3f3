/* The list of commands. */
#ifndef EINSPUL_CLI_COMMANDS_H
#define EINSPUL_CLI_COMMANDS_H

#include "cli/options.h"

/* All of them, in the order of the help, ended by NULL. */
extern const struct command *const commands[];

#endif
