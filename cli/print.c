/* Rows as tab-separated cells or as JSON, and the handling of write errors on standard output. */
#include "cli/print.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "core/os.h"
#include "core/program/os_write.h"
#include "study/notation.h"
#include "study/utf8.h"

/* --- escaping --------------------------------------------------------------------------------- */

/* False for characters that affect other positions: controls, line breaks, bidirectional marks. */
static bool passes(int32_t character)
{
    return character >= 0x20 && !(character >= 0x7f && character < 0xa0) && character != 0x061c &&
           character != 0x200e && character != 0x200f &&
           !(character >= 0x2028 && character <= 0x202e) &&
           !(character >= 0x2066 && character <= 0x2069) && character != 0xfeff;
}

static void escape_bytes(FILE *stream, const char *at, size_t n_bytes)
{
    for (size_t i = 0; i < n_bytes; i++) {
        const unsigned char byte = (unsigned char)at[i];
        if (byte == '\t' || byte == '\n' || byte == '\r')
            fprintf(stream, "\\%c", byte == '\t' ? 't' : byte == '\n' ? 'n' : 'r');
        else
            fprintf(stream, "\\x%02x", byte);
    }
}

void escape_text(FILE *stream, const char *text, size_t n_bytes)
{
    const char *at = text;
    for (size_t n; n_bytes > 0; at += n, n_bytes -= n) {
        const int32_t character = utf8_decode(at, n_bytes, &n);
        if (character == '\\')
            fputs("\\\\", stream);
        else if (passes(character))
            fwrite(at, 1, n, stream);
        else
            escape_bytes(stream, at, n);
    }
}

/* --- output ----------------------------------------------------------------------------------- */

static int output_error; /* errno of the first write that failed; 0: none has */

/* The row that is being filled. */
static bool as_json;
static int n_cells;
static json_t *object; /* with JSON; NULL also without memory */

/* Remembers why, before another call changes errno. */
static void note_failure(void)
{
    if (ferror(stdout) && output_error == 0)
        output_error = errno != 0 ? errno : EIO;
}

bool output_ok(void)
{
    note_failure();
    return output_error == 0;
}

void output_flush(void)
{
    if (fflush(stdout) != 0)
        note_failure();
}

bool output_close(void)
{
    output_flush();
    if (fclose(stdout) != 0 && output_error == 0)
        output_error = errno != 0 ? errno : EIO;
    if (output_error == 0 || output_error == EPIPE) /* a reader such as `head` has all it needs */
        return true;
    message("einspul", "cannot write to standard output: %s", strerror(output_error));
    return false;
}

void message_va(const char *title, const char *format, va_list arguments)
{
    char text[4096];
    vsnprintf(text, sizeof text, format, arguments);
    fprintf(stderr, "%s: ", title);
    escape_text(stderr, text, strlen(text));
    fputc('\n', stderr);
}

void message(const char *title, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    message_va(title, format, arguments);
    va_end(arguments);
}

void rows_as_json(bool json)
{
    as_json = json;
}

/* --- rows in columns -------------------------------------------------------------------------- */

enum {
    MAX_CELLS = 16,
    MAX_CELL = 1024,
    TEXT_WIDTH = 8,
    FEN_WIDTH = 28,
    PLIES_WIDTH = 5,
    COUNT_WIDTH = 11
};

/* A row is kept until its end, because the header above the first needs to know which columns have
 * numbers: these are flush right. */
static bool aligned;
static const char *pending_header;
static struct {
    char text[MAX_CELL];
    int width; /* negative: flush left */
} cells[MAX_CELLS];

void rows_aligned(void)
{
    aligned = true;
}

static int cell_width(const char *name, int min)
{
    const int length = (int)strlen(name);
    return length > min ? length : min;
}

/* Keeps a cell if rows are aligned; otherwise false. */
static bool keep_cell(const char *text, int width)
{
    if (!aligned)
        return false;
    if (n_cells < MAX_CELLS) {
        snprintf(cells[n_cells].text, MAX_CELL, "%s", text);
        cells[n_cells++].width = width;
    }
    return true;
}

static void print_aligned(const char *text, int n_bytes, int column)
{
    const int width = cells[column].width;
    if (column > 0)
        fputs("  ", stdout);
    printf("%*.*s", width < 0 && column == n_cells - 1 ? 0 : width, n_bytes, text);
}

static void print_cells(void)
{
    const char *name = pending_header;
    for (int i = 0; name != NULL && i < n_cells; i++) {
        const size_t length = strcspn(name, "\t");
        print_aligned(name, (int)length, i);
        name += length + (name[length] != '\0');
    }
    if (pending_header != NULL)
        putchar('\n');
    pending_header = NULL;
    for (int i = 0; i < n_cells; i++)
        print_aligned(cells[i].text, MAX_CELL, i);
}

