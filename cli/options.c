#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print.h"

const struct command *const commands[] = {&command_generate,
                                          &command_probe,
                                          &command_moves,
                                          &command_line,
                                          &command_stats,
                                          &command_verify,
                                          &command_list,
                                          &command_compress,
                                          &command_perft,
                                          &command_bench,
                                          NULL};

enum { MOST_THREADS = 1024, MOST_DEPTH = 60, MOST_PLIES = 10000, LEAST_LEVEL = 1, MOST_LEVEL = 22 };

/* Rows of the table below; getopt_long returns FIRST_CODE more, no number of a character. */
enum { FIRST_CODE = 256 };
enum option_id {
    OPTION_RULES,
    OPTION_TABLES,
    OPTION_THREADS,
    OPTION_JSON,
    OPTION_HELP,
    OPTION_PIECES,
    OPTION_MATERIAL,
    OPTION_METRIC,
    OPTION_MEMORY,
    OPTION_LEVEL,
    OPTION_SOLVER,
    OPTION_PLAN,
    OPTION_SAMPLES,
    OPTION_SEED,
    OPTION_MISSING,
    OPTION_PLIES,
    OPTION_FEN,
    OPTION_DEPTH,
    OPTION_PROBES,
    OPTION_WHOLE,
    OPTION_FILES,
    N_OPTIONS
};

struct option_row {
    const char *name;
    const char *argument; /* NULL: takes none */
    const char *help;
    bool common; /* taken by every command */
};

static const struct option_row rows[N_OPTIONS] = {
    [OPTION_RULES] = {"rules", "NAME", "rule set (default: frisian)", true},
    [OPTION_TABLES] = {"tables", "DIR", "root folder of the tables (default: data/tables)", true},
    [OPTION_THREADS] = {"threads", "N", "threads (default: all cores)", true},
    [OPTION_JSON] = {"json", NULL, "print a JSON object a line", false},
    [OPTION_HELP] = {"help", NULL, "this text", true},
    [OPTION_PIECES] = {"pieces", "N", "all materials of 2 to N pieces", false},
    [OPTION_MATERIAL] = {"material", "NAME", "this material and all it leads to; may be repeated",
                         false},
    [OPTION_METRIC] = {"metric", "wdl|dtw|both", "outcomes, distances, or both (default: both)",
                       false},
    [OPTION_MEMORY] = {"memory", "GIB", "most memory to use (default: what is free)", false},
    [OPTION_LEVEL] = {"level", "LEVEL", NULL, false},
    [OPTION_SOLVER] = {"solver", "fast|plain", "how to solve (default: fast)", false},
    [OPTION_PLAN] = {"plan", NULL, "print the plan only", false},
    [OPTION_SAMPLES] = {"samples", "N", "check about N values of each table, at random", false},
    [OPTION_SEED] = {"seed", "S", "of the random choice (default: 1)", false},
    [OPTION_MISSING] = {"missing", "N", "what is missing of 2 to N pieces instead", false},
    [OPTION_PLIES] = {"plies", "N", "length of a drawn line (default: 20)", false},
    [OPTION_FEN] = {"fen", "FEN", "where to start (default: the start of the game)", false},
    [OPTION_DEPTH] = {"depth", "N", "count the lines of 1 to N moves", false},
    [OPTION_WHOLE] = {"whole", NULL, "leave nothing out", false},
    [OPTION_FILES] = {"files", NULL, "a line a file, with the hash of its values", false},
    [OPTION_PROBES] = {"probes", "N", "positions to probe (default: 1000000)", false},
};

int complain(const struct options *options, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_list(options->command->title, format, arguments);
    va_end(arguments);
    return EXIT_WRONG;
}

/* --- help ------------------------------------------------------------------------------------- */

static bool takes(const struct command *command, const char *option)
{
    const size_t length = strlen(option);
    for (const char *at = strstr(command->takes, option); at != NULL; at = strstr(at + 1, option))
        if (at > command->takes && at[-1] == ' ' && at[length] == ' ')
            return true;
    return false;
}

static const char *option_help(const struct command *command, enum option_id id)
{
    if (id == OPTION_LEVEL)
        return command == &command_verify
                   ? "header, checksums, or values (default): the rules as well"
                   : "zstd's level of compression, 1 to 22 (default: 3)";
    return rows[id].help;
}

