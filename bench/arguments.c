/* Reads the options of the benchmarks from a table of rows. */
#include "bench/arguments.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/measure.h"

static uint64_t read_number(const struct argument *argument, const char *text)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long number = strtoull(text, &end, 10);
    if (*text < '0' || *text > '9' || *end != '\0' || errno != 0 || number < argument->least ||
        number > argument->most) {
        fprintf(stderr, "%s %s: a number from %llu to %llu is wanted\n", argument->name, text,
                (unsigned long long)argument->least, (unsigned long long)argument->most);
        exit(2);
    }
    return number;
}

static void read_text(const struct argument *argument, const char *text)
{
    einspul_error error;
    switch (argument->kind) {
    case ARGUMENT_FLAG:
        *(bool *)argument->to = true;
        break;
    case ARGUMENT_INT:
        *(int *)argument->to = (int)read_number(argument, text);
        break;
    case ARGUMENT_COUNT:
        *(uint64_t *)argument->to = read_number(argument, text);
        break;
    case ARGUMENT_TEXT:
        *(const char **)argument->to = text;
        break;
    case ARGUMENT_RULES:
        check_status(rules_by_name(argument->to, text, &error), &error);
        break;
    case ARGUMENT_OTHER:
        argument->read(argument->to, text);
        break;
    }
}

bool arguments_read(int argc, char **argv, const char *help, const struct argument *known,
                    size_t n_known)
{
    for (int at = 1; at < argc; at++) {
        const char *name = argv[at];
        size_t i = 0;
        if (strcmp(name, "--help") == 0) {
            fputs(help, stdout);
            return false;
        }
        while (i < n_known && strcmp(known[i].name, name) != 0)
            i++;
        if (i == n_known || (known[i].kind != ARGUMENT_FLAG && at + 1 == argc)) {
            fprintf(stderr, "%s: %s\n", name,
                    i == n_known ? "unknown option; --help lists them" : "a value is missing");
            exit(2);
        }
        read_text(&known[i], known[i].kind == ARGUMENT_FLAG ? NULL : argv[++at]);
    }
    return true;
}
