/* What the program tells of itself, from the tables of commands and options. */
#ifndef EINSPUL_CLI_HELP_H
#define EINSPUL_CLI_HELP_H

#include "cli/options.h"

/* On standard output: the help of the program, of one command, and the manual page einspul(1). */
void help_program(void);
void help_command(const struct command *command);
void help_manual(void);

/* Says on standard error that a name is no command's, and which it may be; returns EXIT_WRONG. */
int help_unknown(const char *name);

/* The heading of a group of options, and what the program is, does at its end and reads from the
 * environment: one text for help and manual. */
const char *help_group(enum option_group group);
extern const char help_title[], help_exit_status[], help_environment[];

/* The script that makes a shell complete. */
void help_completion(enum shell shell);

/* What may stand in the place of the last of `words` (the command's name first, the last possibly
 * empty): a line a candidate, a tab and its description; ":folder" for folders. */
void help_complete(int n_words, char *const words[]);

#endif
