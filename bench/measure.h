/* Shared by the benchmarks: clocks, quantiles, tables of figures. */
#ifndef EINSPUL_BENCH_MEASURE_H
#define EINSPUL_BENCH_MEASURE_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

double seconds_wall(void);    /* wall time */
double seconds_thread(void);  /* processor time of this thread */
double seconds_process(void); /* processor time of the process */

/* Sorts `n` values and returns the quantile `part` (0.5: the median). */
double quantile(double *values, size_t n, double part);

/* --- rows ------------------------------------------------------------------------------------- */

enum { ROWS_COLUMNS = 16, ROWS_TEXT = 32 };

/* A table on standard output: a title, a line of names and one line per row; or with `json` one
 * JSON object per row, with the title as "table". All rows have the same columns in the same
 * order. */
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

/* NAN, a figure that could not be measured, is printed as `-` or null. */
void rows_real(struct rows *rows, const char *name, double value, int decimals);
void rows_end(struct rows *rows);

/* --- giving up -------------------------------------------------------------------------------- */

/* Ends the program with status 2 and the error's text on standard error. */
_Noreturn void give_up(const einspul_error *error);
_Noreturn void give_up_text(const char *text);

/* Gives up unless the status is EINSPUL_OK. */
static inline void check_status(einspul_status status, const einspul_error *error)
{
    if (status != EINSPUL_OK)
        give_up(error);
}

#endif
