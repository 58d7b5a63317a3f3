/* Reading the command line into `struct options`, by the table of options; the errors of what is
 * unknown or does not fit. */
#include "cli/command_line.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/help.h"
#include "cli/print.h"
#include "cli/system.h"
#include "core/text.h"
#include "gen/run/threads.h"

/* Added to the number of an option in the table, so that what getopt_long returns for it differs
 * from the characters it returns for errors. */
enum { FIRST_RETURNED = 256 };

/* --- the text after an option; each returns an exit status ------------------------------------ */

static int read_number(const struct options *options, const struct option_row *row,
                       const char *text, uint64_t *number)
{
    if (text_number(text, row->least, row->most, number))
        return EXIT_DONE;
    return complain(options, "--%s %.200s: a whole number from %llu to %llu is expected", row->name,
                    text, (unsigned long long)row->least, (unsigned long long)row->most);
}

static int read_gib(const struct options *options, const struct option_row *row, const char *text,
                    uint64_t *n_bytes)
{
    char *end = NULL;
    const double gib = strtod(text, &end);
    /* From a byte on: 0 bytes would stand for no limit. */
    if (text[0] < '0' || text[0] > '9' || strspn(text, "0123456789.") != strlen(text) ||
        *end != '\0' || gib * 1073741824.0 < 1.0 || gib > 1048576.0)
        return complain(options, "--%s %.200s: a number of GiB is expected, as 4 or 0.5", row->name,
                        text);
    *n_bytes = (uint64_t)(gib * 1073741824.0);
    return EXIT_DONE;
}

/* The value of a word: that of the first is `least`, and so on. */
static int read_word(const struct options *options, const struct option_row *row, const char *text,
                     unsigned *value)
{
    for (unsigned i = 0; row->words[i] != NULL; i++) {
        if (strcmp(row->words[i], text) != 0)
            continue;
        *value = (unsigned)row->least + i;
        return EXIT_DONE;
    }
    char expected[128] = "";
    for (int i = 0; row->words[i] != NULL; i++)
        text_append(expected, sizeof expected, "%s%s",
                    i == 0                      ? ""
                    : row->words[i + 1] == NULL ? " or "
                                                : ", ",
                    row->words[i]);
    return complain(options, "--%s %.200s: expected %s", row->name, text, expected);
}

static int read_rules(const struct options *options, const char *text, struct rules *rules)
{
    einspul_error error;
    return rules_by_name(rules, text, &error) == EINSPUL_OK ? EXIT_DONE
                                                            : complain(options, "%s", error.text);
}

/* One that is given twice counts once; so there are never more than there is room for. */
static int read_material(struct options *options, const char *text)
{
    struct material material;
    einspul_error error;
    if (material_read_canonical(text, &material, NULL, &error) != EINSPUL_OK)
        return complain(options, "%s", error.text);
    for (int i = 0; i < options->n_materials; i++)
        if (material_equal(&options->materials[i], &material))
            return EXIT_DONE;
    options->materials[options->n_materials++] = material;
    return EXIT_DONE;
}

static int read_folder(const struct options *options, const struct option_row *row,
                       const char *text, const char **folder)
{
    if (text[0] == '\0')
        return complain(options, "--%s: a folder is expected, not an empty text", row->name);
    if (*folder != NULL)
        return complain(options, "--%s %.200s: only one folder can be given", row->name, text);
    *folder = text;
    return EXIT_DONE;
}

/* Adds the folders of a list, which is split in place; `name` is what gave it. */
static int add_folders(struct options *options, const char *name, char *list)
{
    const size_t n_before = options->n_folders;
    const size_t n = folder_list_split(list, options->folders + n_before, MOST_FOLDERS - n_before);
    if (n == 0)
        return complain(options, "%s: a folder is expected, not an empty text", name);
    if (n > MOST_FOLDERS - n_before)
        return complain(options, "%s %.200s: no more than %d folders can be given", name, list,
                        MOST_FOLDERS);
    options->n_folders += n;
    options->tables = options->folders[0];
    return EXIT_DONE;
}

