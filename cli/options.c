/* What is asked of the tables of options and commands, and the errors of commands. */
#include "cli/options.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/print.h"
#include "cli/system.h"
#include "core/text.h"

/* --- options ---------------------------------------------------------------------------------- */

const char *const *option_words(const struct option_row *row)
{
    return row->kind == OPTION_IS_CONDITION ? find_part_words((enum find_part)row->least)
                                            : row->words;
}

bool option_has_text(const struct option_row *row)
{
    return row->argument != NULL || option_words(row) != NULL;
}

void option_text(const struct option_row *row, char text[OPTION_TEXT_SIZE])
{
    const char *const *words = option_words(row);
    snprintf(text, OPTION_TEXT_SIZE, "--%s", row->name);
    if (row->argument != NULL)
        text_append(text, OPTION_TEXT_SIZE, " %s", row->argument);
    for (int i = 0; words != NULL && words[i] != NULL; i++)
        text_append(text, OPTION_TEXT_SIZE, "%c%s", i == 0 ? ' ' : '|', words[i]);
}

const char *options_default_tables(void)
{
    const char *folder = getenv("EINSPUL_TABLES");
    return folder != NULL ? folder : "data/tables";
}

size_t folder_list_split(char *list, const char **folders, size_t most)
{
    size_t n = 0;
    for (char *at = list; *at != '\0';) {
        char *end = strchr(at, system_list_separator);
        char *next = end != NULL ? end + 1 : at + strlen(at);
        if (end != NULL)
            *end = '\0';
        if (*at != '\0' && n < most)
            folders[n] = at;
        n += *at != '\0';
        at = next;
    }
    return n;
}

/* --- commands --------------------------------------------------------------------------------- */

bool command_takes(const struct command *command, enum option_id id)
{
    return id == OPTION_HELP || command->takes[id] != 0;
}

const struct command *command_by_name(const struct command *const commands[], const char *name)
{
    for (int i = 0; commands[i] != NULL; i++)
        if (strcmp(commands[i]->name, name) == 0)
            return commands[i];
    return NULL;
}

/* --- errors ----------------------------------------------------------------------------------- */

int complain(const struct options *options, const char *format, ...)
{
    va_list arguments;
    char title[32];
    snprintf(title, sizeof title, "einspul %s", options->command->name);
    va_start(arguments, format);
    message_list(title, format, arguments);
    va_end(arguments);
    return EXIT_WRONG;
}

int complain_of(const struct options *options, const einspul_error *error)
{
    complain(options, "%s", error->text);
    return error->status >= EINSPUL_IO ? EXIT_FAILED : EXIT_WRONG;
}
