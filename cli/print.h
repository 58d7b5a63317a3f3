/* Prints rows: cells separated by tabs, or with --json one object per line. */
#ifndef EINSPUL_CLI_PRINT_H
#define EINSPUL_CLI_PRINT_H

#include <jansson.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/compiler.h"
#include "core/value.h"

struct row {
    bool json;
    int n_cells;
    json_t *object; /* with --json; NULL also without memory */
};

/* A row is begun, filled cell by cell, and ended. Texts may contain anything; they are escaped. */
void row_begin(struct row *row, bool json);
void row_text(struct row *row, const char *name, const char *text); /* NULL: `-`, or null */
void row_bytes(struct row *row, const char *name, const char *text, size_t n_bytes);
void row_count(struct row *row, const char *name, uint64_t count);
void row_plies(struct row *row, const char *name, int plies);    /* negative: `-`, or null */
void row_hash(struct row *row, const char *name, uint64_t hash); /* 16 digits */
void row_bool(struct row *row, const char *name, bool value);    /* yes or no, true or false */
void row_real(struct row *row, const char *name, double value);
void row_error(struct row *row, const char *text); /* `error: text` */
void row_end(struct row *row);

/* A line of column names, unless JSON is printed. */
void row_header(bool json, const char *names);

/* False once a write to standard output has failed, as further work would be in vain. */
bool output_works(void);

/* Flushes standard output. */
void output_flush(void);

/* Closes standard output at the end of the program; false after a message if it could not be
 * written. */
bool output_close(void);

/* A line on standard error, `title: text`, escaped. */
PRINTF_LIKE(2, 3)
void message(const char *title, const char *format, ...);
PRINTF_LIKE(2, 0)
void message_list(const char *title, const char *format, va_list arguments);

const char *outcome_text(enum outcome outcome);

/* "einspul 1.2.3 (build 0123456789abcdef)". */
const char *program_version(void);

/* "12.3 MiB", "3 min 20 s" for people; `text` has at least 32 bytes. */
void bytes_text(uint64_t n_bytes, char *text);
void seconds_text(double seconds, char *text);

/* Seconds of a monotonic clock. */
double seconds_now(void);

#endif
