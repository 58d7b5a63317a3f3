/* The program `einspul`: finds the command and runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print.h"
#include "cli/system.h"
#include "cli/tables.h"
#include "einspul.h"

extern const struct command command_generate, command_plan, command_probe, command_moves,
    command_line, command_solve, command_find, command_map, command_annotate, command_stats,
    command_verify, command_list, command_compress, command_pack, command_perft, command_serve,
    command_site, command_hub, command_help;

/* In the order of the help, by groups. */
static const struct command *const commands[] = {
    &command_probe,    &command_moves,  &command_line,     &command_map,
    &command_solve,    &command_find,   &command_stats,    &command_annotate,
    &command_generate, &command_plan,   &command_compress, &command_pack,
    &command_list,     &command_verify,
#ifdef EINSPUL_SERVER
    &command_serve,    &command_site,
#endif
    &command_hub,      &command_perft,  &command_help,     NULL};

static int run_command(const struct options *options)
{
    const struct command *command = options->command;
    if (command->run != NULL)
        return command->run(options);
    einspul *handle = NULL;
    int status = tables_open(options, options->rules.name, command->cache_bytes, &handle);
    if (status == EXIT_OK)
        status = command->run_on_tables(options, handle);
    einspul_close(handle);
    return status;
}

static int run(int argc, char **argv)
{
    int status = EXIT_USAGE;

    if (argc < 2) {
        message("einspul", "no command given; see 'einspul --help'");
        return EXIT_USAGE;
    }
    const bool version = strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0;
    const bool help = strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0;
    if (version && argc > 2) {
        message("einspul", "unexpected argument '%.200s' after %s", argv[2], argv[1]);
        return EXIT_USAGE;
    }
    if (version) {
        printf("einspul %s\n", einspul_version());
        return EXIT_OK;
    }
    const struct command *command = command_by_name(commands, help ? "help" : argv[1]);
    if (command == NULL)
        return help_unknown(argv[1]);
    const struct options *options = options_read(commands, command, argc - 1, argv + 1, &status);
    if (options == NULL && status == EXIT_OK)
        help_command(command);
    if (options == NULL)
        return status;
    rows_as_json(options->json);
    return run_command(options);
}

int main(int argc, char **argv)
{
    if (!system_begin(&argc, &argv))
        return EXIT_FAILED;
    const int status = run(argc, argv);
    return output_close() ? status : EXIT_FAILED;
}
