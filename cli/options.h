/* The program's commands and the options they take. */
#ifndef EINSPUL_CLI_OPTIONS_H
#define EINSPUL_CLI_OPTIONS_H

#include "gen/generate.h"
#include "verify/verify.h"

/* What a command returns to the shell. */
enum exit_status { EXIT_DONE = 0, EXIT_NO = 1, EXIT_WRONG = 2 };

struct options {
    const struct command *command;
    struct rules rules;
    const char *tables; /* root folder */
    int n_threads;
    bool json;
    bool plan_only;
    bool whole;
    bool files;
    int pieces;                               /* 0: not given */
    int n_materials;                          /* of --material */
    struct material materials[MAX_MATERIALS]; /* canonical */
    unsigned metrics;
    uint64_t memory_bytes; /* 0: not given */
    int level;             /* zstd's */
    enum solver_choice solver;
    enum verify_level verify_level;
    uint64_t n_samples;
    uint64_t seed;
    int missing; /* pieces; 0: not given */
    int plies;
    const char *fen; /* NULL: not given */
    int depth;       /* 0: not given */
    uint64_t n_probes;
    int n_arguments;
    char **arguments; /* what is left: FENs, materials */
};

struct command {
    const char *name;
    const char *title;    /* "einspul probe": how messages begin */
    const char *summary;  /* one line */
    const char *synopsis; /* what follows the name */
    const char *help;     /* what it does and prints */
    const char *takes;    /* names of its own options between spaces: " json plies " */
    int most_arguments;   /* -1: any number */
    int (*run)(const struct options *options);
};

extern const struct command command_generate, command_probe, command_moves, command_line,
    command_stats, command_verify, command_list, command_compress, command_perft, command_bench;

/* All of them, ended by NULL. */
extern const struct command *const commands[];

/* Reads a command's arguments; argv[0] is the command's name. True when the command is to run; else
 * *status is what to exit with (after --help, or after a message on standard error). */
bool options_read(const struct command *command, int argc, char **argv, struct options *options,
                  int *status);

/* The help of one command, on standard output. */
void options_help(const struct command *command);

/* A message on standard error, with the command's name before it; returns EXIT_WRONG. */
#if defined(__GNUC__)
__attribute__((format(printf, 2, 3)))
#endif
int complain(const struct options *options, const char *format, ...);

#endif
