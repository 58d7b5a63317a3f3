/* hub_line.h. */
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

void hub_line_split(char *text, struct hub_line *line)
{
    char *at = text + strspn(text, blanks);
    line->command = at;
    at = end_word(at + strcspn(at, blanks));
    line->arguments = at;
    while (*at != '\0') {
        at += strspn(at, blanks);
        at += strcspn(at, " \t\r=");
        if (at[0] == '=' && at[1] == '"')
            at = end_word(at + 2 + strcspn(at + 2, "\""));
        else
            at = end_word(at + strcspn(at, blanks));
    }
    line->end = at;
}

const char *hub_line_value(const struct hub_line *line, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = line->arguments; at < line->end; at += strlen(at) + 1) {
        at += strspn(at, blanks);
        if (strncmp(at, name, n) != 0 || (at[n] != '=' && at[n] != '\0'))
            continue;
        const char *value = at + n + (at[n] == '=');
        return value + (*value == '"');
    }
    return NULL;
}

bool hub_line_is(const char *text, const char *command)
{
    const size_t n = strlen(command);
    text += strspn(text, blanks);
    return strcspn(text, blanks) == n && strncmp(text, command, n) == 0;
}