void options_help(const struct command *command)
{
    printf("usage: einspul %s %s\n\n%s\n\noptions:\n", command->name, command->synopsis,
           command->help);
    for (int common = 0; common < 2; common++) {
        for (int id = 0; id < N_OPTIONS; id++) {
            char name[48];
            if (rows[id].common != (common == 1) ||
                (!rows[id].common && !takes(command, rows[id].name)))
                continue;
            const char *argument = rows[id].argument;
            snprintf(name, sizeof name, "--%s%s%s", rows[id].name, argument != NULL ? " " : "",
                     argument != NULL ? argument : "");
            printf("  %-26s %s\n", name, option_help(command, (enum option_id)id));
        }
    }
}

/* --- reading ---------------------------------------------------------------------------------- */

static bool read_number(const struct options *options, enum option_id id, const char *text,
                        uint64_t least, uint64_t most, uint64_t *number)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    if (text[0] >= '0' && text[0] <= '9' && *end == '\0' && errno == 0 && value >= least &&
        value <= most) {
        *number = value;
        return true;
    }
    complain(options, "--%s %.200s: a whole number from %llu to %llu is expected", rows[id].name,
             text, (unsigned long long)least, (unsigned long long)most);
    return false;
}

static bool read_int(const struct options *options, enum option_id id, const char *text, int least,
                     int most, int *number)
{
    uint64_t value = 0;
    if (!read_number(options, id, text, (uint64_t)least, (uint64_t)most, &value))
        return false;
    *number = (int)value;
    return true;
}

static bool read_memory(const struct options *options, const char *text, uint64_t *n_bytes)
{
    char *end = NULL;
    const double gib = strtod(text, &end);
    /* From a byte on: 0 bytes would stand for no limit. */
    if (text[0] < '0' || text[0] > '9' || strspn(text, "0123456789.") != strlen(text) ||
        *end != '\0' || gib * 1073741824.0 < 1.0 || gib > 1048576.0) {
        complain(options, "--memory %.200s: a number of GiB is expected, as 4 or 0.5", text);
        return false;
    }
    *n_bytes = (uint64_t)(gib * 1073741824.0);
    return true;
}

/* The place of a text in a list of words ended by NULL, with a message if it is not there. */
static bool read_word(const struct options *options, enum option_id id, const char *text,
                      const char *const words[], int *place)
{
    for (*place = 0; words[*place] != NULL; ++*place)
        if (strcmp(words[*place], text) == 0)
            return true;
    char expected[128] = "";
    size_t length = 0;
    for (int i = 0; words[i] != NULL && length < sizeof expected; i++)
        length += (size_t)snprintf(expected + length, sizeof expected - length, "%s%s",
                                   i == 0                 ? ""
                                   : words[i + 1] == NULL ? " or "
                                                          : ", ",
                                   words[i]);
    complain(options, "--%s %.200s: expected %s", rows[id].name, text, expected);
    return false;
}

static bool read_material(struct options *options, const char *text)
{
    struct error error;
    struct material material;
    if (material_read(text, &material, &error) != STATUS_OK) {
        complain(options, "%s", error.text);
        return false;
    }
    if (options->n_materials == MAX_MATERIALS) {
        complain(options, "--material %.200s: too many materials", text);
        return false;
    }
    options->materials[options->n_materials++] =
        material_is_canonical(&material) ? material : material_turn(&material);
    return true;
}

static bool read_level(struct options *options, const char *text)
{
    static const char *const levels[] = {"header", "checksums", "values", NULL}; /* as the enum */
    int place = 0;
    if (options->command != &command_verify)
        return read_int(options, OPTION_LEVEL, text, LEAST_LEVEL, MOST_LEVEL, &options->level);
    if (!read_word(options, OPTION_LEVEL, text, levels, &place))
        return false;
    options->verify_level = (enum verify_level)place;
    return true;
}

