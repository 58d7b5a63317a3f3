/* Reads a command line by the options of its command: those of its own table, and of the common
 * options below the ones it takes. */
#include "cli/options.h"

#include <errno.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print.h"
#include "cli/system.h"
#include "core/os.h"
#include "core/path_list.h"
#include "core/program/materials.h"
#include "core/program/os_write.h"
#include "core/program/text.h"
#include "core/status.h"
#include "gen/run/limits.h"
#include "study/notation.h"

/* --- common options --------------------------------------------------------------------------- */

static struct options parsed; /* static: too large for the stack */

static option_reader read_material, read_folders;

const char *const metrics_words[] = {"wdl", "dtw", "both", NULL};
static const char *const notations[] = {"numbers", "letters", NULL};

_Static_assert(METRICS_WDL == 1 && METRICS_DTW == 2 && METRICS_BOTH == 3, "order of the words");

static const struct {
    unsigned takes; /* enum common_options; 0: every command takes it */
    struct option_row row;
} common[] = {
    {TAKES_PIECES,
     {"pieces", "N", "all materials of 2 to N pieces", INT(&parsed.pieces, 2, MAX_PIECES)}},
    {TAKES_MATERIAL,
     {"material", "NAME", "this material and all it leads to, e.g. KMvK (may be repeated)",
      .read = read_material}},
    {TAKES_METRIC,
     {"metric", NULL, "outcomes, distances, or both (default: both)",
      WORD(&parsed.metrics, METRICS_WDL, metrics_words)}},
    {.row.name = NULL}, /* the command's own options are inserted here */
    {TAKES_SEED,
     {"seed", "S", "seed of the random choice (default: 1)", COUNT(&parsed.seed, 0, UINT64_MAX)}},
    {TAKES_NOTATION,
     {"notation", NULL, "how to write squares in the output (default: as in the input)",
      WORD(&parsed.notation, NOTATION_NUMBERS, notations)}},
    {TAKES_STRICT,
     {"strict", NULL, "reject input that is not an exact FEN (docs/rules.md)",
      FLAG(&parsed.strict)}},
    {TAKES_FOLDER,
     {"tables", "DIR", "folder of tables (default: $EINSPUL_TABLES, or data/tables)", GROUP_COMMON,
      .read = read_folders, .max = 1}},
    {TAKES_TSV,
     {"tsv", NULL, "tab-separated lines, also on a terminal", GROUP_OUTPUT, FLAG(&parsed.tsv)}},
    {TAKES_JSON,
     {"json", NULL, "print one JSON object per line", GROUP_OUTPUT, FLAG(&parsed.json)}},
    {TAKES_RULES,
     {"rules", "NAME", "rule set (default: frisian)", GROUP_COMMON, RULES(&parsed.rules)}},
    {TAKES_ONLY_RULES,
     {"rules", "NAME", "only this rule set (default: all)", GROUP_COMMON, RULES(&parsed.rules)}},
    {TAKES_FOLDERS,
     {"tables", "PATH",
      "folder or pack of tables, or a list of these, separated by ':' as in $PATH; may be "
      "repeated (default: $EINSPUL_TABLES, or data/tables)",
      GROUP_COMMON, .read = read_folders, .max = MAX_FOLDERS}},
    {TAKES_THREADS,
     {"threads", "N",
      "number of threads (default: the CPUs that the job scheduler Slurm gives each task, "
      "otherwise $OMP_NUM_THREADS, otherwise all available cores)",
      GROUP_COMMON, INT(&parsed.n_threads, 1, MAX_THREADS)}},
    {0, {"help", NULL, "print this help", GROUP_COMMON, .read = NULL}},
};

int command_options(const struct command *command, const struct option_row *rows[MAX_OPTIONS])
{
    const struct option_row *own = command->own;
    int n = 0;
    for (size_t i = 0; i < sizeof common / sizeof common[0]; i++) {
        if (common[i].row.name == NULL)
            for (; own != NULL && own->name != NULL; own++)
                rows[n++] = own;
        else if (common[i].takes == 0 || (common[i].takes & command->takes) != 0)
            rows[n++] = &common[i].row;
    }
    return n;
}

