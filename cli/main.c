/* The program `einspul`: finds the command and runs it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/command_line.h"
#include "cli/help.h"
#include "cli/print.h"
#include "cli/system.h"
#include "cli/tables.h"
#include "einspul.h"
#include "gen/system/threads.h"

extern const struct command command_generate, command_plan, command_probe, command_moves,
    command_line, command_find, command_map, command_annotate, command_stats, command_verify,
    command_list, command_compress, command_pack, command_perft, command_bench, command_serve,
    command_hub, command_help;

/* In the order of the help. */
static const struct command *const commands[] = {
    &command_generate, &command_plan,     &command_probe,
    &command_moves,    &command_line,     &command_map,
    &command_find,     &command_annotate, &command_stats,
    &command_verify,   &command_list,     &command_compress,
    &command_pack,     &command_perft,    &command_bench,
#ifdef EINSPUL_SERVER
    &command_serve,
#endif
    &command_hub,      &command_help,     NULL};

/* Limits threads to what the system allows; otherwise OpenMP would end the process. */
static void limit_threads(struct options *options)
{
    int (*const threads)(int) = options->command->threads;
    const int n_asked = options->n_threads;
    const int n_possible = threads_possible(threads == NULL ? 1 : threads(n_asked));
    while (options->n_threads > 1 && threads != NULL && threads(options->n_threads) > n_possible)
        options->n_threads--;
    if (options->n_threads < n_asked)
        complain(options, "%d instead of %d threads: no more can be had", options->n_threads,
                 n_asked);
}

static int run_command(const struct options *options)
{
    const struct command *command = options->command;
    if (command->run != NULL)
        return command->run(options);
    einspul *handle = tables_open(options, options->rules.name, command->cache_bytes);
    const int status = handle != NULL ? command->run_on_tables(options, handle) : EXIT_WRONG;
    einspul_close(handle);
    return status;
}

static int run(int argc, char **argv)
{
    struct options options;
    int status = EXIT_WRONG;

    if (argc < 2) {
        message("einspul", "a command is expected; try 'einspul --help'");
        return EXIT_WRONG;
    }
    if (strcmp(argv[1], "--version") == 0 && argc > 2) {
        message("einspul", "unexpected argument '%.200s'; try 'einspul --help'", argv[2]);
        return EXIT_WRONG;
    }
    if (strcmp(argv[1], "--version") == 0) {
        puts(program_version());
        return EXIT_DONE;
    }
    options.commands = commands;
    options.command = command_by_name(commands, strcmp(argv[1], "--help") == 0 ? "help" : argv[1]);
    if (options.command == NULL)
        return help_unknown(commands, argv[1]);
    if (!command_line_read(argc - 1, argv + 1, &options, &status))
        return status;
    limit_threads(&options);
    rows_as_json(options.json);
    return run_command(&options);
}

/* --- exit status ------------------------------------------------------------------------------ */

/* Status 1 is an answer, "no". But libraries also exit with 1 on a fatal error: OpenMP's does if it
 * cannot start a thread, or has no memory at start-up. */
static bool has_status; /* main has one to return */

static void refuse_exit(void)
{
    if (has_status)
        return;
    fflush(stdout);
    _Exit(EXIT_WRONG);
}

static void guard_exit(void)
{
    static bool is_guarded;
    if (!is_guarded && atexit(refuse_exit) != 0)
        _Exit(EXIT_WRONG);
    is_guarded = true;
}

/* guard_exit runs before the initialisation of libraries if the system has .preinit_array;
 * otherwise main calls it. A sanitizer's library must be initialised before. */
#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
__attribute__((section(".preinit_array"), used)) static void (*first_call)(void) = guard_exit;
#endif

int main(int argc, char **argv)
{
    guard_exit();
    if (!system_begin(&argc, &argv))
        return EXIT_WRONG;
    const int status = run(argc, argv);
    const bool is_written = output_close();
    has_status = true;
    return is_written ? status : EXIT_WRONG;
}