static bool read_option(struct options *options, enum option_id id, const char *text)
{
    static const char *const metrics[] = {"wdl", "dtw", "both", NULL};
    static const char *const solvers[] = {"fast", "plain", NULL};
    struct error error;
    int place = 0;

    switch (id) {
    case OPTION_RULES:
        if (rules_by_name(&options->rules, text, &error) == STATUS_OK)
            return true;
        complain(options, "%s", error.text);
        return false;
    case OPTION_TABLES:
        options->tables = text;
        if (text[0] != '\0')
            return true;
        complain(options, "--tables: a folder is expected, not an empty text");
        return false;
    case OPTION_THREADS:
        return read_int(options, id, text, 1, MOST_THREADS, &options->n_threads);
    case OPTION_JSON:
        options->json = true;
        return true;
    case OPTION_PIECES:
        return read_int(options, id, text, 2, MAX_PIECES, &options->pieces);
    case OPTION_MATERIAL:
        return read_material(options, text);
    case OPTION_METRIC:
        if (!read_word(options, id, text, metrics, &place))
            return false;
        options->metrics = (unsigned)place + 1; /* METRICS_WDL, METRICS_DTW, METRICS_BOTH */
        return true;
    case OPTION_MEMORY:
        return read_memory(options, text, &options->memory_bytes);
    case OPTION_LEVEL:
        return read_level(options, text);
    case OPTION_SOLVER:
        if (!read_word(options, id, text, solvers, &place))
            return false;
        options->solver = place == 0 ? SOLVER_FAST : SOLVER_PLAIN;
        return true;
    case OPTION_FILES:
        options->files = true;
        return true;
    case OPTION_WHOLE:
        options->whole = true;
        return true;
    case OPTION_PLAN:
        options->plan_only = true;
        return true;
    case OPTION_SAMPLES:
        return read_number(options, id, text, 1, UINT64_MAX, &options->n_samples);
    case OPTION_SEED:
        return read_number(options, id, text, 0, UINT64_MAX, &options->seed);
    case OPTION_MISSING:
        return read_int(options, id, text, 2, MAX_PIECES, &options->missing);
    case OPTION_PLIES:
        return read_int(options, id, text, 1, MOST_PLIES, &options->plies);
    case OPTION_FEN:
        options->fen = text;
        return true;
    case OPTION_DEPTH:
        return read_int(options, id, text, 1, MOST_DEPTH, &options->depth);
    case OPTION_PROBES:
        return read_number(options, id, text, 1, 1000000000, &options->n_probes);
    case OPTION_HELP:
    case N_OPTIONS:
        break;
    }
    return false;
}

static void set_defaults(const struct command *command, struct options *options)
{
    *options = (struct options){
        .command = command,
        .tables = "data/tables",
        .n_threads = omp_get_num_procs(),
        .metrics = METRICS_BOTH,
        .level = 3,
        .solver = SOLVER_FAST,
        .verify_level = VERIFY_VALUES,
        .seed = 1,
        .plies = 20,
        .n_probes = 1000000,
    };
    rules_by_name(&options->rules, "frisian", NULL);
}

/* What getopt_long did not take. */
static void refuse_option(const struct options *options, int code, char **argv)
{
    const char *help = options->command->name;
    if (code == ':' && optopt >= FIRST_CODE)
        complain(options, "--%s needs a value; try 'einspul %s --help'",
                 rows[optopt - FIRST_CODE].name, help);
    else if (optopt >= FIRST_CODE)
        complain(options, "--%s takes no value; try 'einspul %s --help'",
                 rows[optopt - FIRST_CODE].name, help);
    else if (optopt != 0)
        complain(options, "unknown option '-%c'; try 'einspul %s --help'", optopt, help);
    else
        complain(options, "unknown or ambiguous option '%.200s'; try 'einspul %s --help'",
                 argv[optind - 1], help);
}

bool options_read(const struct command *command, int argc, char **argv, struct options *options,
                  int *status)
{
    struct option longs[N_OPTIONS + 1];
    int n_longs = 0;

    set_defaults(command, options);
    for (int id = 0; id < N_OPTIONS; id++)
        if (rows[id].common || takes(command, rows[id].name))
            longs[n_longs++] = (struct option){
                rows[id].name, rows[id].argument != NULL ? required_argument : no_argument, NULL,
                FIRST_CODE + id};
    longs[n_longs] = (struct option){NULL, 0, NULL, 0};

    opterr = 0; /* getopt_long's own messages are not escaped */
    *status = EXIT_WRONG;
    for (int code; (code = getopt_long(argc, argv, ":", longs, NULL)) != -1;) {
        const enum option_id id = (enum option_id)(code - FIRST_CODE);
        if (code < FIRST_CODE || id >= N_OPTIONS) {
            refuse_option(options, code, argv);
            return false;
        }
        if (id == OPTION_HELP) {
            options_help(command);
            *status = EXIT_DONE;
            return false;
        }
        if (!read_option(options, id, optarg))
            return false;
    }
    options->n_arguments = argc - optind;
    options->arguments = argv + optind;
    if (command->most_arguments >= 0 && options->n_arguments > command->most_arguments) {
        complain(options, "unexpected argument '%.200s'",
                 options->arguments[command->most_arguments]);
        return false;
    }
    return true;
}
