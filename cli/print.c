#include "cli/print.h"

#include <time.h>

/* JSON allows no control characters in a text. */
static void print_json_text(const char *text)
{
    putchar('"');
    for (; *text != '\0'; text++) {
        const unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            printf("\\%c", c);
        else if (c < 0x20)
            printf("\\u%04x", c);
        else
            putchar(c);
    }
    putchar('"');
}

static void cell(struct row *row, const char *name)
{
    if (row->json)
        printf("%s\"%s\": ", row->n_cells == 0 ? "{" : ", ", name);
    else if (row->n_cells > 0)
        putchar('\t');
    row->n_cells++;
}

void row_begin(struct row *row, bool json)
{
    row->json = json;
    row->n_cells = 0;
}

void row_text(struct row *row, const char *name, const char *text)
{
    cell(row, name);
    if (!row->json)
        fputs(text != NULL ? text : "-", stdout);
    else if (text != NULL)
        print_json_text(text);
    else
        fputs("null", stdout);
}

void row_count(struct row *row, const char *name, uint64_t count)
{
    cell(row, name);
    printf("%llu", (unsigned long long)count);
}

void row_plies(struct row *row, const char *name, int plies)
{
    if (plies < 0)
        row_text(row, name, NULL);
    else
        row_count(row, name, (uint64_t)plies);
}

void row_real(struct row *row, const char *name, double value)
{
    cell(row, name);
    printf("%.3f", value);
}

void row_error(struct row *row, const char *text)
{
    cell(row, "error");
    if (row->json)
        print_json_text(text);
    else
        printf("error: %s", text);
}

void row_end(struct row *row)
{
    puts(row->json ? "}" : "");
}

void row_header(bool json, const char *names)
{
    if (!json)
        puts(names);
}

const char *outcome_text(enum outcome outcome)
{
    return outcome == OUTCOME_WIN ? "win" : outcome == OUTCOME_DRAW ? "draw" : "loss";
}

void bytes_text(uint64_t n_bytes, char *text)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    double value = (double)n_bytes;
    int unit = 0;
    for (; value >= 1024.0 && unit < 5; unit++)
        value /= 1024.0;
    snprintf(text, 32, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
}

void seconds_text(double seconds, char *text)
{
    const unsigned long whole = seconds > 0.0 ? (unsigned long)(seconds + 0.5) : 0;
    if (whole < 60)
        snprintf(text, 32, "%lu s", whole);
    else if (whole < 3600)
        snprintf(text, 32, "%lu min %lu s", whole / 60, whole % 60);
    else
        snprintf(text, 32, "%lu h %lu min", whole / 3600, whole % 3600 / 60);
}

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
