/* The manual page einspul(1), in the macros of man(7). */
#include "cli/help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "einspul.h"

enum { LINE_BYTES = 70 };

/* The date of the last change to the page's own text. */
static const char date[] = "2026-11-23";

/* Prints a word in roff: a backslash, or a control character at the beginning of a line, is
 * escaped; a hyphen is a minus sign, as in options, unless it is between letters; an ellipsis
 * becomes three dots, for ASCII terminals. Returns the printed length. */
static size_t print_word(const char *word, size_t length, bool begins_line)
{
    static const char ellipsis[] = "…";
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        const bool between =
            i > 0 && isalpha((unsigned char)word[i - 1]) && isalpha((unsigned char)word[i + 1]);
        if (i == 0 && begins_line && (word[i] == '.' || word[i] == '\''))
            n += (size_t)printf("\\&");
        if (strncmp(word + i, ellipsis, sizeof ellipsis - 1) == 0) {
            n += (size_t)printf("\\&...");
            i += sizeof ellipsis - 2;
        } else if (word[i] == '\\') {
            n += (size_t)printf("\\e");
        } else {
            n += (size_t)printf(word[i] == '-' && !between ? "\\%c" : "%c", word[i]);
        }
    }
    return n;
}

/* Prints a text in lines of its own length, as the page is filled anyway. */
static void print_text(const char *text)
{
    size_t n_line = 0;
    for (;;) {
        text += strspn(text, " \n");
        const size_t length = strcspn(text, " \n");
        if (length == 0)
            return;
        if (n_line > 0 && n_line + length >= LINE_BYTES) {
            putchar('\n');
            n_line = 0;
        } else if (n_line > 0) {
            putchar(' ');
            n_line++;
        }
        n_line += print_word(text, length, n_line == 0);
        text += length;
    }
}

static void print_line(const char *macro, const char *text)
{
    if (macro[0] != '\0')
        printf("%s ", macro);
    print_text(text);
    putchar('\n');
}

/* A term, and what it means. */
static void print_item(const char *term, const char *text)
{
    puts(".TP");
    print_line(".B", term);
    print_line("", text);
}

/* Options of a command in the groups `first` to `last`. */
static void print_options(const struct command *command, enum option_group first,
                          enum option_group last)
{
    for (int id = 0; id < N_OPTIONS; id++) {
        const struct option_row *row = &option_rows[id];
        char text[OPTION_TEXT_SIZE];
        if (row->group < first || row->group > last || !command_takes(command, (enum option_id)id))
            continue;
        option_text(row, text);
        print_item(text, row->help);
    }
}

static void print_commands(const struct command *const commands[])
{
    for (int i = 0; commands[i] != NULL; i++) {
        const struct command *command = commands[i];
        printf(".SS ");
        print_text(command->name);
        fputs("\n.B einspul ", stdout);
        print_text(command->name);
        putchar('\n');
        print_line("", command->synopsis);
        puts(".PP");
        print_line("", command->help);
        print_options(command, GROUP_OWN, GROUP_OUTPUT);
    }
}

static void print_examples(void)
{
    static const struct {
        const char *call, *does;
    } examples[] = {
        {"einspul generate --pieces 4", "Generates all tables of two to four pieces."},
        {"einspul probe W:W28,K46:BK43", "Says who wins, and in how many plies."},
        {"einspul line W:WK28,K31:B6", "Plays to the end of the game."},
    };
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; i++)
        print_item(examples[i].call, examples[i].does);
}

void help_manual(const struct command *const commands[])
{
    printf(".TH EINSPUL 1 \"%s\" \"einspul %s\" \"User Commands\"\n", date, einspul_version());
    printf(".SH NAME\neinspul \\- %s\n", help_title);
    puts(".SH SYNOPSIS\n.B einspul\n.I command\n.RI [ argument .\\|.\\|.]");
    puts(".SH DESCRIPTION");
    print_line("", "Generates endgame tables, and answers from them: who wins a position with few "
                   "pieces, in how many plies, and by which moves. Data go to standard output, in "
                   "columns separated by tabs, messages to standard error. A material is written "
                   "with kings before men, the stronger side first, as KKMvKM; its table holds "
                   "both colours. A position is a FEN of the PDN standard, as W:W28,K46:BK43.");
    puts(".SH INPUT");
    print_line("", "Input may contain anything. A line of more than 64 KiB, or one with a zero "
                   "byte, gets an error line, and the run goes on. A byte order mark and CRLF "
                   "line ends are accepted. Input that is repeated in an answer is escaped: "
                   "backslash, tab, line feed and carriage return as \\\\, \\t, \\n and \\r, "
                   "other control characters and invalid UTF-8 as \\x1b. With --json the output "
                   "is always valid JSON in UTF-8, with U+FFFD in place of invalid bytes.");
    puts(".SH COMMANDS");
    print_commands(commands);
    puts(".SH COMMON OPTIONS"); /* those of most commands, once */
    print_options(&(struct command){.takes = {TAKES_TABLES}}, GROUP_COMMON, GROUP_COMMON);
    puts(".SH RULE SETS");
    for (const char *const *name = rules_names(); *name != NULL; name++) {
        if (name != rules_names())
            puts(".br");
        print_line("", *name);
    }
    puts(".SH ENVIRONMENT");
    print_item("EINSPUL_TABLES", help_environment);
    puts(".SH EXIT STATUS");
    print_line("", help_exit_status);
    puts(".SH EXAMPLES");
    print_examples();
}
