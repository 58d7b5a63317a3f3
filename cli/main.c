/* The program `einspul`: finds the command and runs it. */
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/help.h"
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
        printf("einspul %s\n", einspul_version());
        return EXIT_DONE;
    }
    const struct command *command =
        command_by_name(strcmp(argv[1], "--help") == 0 ? "help" : argv[1]);
    if (command == NULL)
        return help_unknown(argv[1]);
    return options_read(command, argc - 1, argv + 1, &options, &status) ? command->run(&options)
                                                                        : status;
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
