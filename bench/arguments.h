/* The options of a benchmark, as a table of rows. */
#ifndef EINSPUL_BENCH_ARGUMENTS_H
#define EINSPUL_BENCH_ARGUMENTS_H

#include "core/rules.h"

/* How the text after an option is read, and the type that `to` points to. */
enum argument_kind {
    ARGUMENT_FLAG,  /* no text; bool */
    ARGUMENT_INT,   /* from `least` to `most`; int */
    ARGUMENT_COUNT, /* from `least` to `most`; uint64_t */
    ARGUMENT_TEXT,  /* const char * */
    ARGUMENT_RULES, /* a rule set's name; struct rules */
    ARGUMENT_OTHER  /* parsed by `read`, which exits on bad input */
};

struct argument {
    const char *name; /* "--pieces" */
    enum argument_kind kind;
    void *to;
    uint64_t least, most;
    void (*read)(void *to, const char *text);
};

/* Reads the options of a call; `--help` prints `help`, after which it returns false. Exits with a
 * message and status 2 if an option or its text is wrong. */
bool arguments_read(int argc, char **argv, const char *help, const struct argument *known,
                    size_t n_known);

#endif
