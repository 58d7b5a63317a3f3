/* `einspul help`: general help, the manual page and completion scripts. */
#include "cli/help.h"

static int run(const struct options *options)
{
    const int n_asked = options->n_arguments + options->man + (options->completion != SHELL_NONE);
    if (!options->complete && n_asked > 1) /* only the words to complete may be many */
        return complain(options, "unexpected argument '%.200s'; try 'einspul help --help'",
                        options->n_arguments > 0 ? options->arguments[options->n_arguments - 1]
                                                 : "--completion");
    if (options->complete) {
        help_complete(options->commands, options->n_arguments, options->arguments);
    } else if (options->man) {
        help_manual(options->commands);
    } else if (options->completion != SHELL_NONE) {
        help_completion(options->completion);
    } else if (options->n_arguments == 0) {
        help_program(options->commands);
    } else {
        const struct command *command = command_by_name(options->commands, options->arguments[0]);
        if (command == NULL)
            return help_unknown(options->commands, options->arguments[0]);
        help_command(command);
    }
    return EXIT_DONE;
}

const struct command command_help = {
    .name = "help",
    .summary = "list the commands",
    .synopsis = "[COMMAND] [OPTION…]",
    .help = "Prints the help of the program, or of one command. With --man: the manual page, for\n"
            "'man -l'. With --completion: a script for the shell, as in '. <(einspul help\n"
            "--completion bash)'; an installed program has it loaded automatically. With\n"
            "--complete: the words that may follow those after '--', one per line.",
    .takes = {TAKES(MAN), TAKES(COMPLETION), TAKES(COMPLETE)},
    .arguments = ARGUMENTS_COMMAND,
    .most_arguments = -1,
    .run = run,
};
