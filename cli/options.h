/* The program's commands and options, as data.
 *
 * One row describes an option or a command completely: how its text is read, and its text in
 * the help. A new option is a row in option_table.c and a
 * field in `struct options`; a new command is a `struct command` in a file of its own and its
 * address in main.c, which alone knows them all; it hands the list on, so that no command depends on
 * the others. */
#ifndef EINSPUL_CLI_OPTIONS_H
#define EINSPUL_CLI_OPTIONS_H

#include "core/compiler.h"
#include "gen/run/run_options.h"
#include "study/find_text.h"
#include "verify/verify.h"

/* Exit statuses. Libraries end a process with 1 too: OpenMP's does where it cannot have a thread. */
enum exit_status {
    EXIT_DONE = 0,
    EXIT_FAILED = 1, /* at its work: no memory, a full disk, stopped, another process in the way */
    EXIT_WRONG = 2,  /* a wrong call or input */
    EXIT_NO = 3      /* the answer is no: verify found a fault */
};

/* --- the values of the options ---------------------------------------------------------------- */

/* The formats of a plan, in the order of their words. */
enum plan_format { PLAN_AS_TSV, PLAN_AS_MAKE };

enum { MOST_FOLDERS = 16 };

/* What the command line says, by the commands that take it. Each field but the first two and the
 * last is filled by a row of option_table.c; without the option it is 0, or as set_defaults in
 * command_line.c. */
struct options {
    const struct command *command;
    const struct command *const *commands; /* all of them, ended by NULL */

    /* Commands that read or write tables. */
    struct rules rules;
    bool rules_given;
    const char *tables;                /* root folder, the first where there are several */
    const char *folders[MOST_FOLDERS]; /* all of them, the default where none is given */
    size_t n_folders;
    char *folder_texts; /* of EINSPUL_TABLES, split in place; kept as long as the program runs */
    int n_threads;
    bool json;
    bool tsv;
    bool strict;
    unsigned notation; /* enum notation */

    /* generate, plan, compress. */
    int pieces;
    int n_materials;                          /* of --material */
    struct material materials[MAX_MATERIALS]; /* canonical */
    unsigned metrics;                         /* METRICS_… */
    uint64_t memory_bytes;
    int level; /* zstd's */
    bool only;
    bool plan_only;
    bool check;
    bool whole;
    bool smallest;
    enum plan_format format;
    int n_cores; /* of a node */

    /* find, stats, verify, list, bench. */
    const char *conditions[N_FIND_PARTS]; /* their texts; NULL: none */
    struct rules other_rules;             /* name NULL: not given */
    uint64_t limit;
    uint64_t n_drawn; /* of --sample */
    uint64_t n_tries;
    bool count;
    struct rules compared; /* name NULL: not given */
    bool percent;
    bool histogram;
    int n_top;
    enum verify_depth verify_level;
    uint64_t n_samples;
    uint64_t n_probes;
    uint64_t seed;
    bool files;
    int missing; /* pieces */
    bool makes_manifest;
    const char *manifest; /* file to compare with */

    /* line, map, perft, serve, help. */
    int plies;
    int piece; /* square */
    const char *fen;
    int depth;
    const char *listen; /* address */
    const char *lists;  /* folder */
    int port;           /* 0: a free one */

    int n_arguments;
    char **arguments; /* what is left: FENs, materials */
};

/* --- options ---------------------------------------------------------------------------------- */

enum option_id {
    OPTION_PIECES,
    OPTION_MATERIAL,
    OPTION_ONLY,
    OPTION_METRIC,
    OPTION_MEMORY,
    OPTION_ZSTD_LEVEL,
    OPTION_VERIFY_LEVEL,
    OPTION_PLAN,
    OPTION_CHECK,
    OPTION_FORMAT,
    OPTION_CORES,
    OPTION_NODE_MEMORY,
    OPTION_SAMPLES,
    OPTION_SEED,
    OPTION_MISSING,
    OPTION_NOTATION,
    OPTION_PLIES,
    OPTION_FEN,
    OPTION_DEPTH,
    OPTION_WHOLE,
    OPTION_SMALLEST,
    OPTION_PROBES,
    OPTION_LISTEN,
    OPTION_LISTS,
    OPTION_PORT,
    OPTION_OUTCOME,
    OPTION_DISTANCE,
    OPTION_SIDE,
    OPTION_MOVES,
    OPTION_ONLY_MOVE,
    OPTION_STUDY,
    OPTION_QUIET,
    OPTION_ZUGZWANG,
    OPTION_DIFFERS_FROM,
    OPTION_INSTEAD_OF,
    OPTION_DEPENDS_ON,
    OPTION_ON,
    OPTION_SAMPLE,
    OPTION_TRIES,
    OPTION_LIMIT,
    OPTION_SHORTEST,
    OPTION_PIECE,
    OPTION_STRICT,
    OPTION_FILES,
    OPTION_MAKE_MANIFEST,
    OPTION_MANIFEST,
    OPTION_COUNT,
    OPTION_TSV,
    OPTION_PERCENT,
    OPTION_HISTOGRAM,
    OPTION_TOP,
    OPTION_COMPARE,
    OPTION_FOLDER, /* --tables of commands that have one folder */
    OPTION_JSON,
    OPTION_RULES,
    OPTION_TABLES,
    OPTION_THREADS,
    OPTION_HELP, /* every command takes it */
    N_OPTIONS
};

