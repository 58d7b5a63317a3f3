/* A line of the Hub protocol: a command and its arguments, `pos pos=W… moves="32-28 19-23"`. */
#ifndef EINSPUL_CLI_HUB_LINE_H
#define EINSPUL_CLI_HUB_LINE_H

#include <stdbool.h>

enum { HUB_MOST_ARGUMENTS = 32 };

struct hub_argument {
    const char *name;
    const char *value; /* "" where none is given */
};

struct hub_line {
    const char *command; /* "" in an empty line */
    int n_arguments;
    struct hub_argument arguments[HUB_MOST_ARGUMENTS];
};

/* Splits a text in place; the parts point into it. False when a quote is not closed or there are too
 * many arguments. */
bool hub_split(char *text, struct hub_line *line);

/* The value of an argument; NULL when it is not given. */
const char *hub_value(const struct hub_line *line, const char *name);

#endif
