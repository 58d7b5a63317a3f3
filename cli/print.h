/* Prints rows: cells separated by tabs, or with --json one object per line. */
#ifndef EINSPUL_CLI_PRINT_H
#define EINSPUL_CLI_PRINT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/compiler.h"
#include "core/value.h"

/* Prints untrusted text, which may have any byte: it must not break rows or columns, nor emit
 * terminal control sequences. Valid UTF-8 is kept, except control characters (U+0080..U+009F too,
 * which some terminals obey), line separators and bidirectional marks; these and other bytes become
 * `\\`, `\t`, `\n`, `\r` or `\x1b`. */
void escape_text(FILE *stream, const char *text, size_t n_bytes);

/* Selects JSON output; call before the first row. */
void rows_as_json(bool json);

/* Adds a cell to the row, which is then printed by row_end. Texts may contain anything; they are
 * escaped. */
void row_text(const char *name, const char *text); /* NULL: `-`, or null */
void row_bytes(const char *name, const char *text, size_t n_bytes);
void row_count(const char *name, uint64_t count);
void row_plies(const char *name, int plies);    /* negative: `-`, or null */
void row_hash(const char *name, uint64_t hash); /* 16 digits */
void row_bool(const char *name, bool value);    /* yes or no, true or false */
void row_real(const char *name, double value);
void row_error(const char *text); /* `error: text` */
void row_end(void);

/* Lines up the rows that follow, and their header, in columns for a terminal, with commas in counts.
 * Their texts must be the program's own, because they are not escaped. */
void rows_aligned(void);

/* A line of column names, unless JSON is printed. */
void row_header(const char *names);

/* False once a write to standard output has failed; callers should then stop. */
bool output_ok(void);

/* Flushes standard output. */
void output_flush(void);

/* Closes standard output at the end of the program; false after a message if it could not be
 * written. A pipe closed by its reader is not an error. */
bool output_close(void);

/* A line on standard error, `title: text`, escaped. */
PRINTF_LIKE(2, 3)
void message(const char *title, const char *format, ...);
PRINTF_LIKE(2, 0)
void message_va(const char *title, const char *format, va_list arguments);

/* "12.3 MiB", "3 min 20 s" for people, returned by value for use within one expression:
 * bytes_text(n_bytes).text. */
struct short_text {
    char text[32];
};
struct short_text bytes_text(uint64_t n_bytes);
struct short_text seconds_text(double seconds);

/* Seconds of a monotonic clock. */
double seconds_now(void);

#endif
