/* The options of the measuring programs, each as a table of rows. */
#ifndef EINSPUL_BENCH_ARGUMENTS_H
#define EINSPUL_BENCH_ARGUMENTS_H

#include "core/rules.h"

/* How the text after an option is read, and what `to` points to. */
enum argument_kind {
    ARGUMENT_FLAG,  /* no text; bool */
    ARGUMENT_INT,   /* from `least` to `most`; int */
    ARGUMENT_COUNT, /* from `least` to `most`; uint64_t */
    ARGUMENT_TEXT,  /* const char * */
    ARGUMENT_RULES, /* a rule set's name; struct rules */
    ARGUMENT_OTHER  /* `read` puts it there, or gives up */
};

struct argument {
    const char *name; /* "--pieces" */
    enum argument_kind kind;
    void *to;
    uint64_t least, most;
    void (*read)(void *to, const char *text);
};

/* Reads a call's options; `--help` prints `help`. False when the program is done after that. Ends
 * the program with a message and status 2 when an option or its text is not right. */
bool arguments_read(int argc, char **argv, const char *help, const struct argument *known,
                    size_t n_known);

#endif
