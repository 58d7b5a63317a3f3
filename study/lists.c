/* Reads prepared lists once, so that no request waits for a file; a FIFO or a device among them is
 * never opened. */
#include "study/lists.h"

#include "core/fen.h"
#include "core/program/array.h"
#include "core/program/os_write.h"
#include "core/program/text.h"
#include "table/read_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PATH_SIZE = 4096, MAX_LISTS = 1000, MAX_PLIES = 9999 };

const char *list_next_line(const struct list *list, const char *line)
{
    const char *end = list->text + list->n_bytes;
    const char *feed = memchr(line, '\n', (size_t)(end - line));
    return feed != NULL ? feed + 1 : end;
}

/* Adds the list of an entry of a folder, if it is one. */
static einspul_status add_list(const char *folder, const char *entry, uint64_t *n_left,
                               struct lists *lists, einspul_error *error)
{
    char path[PATH_SIZE];
    struct os_info info;
    struct file *file = NULL;
    uint8_t *bytes = NULL;
    const char *suffix = strrchr(entry, '.');
    if (entry[0] == '.' || suffix == NULL || strcmp(suffix, ".tsv") != 0 ||
        snprintf(path, sizeof path, "%s/%s", folder, entry) >= PATH_SIZE ||
        os_info_at(path, &info) != 0 || info.kind != OS_REGULAR)
        return EINSPUL_OK;
    einspul_status status = file_open(path, NULL, &file, error);
    if (status == EINSPUL_OK && (file->size > *n_left || lists->n == MAX_LISTS))
        status = error_set(error, EINSPUL_NO_MEMORY, "%s: the lists take too much memory",
                           path_tail(path));
    if (status == EINSPUL_OK)
        status = file_read(file, 0, file->size, &bytes, error);
    const size_t name_length = (size_t)(suffix - entry);
    struct list list = {.name = calloc(name_length + 1, 1),
                        .text = (char *)bytes,
                        .n_bytes = status == EINSPUL_OK ? (size_t)file->size : 0};
    struct list *more = array_reserve(lists->list, lists->n, &lists->room, 16, sizeof *more);
    if (list.name != NULL)
        memcpy(list.name, entry, name_length);
    if (status == EINSPUL_OK && (list.name == NULL || more == NULL))
        status = file_no_memory(path, error);
    file_close(file);
    lists->list = more != NULL ? more : lists->list;
    if (status != EINSPUL_OK) {
        free(list.name);
        free(list.text);
        return status;
    }
    for (const char *at = list.text; at < list.text + list.n_bytes; at = list_next_line(&list, at))
        list.n_lines++;
    *n_left -= list.n_bytes;
    lists->list[lists->n++] = list;
    return EINSPUL_OK;
}

static int compare(const void *first, const void *second)
{
    return strcmp(((const struct list *)first)->name, ((const struct list *)second)->name);
}

einspul_status lists_read(const char *folder, const char *rules, uint64_t *n_left,
                          struct lists *lists, einspul_error *error)
{
    char path[PATH_SIZE];
    einspul_status status = EINSPUL_OK;
    const char *entry = NULL;
    struct os_folder *entries = snprintf(path, sizeof path, "%s/%s", folder, rules) < PATH_SIZE
                                    ? os_folder_open(path)
                                    : NULL;
    if (entries == NULL)
        return EINSPUL_OK;
    while (status == EINSPUL_OK && (entry = os_folder_next(entries)) != NULL)
        status = add_list(path, entry, n_left, lists, error);
    os_folder_close(entries);
    if (lists->n > 1)
        qsort(lists->list, lists->n, sizeof *lists->list, compare);
    return status;
}

void lists_free(struct lists *lists)
{
    for (size_t i = 0; i < lists->n; i++) {
        free(lists->list[i].name);
        free(lists->list[i].text);
    }
    free(lists->list);
}

const struct list *lists_find(const struct lists *lists, const char *name)
{
    const struct list key = {.name = (char *)name};
    return lists->n > 0 ? bsearch(&key, lists->list, lists->n, sizeof key, compare) : NULL;
}

/* --- a line ----------------------------------------------------------------------------------- */

/* Splits off the next tab-separated field; NULL at the end of the line. */
static const char *next_field(char **at)
{
    char *field = *at;
    const size_t n = strcspn(field, "\t\r\n");
    *at = field + n + (field[n] != '\0');
    field[n] = '\0';
    return n > 0 ? field : NULL;
}

static bool is_outcome(const char *word)
{
    return word != NULL &&
           (strcmp(word, "win") == 0 || strcmp(word, "draw") == 0 || strcmp(word, "loss") == 0);
}

/* The plies of an outcome: odd for a win, even for a loss, `-` for a draw or where they are not
 * known. */
static bool read_plies(const char *field, char outcome, int *plies)
{
    uint64_t number = 0;
    const bool there = field != NULL && strcmp(field, "-") != 0;
    if (there && (outcome == 'd' || !text_read_number(field, 0, MAX_PLIES, &number) ||
                  (number % 2 != 0) != (outcome == 'w')))
        return false;
    *plies = there ? (int)number : -1;
    return field != NULL;
}

bool list_row_read(struct list_row *row, const struct rules *rules, const char *line,
                   size_t n_bytes)
{
    char *at = row->text;
    struct state state;
    if (n_bytes >= sizeof row->text || memchr(line, 0, n_bytes) != NULL)
        return false;
    memcpy(row->text, line, n_bytes);
    row->text[n_bytes] = '\0';
    row->fen = next_field(&at);
    row->outcome = next_field(&at);
    const char *plies = next_field(&at);
    row->instead_of = next_field(&at);
    return row->fen != NULL && is_outcome(row->outcome) &&
           read_plies(plies, row->outcome[0], &row->plies) &&
           (row->instead_of == NULL || is_outcome(row->instead_of)) &&
           fen_read(rules, row->fen, &state, NULL, NULL) == EINSPUL_OK;
}
