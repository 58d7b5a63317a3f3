/* Clocks, quantiles and tables of figures. */
#include "bench/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double clock_seconds(clockid_t clock)
{
    struct timespec time;
    clock_gettime(clock, &time);
    return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

double seconds_wall(void)
{
    return clock_seconds(CLOCK_MONOTONIC);
}

double seconds_thread(void)
{
    return clock_seconds(CLOCK_THREAD_CPUTIME_ID);
}

double seconds_process(void)
{
    return clock_seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static int compare_reals(const void *a, const void *b)
{
    const double x = *(const double *)a;
    const double y = *(const double *)b;
    return (x > y) - (x < y);
}

double quantile(double *values, size_t n, double part)
{
    if (n == 0)
        return NAN;
    qsort(values, n, sizeof *values, compare_reals);
    const double place = part * (double)(n - 1);
    const size_t below = (size_t)place;
    const size_t above = below + 1 < n ? below + 1 : below;
    return values[below] + (place - (double)below) * (values[above] - values[below]);
}

/* --- rows ------------------------------------------------------------------------------------- */

static char *rows_next(struct rows *rows, const char *name, bool is_text)
{
    if (rows->n_columns == ROWS_COLUMNS)
        give_up_text("too many columns");
    rows->name[rows->n_columns] = name;
    rows->is_text[rows->n_columns] = is_text;
    return rows->text[rows->n_columns++];
}

void rows_text(struct rows *rows, const char *name, const char *text)
{
    snprintf(rows_next(rows, name, true), ROWS_TEXT, "%s", text);
}

void rows_count(struct rows *rows, const char *name, uint64_t count)
{
    snprintf(rows_next(rows, name, false), ROWS_TEXT, "%llu", (unsigned long long)count);
}

void rows_real(struct rows *rows, const char *name, double value, int decimals)
{
    char *text = rows_next(rows, name, false);
    if (isfinite(value))
        snprintf(text, ROWS_TEXT, "%.*f", decimals, value);
    else
        snprintf(text, ROWS_TEXT, "%s", rows->json ? "null" : "-");
}

static int column_width(const struct rows *rows, int column)
{
    const int n = (int)strlen(rows->name[column]);
    const int least = rows->is_text[column] ? 8 : 9;
    return n > least ? n : least;
}

static void print_cells(const struct rows *rows, bool names)
{
    for (int i = 0; i < rows->n_columns; i++) {
        const int width = column_width(rows, i);
        const char *text = names ? rows->name[i] : rows->text[i];
        printf("%s%*s", i > 0 ? "  " : "", rows->is_text[i] ? -width : width, text);
    }
    putchar('\n');
}

void rows_end(struct rows *rows)
{
    if (rows->json) {
        printf("{\"table\":\"%s\"", rows->title);
        for (int i = 0; i < rows->n_columns; i++) {
            const char *quote = rows->is_text[i] ? "\"" : "";
            printf(",\"%s\":%s%s%s", rows->name[i], quote, rows->text[i], quote);
        }
        puts("}");
    } else {
        if (rows->n_rows == 0) {
            printf("\n%s\n", rows->title);
            print_cells(rows, true);
        }
        print_cells(rows, false);
    }
    fflush(stdout);
    rows->n_rows++;
    rows->n_columns = 0;
}

/* --- giving up -------------------------------------------------------------------------------- */

void give_up(const einspul_error *error)
{
    give_up_text(error->text);
}

void give_up_text(const char *text)
{
    fflush(stdout);
    fprintf(stderr, "%s\n", text);
    exit(2);
}
