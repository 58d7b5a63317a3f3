/* A line of the Hub protocol: a command and its arguments, `pos pos=W… moves="32-28 19-23"`. */
#ifndef EINSPUL_CLI_HUB_LINE_H
#define EINSPUL_CLI_HUB_LINE_H

struct hub_line {
    const char *command;   /* "" in an empty line */
    const char *arguments; /* `name`, `name=value` or `name="value`, each ended by a zero byte */
    const char *end;       /* of the arguments */
};

/* Splits a text in place; the parts point into it. An unclosed quote ends with the line. */
void hub_split(char *text, struct hub_line *line);

/* The value of an argument, "" if it has none; NULL if it is not given. */
const char *hub_value(const struct hub_line *line, const char *name);

#endif
