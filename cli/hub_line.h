/* Splits a line of the Hub protocol into a command and its arguments. */
#ifndef EINSPUL_CLI_HUB_LINE_H
#define EINSPUL_CLI_HUB_LINE_H

#include <stdbool.h>

/* A line of the protocol, `pos pos=W… moves="32-28 19-23"`: a command and its arguments. A word is a
 * name, or a name, an equals sign and a value; a value with spaces is in double quotes, and
 * nothing in it is escaped. The number of arguments has no limit, because unknown ones must be
 * ignored, not refused. */
struct hub_line {
    const char *command;   /* "" in an empty line */
    const char *arguments; /* `name`, `name=value` or `name="value`, each ended by a NUL */
    const char *end;       /* of the arguments */
};

/* Splits a text in place; the parts point into it. An unclosed quote ends with the line. */
void hub_line_split(char *text, struct hub_line *line);

/* The value of an argument, "" if it has none; NULL if it is not given. */
const char *hub_line_value(const struct hub_line *line, const char *name);

/* True if the command of a line that is not split yet is this one. */
bool hub_line_is(const char *text, const char *command);

#endif
