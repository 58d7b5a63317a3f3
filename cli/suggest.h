/* Finds the name that a mistyped one was meant to be. */
#ifndef EINSPUL_CLI_SUGGEST_H
#define EINSPUL_CLI_SUGGEST_H

#include <stddef.h>

enum { SUGGEST_SIZE = 64 };

/* The best match so far; all zero at the beginning. */
struct suggestion {
    const char *name; /* NULL: none is near enough */
    size_t distance;
};

/* Compares a mistyped name with one that exists, and keeps the nearer of this and earlier ones. */
void suggest(struct suggestion *best, const char *typed, const char *name);

/* The middle of a message on an unknown name: "; did you mean 'verify'? See", or "; see" without a
 * suggestion. `before` precedes the name: "--" of options. */
const char *suggestion_text(const struct suggestion *best, const char *before,
                            char text[SUGGEST_SIZE]);

#endif
