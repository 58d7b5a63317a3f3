/* A command of the program, its options as data, and what it is given.
 *
 * A command is a `struct command` in a file of its own, cmd_NAME.c, and its address in main.c. Beside
 * it stand a static struct with the values of its own options and a table with a row for each: name,
 * text in the help, how the text is read, and the field it fills. Options of several commands are in
 * `struct options`; a command names those it takes. */
#ifndef EINSPUL_CLI_OPTIONS_H
#define EINSPUL_CLI_OPTIONS_H

#include "core/compiler.h"
#include "core/material.h"
#include "gen/run/plan.h"
#include "study/find_text.h"

/* Exit statuses. Libraries end a process with 1 too: OpenMP's does where it cannot have a thread. */
enum exit_status {
    EXIT_DONE = 0,
    EXIT_FAILED = 1, /* at its work: no memory, a full disk, stopped, another process in the way */
    EXIT_WRONG = 2,  /* a wrong call or input */
    EXIT_NO = 3      /* the answer is no: verify found a fault */
};

/* --- what a command is given ------------------------------------------------------------------ */

enum { MOST_FOLDERS = 16, MOST_THREADS = 1024 };

/* Different materials. */
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
    const char *folders[MOST_FOLDERS]; /* roots of tables; the default where none is given */
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
    char **arguments; /* what is left: FENs, materials */
};

/* Common options, of which a command takes some. */
enum common_options {
    TAKES_RULES = 1 << 0,
    TAKES_FOLDERS = 1 << 1, /* --tables, any number */
    TAKES_FOLDER = 1 << 2,  /* --tables, one */
    TAKES_THREADS = 1 << 3,
    TAKES_TABLES = TAKES_RULES | TAKES_FOLDERS | TAKES_THREADS,
    TAKES_JSON = 1 << 4,
    TAKES_TSV = 1 << 5,
    TAKES_NOTATION = 1 << 7,
    TAKES_STRICT = 1 << 8,
    TAKES_METRIC = 1 << 9,
    TAKES_PIECES = 1 << 10,
    TAKES_MATERIAL = 1 << 11,
    TAKES_SEED = 1 << 12,
};

/* --- options ---------------------------------------------------------------------------------- */

/* How the help is divided. */
enum option_group { GROUP_OWN, GROUP_OUTPUT, GROUP_COMMON, N_GROUPS };

/* How the text after an option is read, and which member of `into` it fills. */
enum option_kind {
    OPTION_IS_HELP,
    OPTION_IS_FLAG,      /* no text; flag */
    OPTION_IS_INT,       /* from `least` to `most`; number */
    OPTION_IS_COUNT,     /* from `least` to `most`; count */
    OPTION_IS_WORD,      /* one of `words`; word: `least` for the first, and so on */
    OPTION_IS_TEXT,      /* text */
    OPTION_IS_FOLDERS,   /* added to those of `struct options`, up to `most` */
    OPTION_IS_RULES,     /* a rule set's name; rules */
    OPTION_IS_MATERIAL,  /* added to materials */
    OPTION_IS_CONDITION, /* text, "1" for a flag; `least` is its enum find_part */
    OPTION_IS_GIB        /* a number of GiB; count, of bytes */
};

struct option_row {
    const char *name;
    const char *argument; /* as the help calls it; NULL: none, or one of `words` */
    const char *help;     /* what it does, with the default */
    enum option_group group;
    bool needed;
    enum option_kind kind;
    union {
        bool *flag;
        int *number;
        uint64_t *count;
        unsigned *word;
        const char **text;
        struct rules *rules;
        struct material_list *materials;
    } into;
    uint64_t least, most;
    const char *const *words; /* ended by NULL; see option_words */
};

/* What follows name, argument and help in a row: how the text is read, and where it goes. */
#define FLAG(place)            .kind = OPTION_IS_FLAG, .into.flag = (place)
#define RANGE(from, to)        .least = (from), .most = (to)
#define INT(place, from, to)   .kind = OPTION_IS_INT, .into.number = (place), RANGE(from, to)
#define COUNT(place, from, to) .kind = OPTION_IS_COUNT, .into.count = (place), RANGE(from, to)
#define WORD(place, first, list)                                                                   \
    .kind = OPTION_IS_WORD, .into.word = (place), .least = (first), .words = (list)
#define TEXT(place)  .kind = OPTION_IS_TEXT, .into.text = (place)
#define RULES(place) .kind = OPTION_IS_RULES, .into.rules = (place)
#define GIB(place)   .kind = OPTION_IS_GIB, .into.count = (place)

/* The words an option may have, those of conditions too, ended by NULL; NULL if it has none. */
const char *const *option_words(const struct option_row *row);

/* An option as the help shows it: "--metric wdl|dtw|both". */
enum { OPTION_TEXT_SIZE = 64 };
void option_text(const struct option_row *row, char text[OPTION_TEXT_SIZE]);

/* wdl, dtw and both, in the order of METRICS_…. */
extern const char *const metrics_words[];

/* --- commands --------------------------------------------------------------------------------- */

struct command {
    const char *name;
    const char *summary;          /* one line */
    const char *synopsis;         /* what follows the name */
    const char *help;             /* what it does and prints */
    unsigned takes;               /* enum common_options; --help besides */
    const struct option_row *own; /* its own options, ended by a row without a name; or NULL */
    const char *no_arguments;     /* what is said where there is none; NULL: none is needed */
    int most_arguments;           /* 0 unless it is given; -1: any number */
    /* One of these: the second runs on the tables the options name, open with such a cache. */
    int (*run)(const struct options *options);
    int (*run_on_tables)(const struct options *options, einspul *handle);
    size_t cache_bytes;
};

/* The options of a command, in the order of the help; their number. */
enum { MOST_OPTIONS = 48 };
int command_options(const struct command *command, const struct option_row *rows[MOST_OPTIONS]);

/* The one of a name, or NULL. */
const struct command *command_by_name(const struct command *const commands[], const char *name);

/* Reads the arguments of a command; argv[0] is its name. NULL if the command is not to run;
 * *status is then EXIT_DONE for --help, or EXIT_WRONG after a message on standard error. */
const struct options *options_read(const struct command *const commands[],
                                   const struct command *command, int argc, char **argv,
                                   int *status);

/* Splits a list of folders in place, as PATH is split; empty parts are left out. Fills at most
 * `most`; returns their number, which may be larger. */
size_t folder_list_split(char *list, const char **folders, size_t most);

/* A message on standard error, with the command's name before it; returns EXIT_WRONG. */
PRINTF_LIKE(2, 3)
int complain(const struct options *options, const char *format, ...);

/* The same of an error of the library, "about: text" unless `about` is NULL. Returns EXIT_FAILED if
 * the system did not give what the work takes, EXIT_WRONG for a wrong call or a damaged file. */
int complain_of(const struct options *options, const char *about, const einspul_error *error);

#endif