/* The options of a command, those it cannot do without too: {NEEDS(DEPTH), TAKES(JSON)}. */
enum taking { IS_TAKEN = 1, IS_NEEDED };
#define TAKES(option) [OPTION_##option] = IS_TAKEN
#define NEEDS(option) [OPTION_##option] = IS_NEEDED
#define TAKES_TABLES  TAKES(RULES), TAKES(TABLES), TAKES(THREADS)

/* How the help is divided. */
enum option_group { GROUP_OWN, GROUP_OUTPUT, GROUP_COMMON, N_GROUPS };

/* How the text after an option is read, and the type of its field in `struct options`. */
enum option_kind {
    OPTION_IS_FLAG,      /* no text; bool */
    OPTION_IS_INT,       /* from `least` to `most`; int */
    OPTION_IS_COUNT,     /* from `least` to `most`; uint64_t */
    OPTION_IS_WORD,      /* one of `words`; an enum or unsigned: `least` for the first, and so on */
    OPTION_IS_TEXT,      /* const char * */
    OPTION_IS_FOLDER,    /* const char * */
    OPTION_IS_FOLDERS,   /* added to `folders`; const char *, the first of them */
    OPTION_IS_RULES,     /* a rule set's name; struct rules */
    OPTION_IS_MATERIAL,  /* added to `materials`; no field */
    OPTION_IS_CONDITION, /* kept in `conditions`: `least` is its enum find_part; no field */
    OPTION_IS_GIB        /* a number of GiB, kept in bytes; uint64_t */
};

struct option_row {
    const char *name;
    const char *argument; /* as the help calls it; NULL: none, or one of `words` */
    const char *help;     /* what it does, with the default */
    enum option_group group;
    enum option_kind kind;
    size_t field; /* offset in struct options */
    uint64_t least, most;
    const char *const *words; /* ended by NULL; see option_words */
};

extern const struct option_row option_rows[N_OPTIONS];

/* The words an option may have, those of conditions too, ended by NULL; NULL if it has none. */
const char *const *option_words(const struct option_row *row);

/* Whether a text follows the option. */
bool option_has_text(const struct option_row *row);

/* An option as the help shows it: "--metric wdl|dtw|both". */
enum { OPTION_TEXT_SIZE = 64 };
void option_text(const struct option_row *row, char text[OPTION_TEXT_SIZE]);

/* --- commands --------------------------------------------------------------------------------- */

struct command {
    const char *name;
    const char *summary;          /* one line */
    const char *synopsis;         /* what follows the name */
    const char *help;             /* what it does and prints */
    enum taking takes[N_OPTIONS]; /* by enum option_id; --help besides; 0: not at all */
    const char *no_arguments;     /* what is said where there is none; NULL: none is needed */
    int most_arguments;           /* 0 unless it is given; -1: any number */
    /* One of these: the second runs on the tables the options name, open with such a cache. */
    int (*run)(const struct options *options);
    int (*run_on_tables)(const struct options *options, einspul *handle);
    size_t cache_bytes;
};

/* The one of a name, or NULL. */
const struct command *command_by_name(const struct command *const commands[], const char *name);

/* Whether a command takes an option. */
bool command_takes(const struct command *command, enum option_id id);

/* The folder of the tables without --tables: EINSPUL_TABLES, or data/tables. An empty
 * EINSPUL_TABLES is an error, as is an empty --tables. */
const char *options_default_tables(void);

/* Splits a list of folders in place, as PATH is split; empty parts are left out. Fills at most
 * `most`; returns their number, which may be larger. */
size_t folder_list_split(char *list, const char **folders, size_t most);

/* A message on standard error, with the command's name before it; returns EXIT_WRONG. */
PRINTF_LIKE(2, 3)
int complain(const struct options *options, const char *format, ...);

/* The same of an error of the library; returns EXIT_FAILED or EXIT_WRONG. */
int complain_of(const struct options *options, const einspul_error *error);

#endif
