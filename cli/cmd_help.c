/* `einspul help`: the help of the program, or of a command, from the tables of commands and options. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/print.h"
#include "einspul.h"

enum {
    LINE_WIDTH = 80,
    COMMAND_COLUMN = 13, /* at which the text after a command begins */
    OPTION_COLUMN = 23   /* after an option or a rule set */
};

static const char *const command_headings[] = {
    "Look up positions", "Search and study", "Make and check tables", "Serve", "Test", NULL,
};

static const char *const option_headings[] = {
    [GROUP_OWN] = "Options",
    [GROUP_CONDITION] = "Conditions",
    [GROUP_OUTPUT] = "Output options",
    [GROUP_COMMON] = "Common options",
};

/* In the order of the help. */
static const enum option_group option_groups[N_GROUPS] = {GROUP_CONDITION, GROUP_OWN, GROUP_OUTPUT,
                                                          GROUP_COMMON};

static const char *const rule_sets[] = {
    [RULES_FRISIAN] = "Frisian draughts (default)",
    [RULES_FRISIAN_NO17] = "without the limit of three king moves in a row",
    [RULES_FRISIAN_NO18] = "without the limit of seven moves for two kings against one",
    [RULES_FRISIAN_FREE] = "without either limit",
    [RULES_INTERNATIONAL] = "international draughts",
    [RULES_ENGLISH] = "English draughts (checkers)",
    [RULES_BRAZILIAN] = "Brazilian draughts",
    [RULES_FRISIAN_LIDRAUGHTS] = "Frisian draughts as played on lidraughts.org",
    [RULES_INTERNATIONAL_FMJD] = "international draughts with the draw rules of the FMJD",
};
_Static_assert(sizeof rule_sets / sizeof rule_sets[0] == N_RULES + 1, "a text for each rule set");

static const char description[] =
    "Exact endgame tablebases for draughts: Frisian, international, Brazilian and\n"
    "English.";

static const char terms[] =
    "  FEN        a position as text, such as W:W28,K46:BK43 (docs/rules.md)\n"
    "  material   a combination of pieces: KMvK is king and man against king\n"
    "  ply        a move of one side\n"
    "  outcome    win, draw or loss for the side to move, with best play\n"
    "  distance   plies to the end of the game, with best play\n"
    "  king run   in Frisian draughts, the moves without a capture that a side has\n"
    "             made in a row with the same king; a side that has a man may make\n"
    "             at most three\n"
    "  block      a part of a table that is read and decoded separately\n"
    "  hash       a number computed from all values of a table, to compare tables; a\n"
    "             checksum is computed from the bytes of a file, to detect damage\n"
    "  pack       many tables in one file, made by 'einspul pack'\n"
    "  clock      plies that count towards a draw, such as those since two kings\n"
    "             against one king arose\n"
    "  PDN        Portable Draughts Notation, a text format for games\n"
    "  FMJD       the world draughts federation; its 25-move rule draws the game\n"
    "             after 25 moves of each side without a capture or a move of a man";

static const char environment[] = "  EINSPUL_TABLES   default for --tables\n"
                                  "  NO_COLOR         no colours on a terminal";

static const char exit_statuses[] =
    "  0  success\n"
    "  1  the command was interrupted, or failed (too little memory or disk space, or\n"
    "     an unreadable or damaged file)\n"
    "  2  an option or the input is wrong, or tables are missing\n"
    "  3  'verify' found a fault or damage; 'plan' listed a table that this machine\n"
    "     cannot generate; 'generate' met a distance that is too long to store";

/* --- lines ------------------------------------------------------------------------------------ */

/* Prints a name, and a text whose lines begin at a column. */
static void print_entry(const char *name, int column, const char *text)
{
    int at = column;
    printf("  %-*s", column - 2, name);
    if ((int)strlen(name) + 4 > column) /* two blanks before and after it */
        printf("\n%*s", column, "");
    while (*text != '\0') {
        const int n = (int)strcspn(text, " ");
        if (at > column && at + 1 + n > LINE_WIDTH) {
            printf("\n%*s", column, "");
            at = column;
        } else if (at > column) {
            putchar(' ');
            at++;
        }
        printf("%.*s", n, text);
        at += n;
        text += n + (text[n] == ' ');
    }
    putchar('\n');
}