/* A number with commas between groups of three digits. */
static void write_grouped(uint64_t count, char text[32])
{
    char digits[24];
    const int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)count);
    char *to = text;
    for (int i = 0; i < n; i++) {
        if (i > 0 && (n - i) % 3 == 0)
            *to++ = ',';
        *to++ = digits[i];
    }
    *to = '\0';
}

/* --- cells ------------------------------------------------------------------------------------ */

/* Begins a cell; true if its text is to be printed. With JSON its value becomes a member of the
 * object instead; row_end reports a lack of memory for that. */
static bool begin_cell(const char *name, json_t *value)
{
    const bool is_first = n_cells++ == 0;
    if (!as_json) {
        if (!is_first)
            putchar('\t');
        return true;
    }
    if (is_first)
        object = json_object();
    if (json_object_set_new(object, name, value) != 0) {
        json_decref(object);
        object = NULL;
    }
    return false;
}

void row_bytes(const char *name, const char *text, size_t n_bytes)
{
    if (keep_cell(text, -cell_width(name, strcmp(name, "fen") == 0 ? FEN_WIDTH : TEXT_WIDTH)))
        return;
    size_t n_utf8 = n_bytes;
    char *utf8 = as_json ? utf8_valid(text, &n_utf8) : NULL;
    if (begin_cell(name, utf8 != NULL ? json_stringn(utf8, n_utf8) : NULL))
        escape_text(stdout, text, n_bytes);
    free(utf8);
}

void row_text(const char *name, const char *text)
{
    if (text != NULL)
        row_bytes(name, text, strlen(text));
    else if (!keep_cell("-",
                        -cell_width(name, strcmp(name, "fen") == 0 ? FEN_WIDTH : TEXT_WIDTH)) &&
             begin_cell(name, json_null()))
        putchar('-');
}

void row_count(const char *name, uint64_t count)
{
    char grouped[32];
    write_grouped(count, grouped);
    if (keep_cell(grouped, cell_width(name, COUNT_WIDTH)))
        return;
    if (begin_cell(name, as_json ? json_integer((json_int_t)count) : NULL))
        printf("%llu", (unsigned long long)count);
}

void row_plies(const char *name, int plies)
{
    char text[16] = "-";
    if (plies >= 0)
        snprintf(text, sizeof text, "%d", plies);
    if (keep_cell(text, cell_width(name, PLIES_WIDTH)))
        return;
    if (plies < 0)
        row_text(name, NULL);
    else
        row_count(name, (uint64_t)plies);
}

void row_hash(const char *name, uint64_t hash)
{
    char text[17];
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    row_text(name, text);
}

void row_bool(const char *name, bool value)
{
    if (begin_cell(name, json_boolean(value)))
        fputs(value ? "yes" : "no", stdout);
}

void row_real(const char *name, double value)
{
    char text[64];
    snprintf(text, sizeof text, "%.3f", value);
    if (!keep_cell(text, cell_width(name, TEXT_WIDTH)) &&
        begin_cell(name, as_json ? json_real(strtod(text, NULL)) : NULL))
        fputs(text, stdout);
}

void row_error(const char *text)
{
    if (as_json) {
        row_text("error", text);
    } else if (begin_cell(NULL, NULL)) {
        fputs("error: ", stdout);
        escape_text(stdout, text, strlen(text));
    }
}

void row_end(void)
{
    if (as_json) {
        char *text = json_dumps(object, JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15));
        json_decref(object);
        if (text != NULL)
            fputs(text, stdout);
        else if (output_error == 0)
            output_error = ENOMEM;
        free(text);
    }
    if (aligned)
        print_cells();
    n_cells = 0;
    putchar('\n');
    note_failure();
}

void row_header(const char *names)
{
    if (aligned)
        pending_header = names;
    else if (!as_json)
        puts(names);
}

struct short_text bytes_text(uint64_t n_bytes)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    struct short_text written;
    double value = (double)n_bytes;
    int unit = 0;
    for (; value >= 1024.0 && unit < 5; unit++)
        value /= 1024.0;
    snprintf(written.text, sizeof written.text, unit == 0 ? "%.0f %s" : "%.1f %s", value,
             units[unit]);
    return written;
}

struct short_text seconds_text(double seconds)
{
    const unsigned long whole = seconds > 0.0 ? (unsigned long)(seconds + 0.5) : 0;
    struct short_text written;
    if (whole < 60)
        snprintf(written.text, sizeof written.text, "%lu s", whole);
    else if (whole < 3600)
        snprintf(written.text, sizeof written.text, "%lu min %lu s", whole / 60, whole % 60);
    else
        snprintf(written.text, sizeof written.text, "%lu h %lu min", whole / 3600,
                 whole % 3600 / 60);
    return written;
}

double seconds_now(void)
{
    return 1e-9 * (double)os_now_ns();
}
