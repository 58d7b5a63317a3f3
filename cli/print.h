/* Printing rows: cells between tabs, or with --json an object a line. */
#ifndef EINSPUL_CLI_PRINT_H
#define EINSPUL_CLI_PRINT_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/value.h"

struct row {
    bool json;
    int n_cells;
};

/* A row is begun, filled cell by cell, and ended. */
void row_begin(struct row *row, bool json);
void row_text(struct row *row, const char *name, const char *text); /* NULL: `-`, or null */
void row_count(struct row *row, const char *name, uint64_t count);
void row_plies(struct row *row, const char *name, int plies); /* negative: `-`, or null */
void row_real(struct row *row, const char *name, double value);
void row_error(struct row *row, const char *text); /* `error: text` */
void row_end(struct row *row);

/* A line of column names, unless JSON is printed. */
void row_header(bool json, const char *names);

const char *outcome_text(enum outcome outcome);

/* "12.3 MiB", "3 min 20 s" for people; `text` has at least 32 bytes. */
void bytes_text(uint64_t n_bytes, char *text);
void seconds_text(double seconds, char *text);

/* Seconds on a clock that only goes forward. */
double seconds_now(void);

#endif