/* --- options as texts ------------------------------------------------------------------------- */

/* The words an option may have, those of conditions too, ended by NULL; NULL if it has none. */
static const char *const *option_words(const struct option_row *row)
{
    return row->read == option_condition ? find_texts[row->min].words : row->words;
}

void option_text_write(const struct option_row *row, char text[OPTION_TEXT_SIZE])
{
    const char *const *words = option_words(row);
    snprintf(text, OPTION_TEXT_SIZE, "--%s", row->name);
    if (row->argument != NULL)
        text_append(text, OPTION_TEXT_SIZE, " %s", row->argument);
    for (int i = 0; words != NULL && words[i] != NULL; i++)
        text_append(text, OPTION_TEXT_SIZE, "%c%s", i == 0 ? ' ' : '|', words[i]);
}

const struct command *command_by_name(const struct command *const commands[], const char *name)
{
    for (int i = 0; commands[i] != NULL; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

int command_message(const struct options *options, const char *format, ...)
{
    va_list arguments;
    char title[32];
    snprintf(title, sizeof title, "einspul %s", options->command->name);
    va_start(arguments, format);
    message_va(title, format, arguments);
    va_end(arguments);
    return EXIT_USAGE;
}

int exit_status_of(einspul_status status)
{
    return status >= EINSPUL_IO ? EXIT_FAILED : EXIT_USAGE;
}

/* What to do next after an error; "" if the status does not tell. */
static const char *advice(einspul_status status)
{
    switch (status) {
    case EINSPUL_NO_TABLE:
        return "; 'einspul solve' may prove positions that are not in the tables";
    case EINSPUL_NO_METRIC:
        return "; generate them with 'einspul generate --metric dtw'";
    case EINSPUL_TRUNCATED:
    case EINSPUL_BAD_HEADER:
    case EINSPUL_BAD_BLOCK:
    case EINSPUL_CORRUPT:
        return "; delete the file, and generate or download it again";
    default:
        return "";
    }
}

int command_error(const struct options *options, const char *about, const einspul_error *error)
{
    command_message(options, "%.400s%s%s%s", about != NULL ? about : "", about != NULL ? ": " : "",
                    error->text, advice(error->status));
    return exit_status_of(error->status);
}

/* --- the text after an option; each returns an exit status ------------------------------------ */

int option_flag(const struct option_row *row, char *text)
{
    (void)text;
    *(bool *)row->into = true;
    return EXIT_OK;
}

int option_count(const struct option_row *row, char *text)
{
    if (text_read_number(text, row->min, row->max, row->into))
        return EXIT_OK;
    return command_message(&parsed, "--%s %.200s: expected a whole number from %llu to %llu",
                           row->name, text, (unsigned long long)row->min,
                           (unsigned long long)row->max);
}

int option_int(const struct option_row *row, char *text)
{
    uint64_t number = 0;
    struct option_row count = *row;
    count.into = &number;
    const int status = option_count(&count, text);
    if (status == EXIT_OK)
        *(int *)row->into = (int)number;
    return status;
}

int option_gib(const struct option_row *row, char *text)
{
    char *end = NULL;
    const double gib = strtod(text, &end);
    /* At least one byte, because 0 means no limit. */
    if (text[0] < '0' || text[0] > '9' || strspn(text, "0123456789.") != strlen(text) ||
        *end != '\0' || gib * 1073741824.0 < 1.0 || gib > 1048576.0)
        return command_message(&parsed, "--%s %.200s: expected a number of GiB, e.g. 4 or 0.5",
                               row->name, text);
    *(uint64_t *)row->into = (uint64_t)(gib * 1073741824.0);
    return EXIT_OK;
}

int option_word(const struct option_row *row, char *text)
{
    char expected[128];
    for (unsigned i = 0; row->words[i] != NULL; i++) {
        if (strcmp(row->words[i], text) != 0)
            continue;
        *(unsigned *)row->into = (unsigned)row->min + i;
        return EXIT_OK;
    }
    words_write(row->words, expected, sizeof expected);
    return command_message(&parsed, "--%s %.200s: expected %s", row->name, text, expected);
}

int option_text(const struct option_row *row, char *text)
{
    *(const char **)row->into = text;
    return EXIT_OK;
}

/* Stored unparsed; parsing needs the rule set, which may follow. */
int option_condition(const struct option_row *row, char *text)
{
    *(const char **)row->into = text != NULL ? text : "1";
    return EXIT_OK;
}

int option_rules(const struct option_row *row, char *text)
{
    einspul_error error;
    parsed.rules_given = parsed.rules_given || row->into == &parsed.rules;
    return rules_by_name(row->into, text, &error) == EINSPUL_OK
               ? EXIT_OK
               : command_error(&parsed, NULL, &error);
}

/* Duplicates are ignored, so the list cannot overflow. */
static int read_material(const struct option_row *row, char *text)
{
    struct material_list *list = &parsed.materials;
    struct material material;
    einspul_error error;
    (void)row;
    if (material_read_canonical(text, &material, NULL, &error) != EINSPUL_OK)
        return command_error(&parsed, NULL, &error);
    for (int i = 0; i < list->n; i++)
        if (material_equal(&list->at[i], &material))
            return EXIT_OK;
    list->at[list->n++] = material;
    return EXIT_OK;
}

size_t folder_list_split(char *list, const char **folders, size_t max)
{
    size_t n = 0;
    for (char *folder = path_list_next(&list, true); folder != NULL;
         folder = path_list_next(&list, true), n++)
        if (n < max)
            folders[n] = folder;
    return n;
}

/* Adds the folders of a list, which is split in place; `name` is what gave it. */
static int add_folders(const char *name, char *list, size_t max)
{
    const size_t n_before = parsed.n_folders;
    const size_t n = folder_list_split(list, parsed.folders + n_before, MAX_FOLDERS - n_before);
    if (n == 0)
        return command_message(&parsed, "%s: expected a folder, got an empty string", name);
    if (n_before + n > MAX_FOLDERS)
        return command_message(&parsed, "%s %.200s: too many folders (at most %d)", name, list,
                               MAX_FOLDERS);
    parsed.n_folders += n;
    return parsed.n_folders <= max
               ? EXIT_OK
               : command_message(&parsed, "%s %.200s: this command uses only one folder", name,
                                 parsed.folders[1]);
}

static int read_folders(const struct option_row *row, char *text)
{
    parsed.folders_given = true;
    return add_folders("--tables", text, (size_t)row->max);
}

/* --- the whole call --------------------------------------------------------------------------- */

/* Added to the number of an option, so that what getopt_long returns for it differs from the
 * characters it returns for errors. */
enum { FIRST_RETURNED = 256 };

/* Reports a name that no option has, or that is the beginning of several; `typed` begins with "--". */
static void refuse_name(const struct option_row *const *rows, int n, const char *typed)
{
    char list[256] = "";
    char name[64];
    int n_begin = 0;
    snprintf(name, sizeof name, "%.*s", (int)strcspn(typed + 2, "="), typed + 2);
    for (int i = 0; i < n; i++)
        if (strncmp(rows[i]->name, name, strlen(name)) == 0)
            text_append(list, sizeof list, "%s--%s", n_begin++ > 0 ? ", " : "", rows[i]->name);
    if (n_begin > 1)
        command_message(&parsed, "option '--%s' is ambiguous: %s", name, list);
    else
        command_message(&parsed, "unknown option '%.200s'; see 'einspul %s --help'", typed,
                        parsed.command->name);
}

/* Reports why getopt_long rejected an option; `answer` is its return value. */
static void refuse_option(const struct option_row *const *rows, int n, int answer, char **argv)
{
    if (optopt >= FIRST_RETURNED)
        command_message(&parsed, "--%s %s", rows[optopt - FIRST_RETURNED]->name,
                        answer == ':' ? "requires a value" : "does not take a value");
    else if (optopt != 0)
        command_message(&parsed, "unknown option '-%c'; see 'einspul %s --help'", optopt,
                        parsed.command->name);
    else
        refuse_name(rows, n, argv[optind - 1]);
}

/* Reads all options; false after a message, and if the help is to be printed. */
static bool read_options(const struct option_row *const *rows, int n, int argc, char **argv,
                         bool *was_given, int *status)
{
    struct option longs[MAX_OPTIONS + 1] = {{NULL, 0, NULL, 0}};
    for (int i = 0; i < n; i++) {
        const bool has_text = rows[i]->argument != NULL || option_words(rows[i]) != NULL;
        longs[i] = (struct option){rows[i]->name, has_text ? required_argument : no_argument, NULL,
                                   FIRST_RETURNED + i};
    }
    opterr = 0; /* getopt_long's own messages are not escaped */
    *status = EXIT_USAGE;
    for (int answer; (answer = getopt_long(argc, argv, ":h", longs, NULL)) != -1;) {
        if (answer == 'h') {
            *status = EXIT_OK; /* with the help */
            return false;
        }
        if (answer < FIRST_RETURNED) {
            refuse_option(rows, n, answer, argv);
            return false;
        }
        const struct option_row *row = rows[answer - FIRST_RETURNED];
        if (row->read == NULL)
            *status = EXIT_OK; /* with the help */
        if (row->read == NULL || row->read(row, optarg) != EXIT_OK)
            return false;
        was_given[answer - FIRST_RETURNED] = true;
    }
    return true;
}

/* Sets the default folders: those of EINSPUL_TABLES, or data/tables. */
static int set_folders(void)
{
    static char usual[] = "data/tables";
    static char *list; /* as long as the program runs */
    if (parsed.n_folders > 0 || (parsed.command->takes & (TAKES_FOLDERS | TAKES_FOLDER)) == 0)
        return EXIT_OK;
    list = os_environment("EINSPUL_TABLES");
    if (list == NULL && errno != 0)
        return command_message(&parsed, "EINSPUL_TABLES: %s", strerror(errno));
    const int status = add_folders("EINSPUL_TABLES", list != NULL ? list : usual, MAX_FOLDERS);
    if (status != EXIT_OK)
        free(list); /* otherwise the folders are in it */
    return status;
}

/* Reports a missing argument or option, or an argument too many. */
static int check_all(const struct option_row *const *rows, int n, const bool *was_given)
{
    const struct command *command = parsed.command;
    if (command->max_arguments >= 0 && parsed.n_arguments > command->max_arguments)
        return command_message(&parsed, "unexpected argument '%.200s'; see 'einspul %s --help'",
                               parsed.arguments[command->max_arguments], command->name);
    if (parsed.n_arguments == 0 && command->missing_argument != NULL)
        return command_message(&parsed, "%s", command->missing_argument);
    for (int i = 0; i < n; i++) {
        char text[OPTION_TEXT_SIZE];
        if (!rows[i]->needed || was_given[i])
            continue;
        option_text_write(rows[i], text);
        return command_message(&parsed, "missing required option %s", text);
    }
    return EXIT_OK;
}

const struct options *options_read(const struct command *const commands[],
                                   const struct command *command, int argc, char **argv,
                                   int *status)
{
    const struct option_row *rows[MAX_OPTIONS];
    bool was_given[MAX_OPTIONS] = {false};
    const int n = command_options(command, rows);
    parsed = (struct options){.command = command,
                              .commands = commands,
                              .n_threads = threads_wanted(),
                              .metrics = METRICS_BOTH,
                              .seed = 1};
    rules_by_name(&parsed.rules, "frisian", NULL);
    if (!read_options(rows, n, argc, argv, was_given, status))
        return NULL;
    parsed.n_arguments = argc - optind;
    parsed.arguments = argv + optind;
    *status = set_folders();
    if (*status == EXIT_OK)
        *status = check_all(rows, n, was_given);
    return *status == EXIT_OK ? &parsed : NULL;
}
