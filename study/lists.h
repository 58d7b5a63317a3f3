/* Prepared lists of positions: the output of `einspul find` in files FOLDER/RULES/NAME.tsv. */
#ifndef EINSPUL_STUDY_LISTS_H
#define EINSPUL_STUDY_LISTS_H

#include "core/rules.h"

#include <stddef.h>
#include <stdint.h>

/* A prepared list, in memory. */
struct list {
    char *name;
    char *text; /* contents of the file; the last line may lack a line feed */
    size_t n_bytes, n_lines;
};

struct lists {
    size_t n, room;
    struct list *list; /* by name */
};

/* Reads the lists of a rule set; a missing folder means no lists. `*n_left` is the remaining byte
 * budget and is decreased; exceeding it, or a read error, gives an error that names the file. */
einspul_status lists_read(const char *folder, const char *rules, uint64_t *n_left,
                          struct lists *lists, einspul_error *error);
void lists_free(struct lists *lists);

/* The list of a name, or NULL. */
const struct list *lists_find(const struct lists *lists, const char *name);

/* Where the line after one begins, or the text ends. */
const char *list_next_line(const struct list *list, const char *line);

/* A line of a list. */
struct list_row {
    char text[512];                         /* its fields */
    const char *fen, *outcome, *instead_of; /* the last may be NULL */
    int plies;                              /* -1: none, or not known */
};

/* Reads a line; false if `einspul find` did not write it. */
bool list_row_read(struct list_row *row, const struct rules *rules, const char *line,
                   size_t n_bytes);

#endif
