/* Prepared lists in memory: the files FOLDER/RULES/NAME.tsv, read once when the server starts, so
 * that no request waits for a file. */
#ifndef EINSPUL_SERVE_LISTS_H
#define EINSPUL_SERVE_LISTS_H

#include "core/status.h"

#include <stdint.h>

struct list {
    char *name;
    const char *text; /* of the file; its lines end with a line feed, the last with the text */
    size_t n_bytes;
    size_t n_lines;
};

struct lists {
    struct list *list; /* by name */
    size_t n;
};

/* Reads the lists of a rule set; a folder that is not there has none. What is no regular file, or has
 * a name that is not UTF-8, is no list. `*n_left` bytes may be read in all, and are counted down:
 * more is an error that names the file, as are those of reading it. */
einspul_status lists_read(const char *folder, const char *rules, uint64_t *n_left,
                          struct lists *lists, einspul_error *error);
void lists_free(struct lists *lists);

/* The list of a name, or NULL. */
const struct list *lists_find(const struct lists *lists, const char *name);

/* The line after one, or the first one after NULL; NULL: there is none. */
const char *list_line_after(const struct list *list, const char *line);

#endif
