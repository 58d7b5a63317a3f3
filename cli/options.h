/* Commands and their options as data, and the parsed command line.
 *
 * A command is a `struct command` in a file of its own, cmd_NAME.c, and its address in main.c. The
 * same file has a static struct with the values of the command's own options, and a table with a row
 * for each: name, help text, parser, and the field it fills. Options of several commands are in
 * `struct options`; a command names those it takes. */
#ifndef EINSPUL_CLI_OPTIONS_H
#define EINSPUL_CLI_OPTIONS_H

#include "core/compiler.h"
#include "core/material.h"
#include "gen/run/plan.h"
#include "study/find_text.h"

/* Exit statuses. Libraries also exit with 1, e.g. OpenMP if it cannot create a thread. */
enum exit_status {
    EXIT_OK = 0,
    EXIT_FAILED = 1,      /* the work failed: memory, disk, interruption, a locked folder */
    EXIT_USAGE = 2,       /* usage error or bad input */
    EXIT_CHECK_FAILED = 3 /* the check failed: verify found a fault */
};

/* --- the command line ------------------------------------------------------------------------- */

enum { MAX_FOLDERS = 16, MAX_THREADS = 1024 };

/* Distinct materials. */
struct material_list {
    int n;
    struct material at[MAX_MATERIALS]; /* canonical */
};

/* The values of common options and the arguments. */
struct options {
    const struct command *command;
    const struct command *const *commands; /* all of them, ended by NULL */
    struct rules rules;
    bool rules_given;
    bool folders_given;               /* by --tables */
    const char *folders[MAX_FOLDERS]; /* table folders; the default ones if none were given */
    size_t n_folders;
    int n_threads;
    bool json;
    bool tsv;
    bool strict;
    unsigned notation; /* enum notation */
    unsigned metrics;  /* METRICS_… */
    int pieces;        /* 0: not given */
    struct material_list materials;
    uint64_t seed;
    int n_arguments;
    char **arguments; /* positional arguments: FENs, materials */
};

/* Common options, of which a command takes some. */
enum common_options {
    TAKES_RULES = 1 << 0,
    TAKES_FOLDERS = 1 << 1, /* --tables, any number */
    TAKES_FOLDER = 1 << 2,  /* --tables, one */
    TAKES_TABLES = TAKES_RULES | TAKES_FOLDERS,
    TAKES_THREADS = 1 << 3,
    TAKES_JSON = 1 << 4,
    TAKES_TSV = 1 << 5,
    TAKES_NOTATION = 1 << 6,
    TAKES_STRICT = 1 << 7,
    TAKES_METRIC = 1 << 8,
    TAKES_PIECES = 1 << 9,
    TAKES_MATERIAL = 1 << 10,
    TAKES_SEED = 1 << 11,
    TAKES_ONLY_RULES = 1 << 12, /* --rules, by default every rule set */
};

/* --- options ---------------------------------------------------------------------------------- */

/* The headings of options in the help. */
enum option_group { GROUP_OWN, GROUP_CONDITION, GROUP_OUTPUT, GROUP_COMMON, N_GROUPS };

struct option_row;

/* Parses an option's argument, NULL if it has none, into the row's field. Returns an exit status. */
typedef int option_reader(const struct option_row *row, char *text);

struct option_row {
    const char *name;
    const char *argument; /* placeholder in the help; NULL: none, or one of `words` */
    const char *help;     /* what it does, with the default */
    enum option_group group;
    bool needed;
    option_reader *read; /* NULL: the option prints the help */
    void *into;
    uint64_t min, max;
    const char *const *words; /* ended by NULL */
};

option_reader option_flag, /* into a bool */
    option_int,            /* from `min` to `max`, into an int */
    option_count,          /* from `min` to `max`, into a uint64_t */
    option_word,           /* one of `words`, into an unsigned: `min` for the first, and so on */
    option_text,           /* into a const char * */
    option_rules,          /* a rule set's name, into a struct rules */
    option_gib,            /* a number of GiB, into a uint64_t: bytes */
    option_condition;      /* of a search, as a text, "1" for a flag; `min` is its enum find_part */

