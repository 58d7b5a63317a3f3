/* The known name that a mistyped one is nearest to. */
#ifndef EINSPUL_CLI_SUGGEST_H
#define EINSPUL_CLI_SUGGEST_H

struct suggestion {
    const char *text; /* what was typed */
    const char *best; /* NULL: no name is near */
    int distance;     /* of the best */
};

/* Begun with the text, then every known name is offered once; `best` is then the answer. */
void suggestion_begin(struct suggestion *suggestion, const char *text);
void suggestion_offer(struct suggestion *suggestion, const char *name);

#endif
