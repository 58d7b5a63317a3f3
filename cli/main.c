#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "cli/print.h"
#include "probe/einspul.h"

/* A standard stream that the caller closed must not become a table file. It is opened the wrong way
 * round, so that using it is still an error. False where that cannot be done. */
static bool hold_standard_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) == -1 &&
            open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY) != stream)
            return false;
    return true;
}

static void print_help(void)
{
    puts("usage: einspul COMMAND [ARGUMENT…]\n"
         "\n"
         "Exact endgame tables for Frisian, international and English draughts.\n"
         "\n"
         "commands:");
    for (int i = 0; commands[i] != NULL; i++)
        printf("  %-10s %s\n", commands[i]->name, commands[i]->summary);
    puts("\n"
         "'einspul COMMAND --help' tells more; 'einspul --version' prints the version.\n"
         "\n"
         "Rule sets (--rules):");
    for (const char *const *name = rules_names(); *name != NULL; name++)
        printf("  %s\n", *name);
    puts("\n"
         "Exit status: 0 done; 1 the answer is no: verify found a fault; 2 wrong call or\n"
         "input, or something failed.");
}

static int refuse(const char *what, const char *word)
{
    message("einspul", "%s '%.200s'; try 'einspul --help'", what, word);
    return EXIT_WRONG;
}

static const struct command *command_named(const char *name)
{
    for (int i = 0; commands[i] != NULL; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* The program's help, or that of the command named behind it. */
static int help(int argc, char **argv)
{
    const struct command *command = argc > 2 ? command_named(argv[2]) : NULL;
    if (argc > 3)
        return refuse("unexpected argument", argv[3]);
    if (argc > 2 && command == NULL)
        return refuse("unknown command", argv[2]);
    if (command != NULL)
        options_help(command);
    else
        print_help();
    return EXIT_DONE;
}

static int run(int argc, char **argv)
{
    struct options options;
    int status = EXIT_WRONG;

    if (argc < 2) {
        message("einspul", "a command is expected; try 'einspul --help'");
        return EXIT_WRONG;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0)
        return help(argc, argv);
    if (strcmp(argv[1], "--version") == 0) {
        if (argc > 2)
            return refuse("unexpected argument", argv[2]);
        printf("einspul %s\n", einspul_version());
        return EXIT_DONE;
    }
    const struct command *command = command_named(argv[1]);
    if (command == NULL)
        return refuse("unknown command", argv[1]);
    if (!options_read(command, argc - 1, argv + 1, &options, &status))
        return status;
    return command->run(&options);
}

/* Threads that wait for work shall not keep a processor from other programs. The OpenMP library
 * reads its settings when it is loaded, so the program starts itself once more with that one set;
 * where that cannot be done it goes on as it is. */
static void wait_quietly(char **argv)
{
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0 || (size_t)n == sizeof path - 1 || getenv("OMP_WAIT_POLICY") != NULL ||
        setenv("OMP_WAIT_POLICY", "passive", 1) != 0)
        return;
    path[n] = '\0';
    execv(path, argv);
}

int main(int argc, char **argv)
{
    wait_quietly(argv);
    if (!hold_standard_streams())
        return EXIT_WRONG;
    /* A reader that went away and a limit on the size of files are told like a full disk. */
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
    const int status = run(argc, argv);
    return output_close() ? status : EXIT_WRONG;
}