/* One folder of tables, for commands that write there. */
static int add_one_folder(struct options *options, char *list)
{
    const int status = add_folders(options, "--tables", list);
    return status != EXIT_DONE || options->n_folders == 1
               ? status
               : complain(options, "--tables %.200s: only one folder can be given",
                          options->folders[1]);
}

static int read_option(struct options *options, const struct option_row *row, char *text)
{
    void *field = (char *)options + row->field;
    uint64_t number = 0;
    int status = EXIT_DONE;

    switch (row->kind) {
    case OPTION_IS_FLAG:
        *(bool *)field = true;
        break;
    case OPTION_IS_INT:
        status = read_number(options, row, text, &number);
        *(int *)field = (int)number;
        break;
    case OPTION_IS_COUNT:
        return read_number(options, row, text, field);
    case OPTION_IS_CONDITION: /* read when the rule set is known */
        options->conditions[row->least] = text != NULL ? text : "1";
        break;
    case OPTION_IS_WORD:
        return read_word(options, row, text, field);
    case OPTION_IS_FOLDER:
        return read_folder(options, row, text, field);
    case OPTION_IS_FOLDERS:
        return row == &option_rows[OPTION_FOLDER] ? add_one_folder(options, text)
                                                  : add_folders(options, "--tables", text);
    case OPTION_IS_TEXT:
        *(const char **)field = text;
        break;
    case OPTION_IS_RULES:
        options->rules_given = options->rules_given || field == &options->rules;
        return read_rules(options, text, field);
    case OPTION_IS_MATERIAL:
        return read_material(options, text);
    case OPTION_IS_GIB:
        return read_gib(options, row, text, field);
    }
    return status;
}

/* --- options the command does not have -------------------------------------------------------- */

/* Two of the options of a command that begin with a text, "--metric or --memory"; how many do. */
static int options_begun(const struct command *command, const char *text, char *names, size_t size)
{
    int n = 0;
    names[0] = '\0';
    for (int id = 0; id < N_OPTIONS; id++) {
        const char *name = option_rows[id].name;
        if (!command_takes(command, (enum option_id)id) || strncmp(name, text, strlen(text)) != 0)
            continue;
        text_append(names, size, "%s--%s", n == 0 ? "" : " or ", name);
        n++;
    }
    return n;
}

/* The commands that take an option of a name, "stats, verify"; how many do. */
static int commands_taking(const struct command *const commands[], const char *option, char *names,
                           size_t size)
{
    int n = 0;
    names[0] = '\0';
    for (int i = 0; commands[i] != NULL; i++) {
        for (int id = 0; id < N_OPTIONS; id++) {
            if (!command_takes(commands[i], (enum option_id)id) ||
                strcmp(option_rows[id].name, option) != 0)
                continue;
            text_append(names, size, "%s%s", n == 0 ? "" : ", ", commands[i]->name);
            n++;
        }
    }
    return n;
}

/* The error for an option getopt_long rejected: ambiguous, of another command, or unknown. */
static void refuse_name(const struct options *options, const char *text)
{
    const struct command *command = options->command;
    const char *name = text + strspn(text, "-");
    char typed[OPTION_TEXT_SIZE] = "";
    char names[512];

    if (strcspn(name, "=") < sizeof typed)
        text_append(typed, strcspn(name, "=") + 1, "%s", name);
    if (typed[0] != '\0' && options_begun(command, typed, names, sizeof names) > 1) {
        complain(options, "'%.200s' may be %s; try 'einspul %s --help'", text, names,
                 command->name);
        return;
    }
    if (commands_taking(options->commands, typed, names, sizeof names) > 0) {
        complain(options, "--%s is an option of %s, not of %s; try 'einspul %s --help'", typed,
                 names, command->name, command->name);
        return;
    }
    complain(options, "unknown option '%.200s'; try 'einspul %s --help'", text, command->name);
}

