/* Finds the known name nearest to a mistyped one. */
#ifndef EINSPUL_CLI_SUGGEST_H
#define EINSPUL_CLI_SUGGEST_H

struct suggestion {
    const char *text; /* what was typed */
    const char *best; /* NULL: no name is near */
    int distance;     /* of the best */
};

/* Begin with the text alone, then offer every known name once; `best` is the result. */
void suggestion_offer(struct suggestion *suggestion, const char *name);

#endif
