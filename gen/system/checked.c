/* The record is read as a whole and written as a whole, beside itself and then renamed: a reader
 * finds one that some process has written. Each line ends with its own checksum and stands by
 * itself, so lines of several processes, in whatever order the records got their name, are all
 * true; what one process entered and another did not know is checked again.
 *
 *   einspul checked 1
 *   KMvK.dtw <size> <modified> <changed> <identity> <checksum>
 *
 * Numbers are 16 hexadecimal digits. The inode is not in it: some network file systems make one up
 * each time. The time of the last change of attributes is: no call sets it, so it tells of a file
 * whose size and time of modification were put back. */
#include "gen/system/checked.h"

#include "core/material.h"
#include "gen/system/paths.h"
#include "table/output.h"
#include "table/table_format.h"

#include <stdio.h>
#include <stdlib.h>

enum {
    N_NUMBERS = 5, /* the checksum is the last */
    DIGITS = 16,
    NAME_SIZE = MATERIAL_NAME_SIZE + 4, /* with .wdl or .dtw: 16, see read_line */
    LINE_SIZE = NAME_SIZE + N_NUMBERS * (1 + DIGITS) + 2,
    MOST_LINES = 2 * MAX_MATERIALS,
    MOST_BYTES = 64 + MOST_LINES * LINE_SIZE
};

static const char title[] = "einspul checked 1\n";

struct checked_line {
    char name[NAME_SIZE];
    uint64_t identity;
    struct file_stamp stamp;
};

struct record {
    size_t n;
    struct checked_line lines[MOST_LINES];
};

/* --- a line ----------------------------------------------------------------------------------- */

static size_t write_line(const struct checked_line *line, char text[LINE_SIZE])
{
    const size_t n = (size_t)snprintf(
        text, LINE_SIZE, "%s %016llx %016llx %016llx %016llx", line->name,
        (unsigned long long)line->stamp.n_bytes, (unsigned long long)line->stamp.modified,
        (unsigned long long)line->stamp.changed, (unsigned long long)line->identity);
    return n + (size_t)snprintf(text + n, LINE_SIZE - n, " %016llx\n",
                                (unsigned long long)format_checksum(text, n));
}

/* Takes a line apart. Whatever it was, it counts only if it is what comes of writing that again, its
 * checksum included. */
static bool read_line(const char *text, size_t n, struct checked_line *line)
{
    unsigned long long numbers[4];
    char copy[LINE_SIZE];
    char again[LINE_SIZE];
    if (n >= sizeof copy)
        return false;
    memcpy(copy, text, n);
    copy[n] = '\0';
    if (sscanf(copy, "%15s %llx %llx %llx %llx", line->name, &numbers[0], &numbers[1], &numbers[2],
               &numbers[3]) != 5)
        return false;
    line->stamp = (struct file_stamp){numbers[0], numbers[1], numbers[2]};
    line->identity = numbers[3];
    return write_line(line, again) == n && memcmp(text, again, n) == 0;
}

/* --- a record --------------------------------------------------------------------------------- */

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

static struct checked_line *find(struct record *record, const char *name)
{
    for (size_t i = 0; i < record->n; i++)
        if (strcmp(record->lines[i].name, name) == 0)
            return &record->lines[i];
    return NULL;
}

static void read_lines(struct record *record, const char *text, size_t n)
{
    if (n < strlen(title) || memcmp(text, title, strlen(title)) != 0)
        return;
    for (size_t at = strlen(title); at < n && record->n < MOST_LINES;) {
        const char *end = memchr(text + at, '\n', n - at);
        if (end == NULL)
            return;
        const size_t length = (size_t)(end - (text + at)) + 1;
        record->n += read_line(text + at, length, &record->lines[record->n]);
        at += length;
    }
}

/* Reads what is on record beside a table, at `path`; what cannot be read is not there. NULL: no
 * memory, or the path is too long. */
static struct record *read_record(const char *table, char path[PATHS_SIZE])
{
    struct record *record =
        path_record(table, path, NULL) == EINSPUL_OK ? calloc(1, sizeof *record) : NULL;
    struct file *file = NULL;
    uint8_t *bytes = NULL;
    if (record == NULL || file_open(path, &file_io_read, &file, NULL) != EINSPUL_OK)
        return record;
    const uint64_t size = file_size(file);
    if (size <= MOST_BYTES && file_read(file, 0, (size_t)size, &bytes, NULL) == EINSPUL_OK)
        read_lines(record, (const char *)bytes, (size_t)size);
    free(bytes);
    file_close(file);
    return record;
}

/* A record that does not reach the disk is no harm, so nothing waits for it. */
static void write_record(const struct record *record, const char *path)
{
    struct output output = {.file = -1};
    char *text = malloc(MOST_BYTES);
    if (text == NULL)
        return;
    size_t n = (size_t)snprintf(text, MOST_BYTES, "%s", title);
    for (size_t i = 0; i < record->n; i++)
        n += write_line(&record->lines[i], text + n);
    if (output_create(&output, path, NULL) == EINSPUL_OK &&
        output_write(&output, 0, text, n, NULL) == EINSPUL_OK)
        (void)output_put(&output, NULL);
    output_abandon(&output);
    free(text);
}

bool checked_has(const char *path, uint64_t identity, const struct file_stamp *stamp)
{
    char at[PATHS_SIZE];
    struct record *record = read_record(path, at);
    const struct checked_line *line = record == NULL ? NULL : find(record, name_of(path));
    const bool has =
        line != NULL && line->identity == identity && file_stamp_equal(&line->stamp, stamp);
    free(record);
    return has;
}

void checked_note(const char *path, uint64_t identity, const struct file_stamp *stamp)
{
    const char *name = name_of(path);
    char at[PATHS_SIZE];
    struct record *record = strlen(name) < NAME_SIZE ? read_record(path, at) : NULL;
    struct checked_line *line = record == NULL ? NULL : find(record, name);
    if (line == NULL && record != NULL && record->n < MOST_LINES)
        line = &record->lines[record->n++];
    if (line != NULL) {
        strcpy(line->name, name);
        line->identity = identity;
        line->stamp = *stamp;
        write_record(record, at);
    }
    free(record);
}

void checked_forget(const char *path)
{
    char at[PATHS_SIZE];
    struct record *record = read_record(path, at);
    struct checked_line *line = record == NULL ? NULL : find(record, name_of(path));
    if (line != NULL) {
        *line = record->lines[--record->n];
        write_record(record, at);
    }
    free(record);
}
