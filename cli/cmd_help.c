/* `einspul help`: the help of the program, or of a command, from the tables of commands and options. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/print.h"

/* Of an option in the help, the gap after it included. */
enum { TEXT_WIDTH = 27 };

static void print_program(const struct command *const commands[])
{
    puts(
        "Usage: einspul COMMAND [ARGUMENT…]\n\nEinspul: exact endgame tables for draughts, Frisian "
        "draughts first.\n\ncommands:");
    for (int i = 0; commands[i] != NULL; i++)
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    puts("\n'einspul COMMAND --help' tells more; 'einspul --version' prints the version.\n\n"
         "rule sets (--rules):");
    for (const char *const *name = rules_names(); *name != NULL; name++)
        printf("  %s\n", *name);
    puts("\nenvironment:\n  EINSPUL_TABLES  the root folder of the tables where --tables is not "
         "given\n"
         "\nexit status:\n  0: done. 1: it failed at its work. 2: wrong call or input. 3: the "
         "answer is no "
         "(verify found a fault).");
}

static void print_group(const struct command *command, enum option_group group)
{
    static const char *const headings[] = {"options", "output", "common options"};
    const struct option_row *rows[MOST_OPTIONS];
    const int n = command_options(command, rows);
    bool headed = false;
    for (int i = 0; i < n; i++) {
        const struct option_row *row = rows[i];
        char text[OPTION_SHOWN_SIZE];
        if (row->group != group)
            continue;
        if (!headed)
            printf("\n%s:\n", headings[group]);
        headed = true;
        option_show(row, text);
        printf("  %-*s", TEXT_WIDTH, text);
        if (strlen(text) >= TEXT_WIDTH)
            printf("\n  %*s", TEXT_WIDTH, "");
        puts(row->help);
    }
}

void help_command(const struct command *command)
{
    printf("Usage: einspul %s %s\n\n%s\n", command->name, command->synopsis, command->help);
    for (int group = 0; group < N_GROUPS; group++)
        print_group(command, (enum option_group)group);
}

int help_unknown(const char *name)
{
    message("einspul", "unknown command '%.200s'; try 'einspul --help'", name);
    return EXIT_WRONG;
}

static int run(const struct options *options)
{
    if (options->n_arguments == 0) {
        print_program(options->commands);
        return EXIT_DONE;
    }
    const struct command *command = command_by_name(options->commands, options->arguments[0]);
    if (command == NULL)
        return help_unknown(options->arguments[0]);
    help_command(command);
    return EXIT_DONE;
}

const struct command command_help = {
    .name = "help",
    .summary = "list the commands",
    .synopsis = "[COMMAND]",
    .help = "Prints the help of the program, or of one command.",
    .most_arguments = 1,
    .run = run,
};
