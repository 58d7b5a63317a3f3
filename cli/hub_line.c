/* Splits lines of the Hub protocol. A word is a name, or a name, an equals sign and a value; a value
 * with spaces stands in double quotes, and nothing in it is escaped. */
#include "cli/hub_line.h"

#include <stddef.h>
#include <string.h>

static const char blanks[] = " \t\r";

/* Ends the word at `at` and returns what follows it. */
static char *end_word(char *at)
{
    if (*at != '\0')
        *at++ = '\0';
    return at;
}

/* Takes `="some text"` or `=text` at `at`; NULL when a quote is not closed. */
static char *take_value(char *at, const char **value)
{
    char *start = at + 1;
    const bool quoted = *start == '"';
    start += quoted;
    char *end = start + strcspn(start, quoted ? "\"" : blanks);
    if (quoted && *end == '\0')
        return NULL;
    *at = '\0';
    *value = start;
    return end_word(end);
}

bool hub_split(char *text, struct hub_line *line)
{
    char *at = text + strspn(text, blanks);
    line->n_arguments = 0;
    line->command = at;
    at = end_word(at + strcspn(at, blanks));
    for (at += strspn(at, blanks); *at != '\0'; at += strspn(at, blanks)) {
        if (line->n_arguments == HUB_MOST_ARGUMENTS)
            return false;
        struct hub_argument *argument = &line->arguments[line->n_arguments++];
        argument->name = at;
        argument->value = "";
        at += strcspn(at, " \t\r=");
        if (*at == '=')
            at = take_value(at, &argument->value);
        else
            at = end_word(at);
        if (at == NULL)
            return false;
    }
    return true;
}

const char *hub_value(const struct hub_line *line, const char *name)
{
    for (int i = 0; i < line->n_arguments; i++)
        if (strcmp(line->arguments[i].name, name) == 0)
            return line->arguments[i].value;
    return NULL;
}
