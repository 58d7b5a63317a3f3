/* Help, manual page and completion, from the tables of commands and options. */
#ifndef EINSPUL_CLI_HELP_H
#define EINSPUL_CLI_HELP_H

#include "cli/options.h"

/* On standard output: the help of the program, of one command, and the manual page einspul(1). */
void help_program(const struct command *const commands[]);
void help_command(const struct command *command);
void help_manual(const struct command *const commands[]);

/* Prints an error for an unknown command, with a suggestion; returns EXIT_WRONG. */
int help_unknown(const struct command *const commands[], const char *name);

/* Texts shared by help and manual: the title, the exit status and the environment. */
extern const char help_title[], help_exit_status[], help_environment[];

/* Prints the completion script for a shell. */
void help_completion(enum shell shell);

/* Prints the candidates for the last of `words` (the command's name first, the last possibly
 * empty), one per line, with a tab and a description; ":folder" for folders. */
void help_complete(const struct command *const commands[], int n_words, char *const words[]);

#endif