/* What getopt_long did not take; `answer` is what it returned. */
static void refuse_option(const struct options *options, int answer, char **argv)
{
    const char letter[] = {'-', (char)optopt, '\0'};
    if (optopt >= FIRST_RETURNED)
        complain(options, "--%s %s; try 'einspul %s --help'",
                 option_rows[optopt - FIRST_RETURNED].name,
                 answer == ':' ? "needs a value" : "takes no value", options->command->name);
    else
        refuse_name(options, optopt != 0 ? letter : argv[optind - 1]);
}

/* Sets the default folders: those of EINSPUL_TABLES, or data/tables. */
static int set_folders(struct options *options)
{
    const char *text = getenv("EINSPUL_TABLES");
    if (options->n_folders > 0 || (!command_takes(options->command, OPTION_TABLES) &&
                                   !command_takes(options->command, OPTION_FOLDER)))
        return EXIT_DONE;
    if (text == NULL)
        text = "data/tables";
    options->folder_texts = malloc(strlen(text) + 1);
    if (options->folder_texts == NULL)
        return complain(options, "not enough memory");
    return add_folders(options, "EINSPUL_TABLES", strcpy(options->folder_texts, text));
}

/* --- the whole call --------------------------------------------------------------------------- */

static void set_defaults(struct options *options)
{
    *options = (struct options){
        .command = options->command,
        .commands = options->commands,
        .n_threads = threads_wanted(""),
        .metrics = METRICS_BOTH,
        .level = 3,
        .verify_level = VERIFY_VALUES,
        .seed = 1,
        .limit = 1000,
        .plies = 20,
        .n_probes = 1000000,
        .listen = "127.0.0.1",
        .port = 8317,
    };
    rules_by_name(&options->rules, "frisian", NULL);
}

/* Says what the command needs and is not given. */
static int find_missing(const struct options *options, const bool given[N_OPTIONS])
{
    const struct command *command = options->command;
    if (options->n_arguments == 0 && command->no_arguments != NULL)
        return complain(options, "%s", command->no_arguments);
    for (int id = 0; id < N_OPTIONS; id++) {
        char text[OPTION_TEXT_SIZE];
        if (command->takes[id] != IS_NEEDED || given[id])
            continue;
        option_text(&option_rows[id], text);
        return complain(options, "%s is expected", text);
    }
    return EXIT_DONE;
}

bool command_line_read(int argc, char **argv, struct options *options, int *status)
{
    const struct command *command = options->command;
    struct option longs[N_OPTIONS + 1];
    bool given[N_OPTIONS] = {false};
    int n_longs = 0;

    set_defaults(options);
    for (int id = 0; id < N_OPTIONS; id++)
        if (command_takes(command, (enum option_id)id))
            longs[n_longs++] =
                (struct option){option_rows[id].name,
                                option_has_text(&option_rows[id]) ? required_argument : no_argument,
                                NULL, FIRST_RETURNED + id};
    longs[n_longs] = (struct option){NULL, 0, NULL, 0};

    opterr = 0; /* getopt_long's own messages are not escaped */
    *status = EXIT_WRONG;
    for (int answer; (answer = getopt_long(argc, argv, ":", longs, NULL)) != -1;) {
        if (answer < FIRST_RETURNED) {
            refuse_option(options, answer, argv);
            return false;
        }
        if (answer == FIRST_RETURNED + OPTION_HELP) {
            help_command(command);
            *status = EXIT_DONE;
            return false;
        }
        if (read_option(options, &option_rows[answer - FIRST_RETURNED], optarg) != EXIT_DONE)
            return false;
        given[answer - FIRST_RETURNED] = true;
    }
    options->n_arguments = argc - optind;
    options->arguments = argv + optind;
    if (command->most_arguments >= 0 && options->n_arguments > command->most_arguments) {
        complain(options, "unexpected argument '%.200s'",
                 options->arguments[command->most_arguments]);
        return false;
    }
    *status = set_folders(options);
    if (*status == EXIT_DONE)
        *status = find_missing(options, given);
    return *status == EXIT_DONE;
}
