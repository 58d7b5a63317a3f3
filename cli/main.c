#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/options.h"
#include "probe/einspul.h"

/* A standard stream that the caller closed must not become a table file. */
static void hold_standard_streams(void)
{
    for (int stream = STDIN_FILENO; stream <= STDERR_FILENO; stream++)
        if (fcntl(stream, F_GETFD) == -1 && open("/dev/null", O_RDONLY) == -1)
            return;
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
         "Exit status: 0 done; 1 the answer is no: verify found a fault; 2 wrong call or input.");
}

static int run(int argc, char **argv)
{
    struct options options;
    int status = EXIT_WRONG;

    if (argc < 2) {
        fputs("einspul: a command is expected; try 'einspul --help'\n", stderr);
        return EXIT_WRONG;
    }
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "help") == 0) {
        print_help();
        return EXIT_DONE;
    }
    if (strcmp(argv[1], "--version") == 0) {
        printf("einspul %s\n", einspul_version());
        return EXIT_DONE;
    }
    for (int i = 0; commands[i] != NULL; i++) {
        if (strcmp(commands[i]->name, argv[1]) != 0)
            continue;
        if (!options_read(commands[i], argc - 1, argv + 1, &options, &status))
            return status;
        return commands[i]->run(&options);
    }
    fprintf(stderr, "einspul: unknown command '%s'; try 'einspul --help'\n", argv[1]);
    return EXIT_WRONG;
}

/* Threads that wait for work shall not keep a processor from other programs. The OpenMP library
 * reads its settings when it is loaded, so the program starts itself once more with that one set;
 * where that cannot be done it goes on as it is. */
static void wait_quietly(char **argv)
{
    char path[4096];
    const ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
    if (n <= 0 || getenv("OMP_WAIT_POLICY") != NULL || setenv("OMP_WAIT_POLICY", "passive", 1) != 0)
        return;
    path[n] = '\0';
    execv(path, argv);
}

int main(int argc, char **argv)
{
    wait_quietly(argv);
    hold_standard_streams();
    int status = run(argc, argv);
    errno = 0;
    const int flushed = fflush(stdout);
    if (flushed != 0 || ferror(stdout)) {
        fprintf(stderr, "einspul: cannot write to standard output%s%s\n", errno != 0 ? ": " : "",
                errno != 0 ? strerror(errno) : "");
        status = EXIT_WRONG;
    }
    return status;
}