/* The rest of a row after name, argument and help: parser and destination. The conditional makes
 * the compiler check the destination's type. */
#define INTO(type, place)      .into = (true ? (place) : (type *)NULL)
#define FLAG(place)            .read = option_flag, INTO(bool, place)
#define RANGE(from, to)        .min = (from), .max = (to)
#define INT(place, from, to)   .read = option_int, INTO(int, place), RANGE(from, to)
#define COUNT(place, from, to) .read = option_count, INTO(uint64_t, place), RANGE(from, to)
#define WORD(place, first, list)                                                                   \
    .read = option_word, INTO(unsigned, place), .min = (first), .words = (list)
#define TEXT(place)  .read = option_text, INTO(const char *, place)
#define RULES(place) .read = option_rules, INTO(struct rules, place)
#define GIB(place)   .read = option_gib, INTO(uint64_t, place)

/* Writes an option as the help shows it: "--metric wdl|dtw|both". */
enum { OPTION_TEXT_SIZE = 64 };
void option_text_write(const struct option_row *row, char text[OPTION_TEXT_SIZE]);

/* wdl, dtw and both, in the order of METRICS_…. */
extern const char *const metrics_words[];

/* --- commands --------------------------------------------------------------------------------- */

/* The headings of commands in the help, in order. */
enum command_group {
    COMMAND_LOOKS_UP,
    COMMAND_STUDIES,
    COMMAND_BUILDS,
    COMMAND_SERVES,
    COMMAND_TESTS,
    COMMAND_HELPS
};

struct command {
    const char *name;
    enum command_group group;
    const char *summary;          /* its line in the list of commands */
    const char *synopsis;         /* usage after the name; one line per form */
    const char *about;            /* what it does, in one or two sentences */
    const char *details;          /* what it prints, and when it fails */
    const char *examples;         /* one per line */
    unsigned takes;               /* enum common_options; --help is always accepted */
    const struct option_row *own; /* its own options, ended by a row without a name; or NULL */
    const char *missing_argument; /* error message without arguments; NULL: optional */
    int max_arguments;            /* -1: any number */
    /* Exactly one is set. `run_on_tables` gets the tables named by the options, opened with
     * `cache_bytes` of cache. */
    int (*run)(const struct options *options);
    int (*run_on_tables)(const struct options *options, einspul *handle);
    size_t cache_bytes;
};

/* Lists the options of a command in the order of the help; returns their number. */
enum { MAX_OPTIONS = 48 };
int command_options(const struct command *command, const struct option_row *rows[MAX_OPTIONS]);

/* Finds a command by name; NULL if unknown. */
const struct command *command_by_name(const struct command *const commands[], const char *name);

/* Prints the help of a command on standard output. */
void help_command(const struct command *command);

/* Prints an error for an unknown command; returns EXIT_USAGE. */
int help_unknown(const char *name);

/* Reads the arguments of a command; argv[0] is its name. NULL if the command is not to run;
 * *status is then EXIT_OK for --help, or EXIT_USAGE after a message on standard error. */
const struct options *options_read(const struct command *const commands[],
                                   const struct command *command, int argc, char **argv,
                                   int *status);

/* Splits a list of folders in place, as PATH is split, without empty parts. Fills at most `max`;
 * returns their number, which may be larger. */
size_t folder_list_split(char *list, const char **folders, size_t max);

/* Prints a message on standard error, after the command's name; returns EXIT_USAGE. */
PRINTF_LIKE(2, 3)
int command_message(const struct options *options, const char *format, ...);

/* Returns the exit status for an error of the library: EXIT_FAILED for files and tables that cannot
 * be read or are damaged, and for lack of memory or disk space; EXIT_USAGE for a usage error, bad
 * input and missing tables. */
int exit_status_of(einspul_status status);

/* Prints an error of the library, after "about: " unless `about` is NULL, and a hint if the status
 * has one; returns its exit status. */
int command_error(const struct options *options, const char *about, const einspul_error *error);

#endif
