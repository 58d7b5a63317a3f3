/* `einspul help`: the help of the program, or of a command. */
#include "cli/help.h"

static int run(const struct options *options)
{
    if (options->n_arguments == 0) {
        help_program(options->commands);
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
