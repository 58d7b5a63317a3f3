/* What the benchmarks share: clocks, medians, rows of figures. */
#ifndef EINSPUL_BENCH_MEASURE_H
#define EINSPUL_BENCH_MEASURE_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Seconds of wall time, of this thread on a processor, of the whole process on processors. */
double seconds_wall(void);
double seconds_thread(void);
double seconds_process(void);

/* The value at fraction `part` (0..1) of `n` values in order; sorts them. Half: the median. */
double at_fraction(double *values, size_t n, double part);

/* --- rows ------------------------------------------------------------------------------------- */

enum { ROWS_COLUMNS = 16, ROWS_TEXT = 32 };

/* A table on standard output: a title, a line of names and a line a row; or with `json` a JSON
 * object a row, with the title as "table". Every row has the same columns in the same order. */
struct rows {
    const char *title; /* one word */
    bool json;
    int n_rows;
    int n_columns; /* of the row being filled */
    const char *name[ROWS_COLUMNS];
    char text[ROWS_COLUMNS][ROWS_TEXT];
    bool is_text[ROWS_COLUMNS];
};

void rows_text(struct rows *rows, const char *name, const char *text);
void rows_count(struct rows *rows, const char *name, uint64_t count);

/* A figure that could not be measured, NAN, is `-` or null. */
void rows_real(struct rows *rows, const char *name, double value, int decimals);
void rows_end(struct rows *rows);

/* --- giving up -------------------------------------------------------------------------------- */

/* Ends the program with status 2 and the error's text on standard error. */
_Noreturn void give_up(const einspul_error *error);
_Noreturn void give_up_text(const char *text);

/* Goes on only with EINSPUL_OK. */
static inline void must(einspul_status status, const einspul_error *error)
{
    if (status != EINSPUL_OK)
        give_up(error);
}

#endif