static void print_option(const struct option_row *row)
{
    char text[OPTION_TEXT_SIZE];
    option_text_write(row, text);
    print_entry(row->read == NULL ? "-h, --help" : text, OPTION_COLUMN, row->help);
}

/* Prints the options of a group under its heading; `rows` are those of a command. */
static void print_options(const struct option_row *const *rows, int n, enum option_group group)
{
    bool headed = false;
    for (int i = 0; i < n; i++) {
        if (rows[i]->group != group)
            continue;
        if (!headed)
            printf("\n%s:\n", option_headings[group]);
        headed = true;
        print_option(rows[i]);
    }
}

/* --- the program ------------------------------------------------------------------------------ */

static void print_commands(const struct command *const commands[])
{
    for (int i = 0; commands[i] != NULL; i++) {
        const char *heading = command_headings[commands[i]->group];
        const bool first = i == 0 || commands[i - 1]->group != commands[i]->group;
        if (first && heading != NULL)
            printf("\n%s:\n", heading);
        else if (first)
            printf("\n");
        print_entry(commands[i]->name, COMMAND_COLUMN, commands[i]->summary);
    }
}

static void print_program(const struct command *const commands[])
{
    static const struct command any = {.takes = TAKES_TABLES | TAKES_THREADS};
    const struct option_row *rows[MAX_OPTIONS];
    const int n = command_options(&any, rows);
    printf("Usage: einspul COMMAND [ARGUMENT…]\n\n%s\n", description);
    print_commands(commands);
    print_options(rows, n, GROUP_COMMON);
    print_entry("-V, --version", OPTION_COLUMN, "print the version");
    puts("\nRule sets:");
    for (int i = 0; einspul_rules_list()[i] != NULL; i++)
        print_entry(einspul_rules_list()[i], OPTION_COLUMN, rule_sets[i + 1]);
    printf("\nTerms:\n%s\n\nEnvironment:\n%s\n\nExit status:\n%s\n", terms, environment,
           exit_statuses);
    puts("\nSee 'einspul COMMAND --help' for a command.");
}

/* --- a command -------------------------------------------------------------------------------- */

static void print_synopsis(const struct command *command)
{
    const char *before = "Usage:";
    for (const char *form = command->synopsis; form != NULL;) {
        const char *end = strchr(form, '\n');
        printf("%s einspul %s %.*s\n", before, command->name,
               (int)(end != NULL ? (size_t)(end - form) : strlen(form)), form);
        before = "      ";
        form = end != NULL ? end + 1 : NULL;
    }
}

void help_command(const struct command *command)
{
    const struct option_row *rows[MAX_OPTIONS];
    const int n = command_options(command, rows);
    print_synopsis(command);
    printf("\n%s\n", command->about);
    for (int i = 0; i < N_GROUPS; i++)
        print_options(rows, n, option_groups[i]);
    if (command->details != NULL)
        printf("\n%s\n", command->details);
    printf("\nExamples:\n%s\n", command->examples);
}

/* --- the command ------------------------------------------------------------------------------ */

int help_unknown(const char *name)
{
    message("einspul", "unknown command '%.200s'; see 'einspul --help'", name);
    return EXIT_USAGE;
}

static int run(const struct options *options)
{
    if (options->n_arguments == 0) {
        print_program(options->commands);
        return EXIT_OK;
    }
    const struct command *command = command_by_name(options->commands, options->arguments[0]);
    if (command == NULL)
        return help_unknown(options->arguments[0]);
    help_command(command);
    return EXIT_OK;
}

const struct command command_help = {
    .name = "help",
    .group = COMMAND_HELPS,
    .summary = "print this text, or the help of a command",
    .synopsis = "[COMMAND]",
    .about = "Print the help of the program, or of a command.",
    .examples = "  einspul help find",
    .max_arguments = 1,
    .run = run,
};
