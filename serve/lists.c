/* Reads the folder entry by entry. An entry is opened before it is asked what it is, and opening
 * does not wait: a FIFO or a device in the folder is passed over. */
#include "serve/lists.h"

#include "core/array.h"
#include "core/os.h"

#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LISTS = 1000, PATH_SIZE = 4096 };

static const char suffix[] = ".tsv";

/* The length of a list's name; 0 for an entry that is none. */
static size_t name_length(const char *entry)
{
    const size_t n = strlen(entry);
    const size_t n_suffix = strlen(suffix);
    return entry[0] != '.' && n > n_suffix && strcmp(entry + n - n_suffix, suffix) == 0
               ? n - n_suffix
               : 0;
}

static bool is_utf8(const char *text, size_t n_bytes)
{
    json_t *json = json_stringn(text, n_bytes);
    json_decref(json);
    return json != NULL;
}

static einspul_status no_memory(const char *path, einspul_error *error)
{
    return error_set(error, EINSPUL_NO_MEMORY, "%s: no memory to read it", path_text(path));
}

/* Reads an open regular file. */
static einspul_status read_text(int file, uint64_t n_bytes, const char *path, struct list *list,
                                einspul_error *error)
{
    list->text = malloc((size_t)n_bytes + 1);
    if (list->text == NULL)
        return no_memory(path, error);
    const int64_t n = os_read_at(file, list->text, (size_t)n_bytes, 0);
    if (n < 0)
        return error_set(error, status_of_errno(errno), "%s: %s", path_text(path), strerror(errno));
    list->n_bytes = (size_t)n;
    list->text[n] = '\0';
    for (const char *at = n > 0 ? list->text : NULL; at != NULL; list->n_lines++)
        at = list_line_after(list, at);
    return EINSPUL_OK;
}

/* Reads a file; `list->text` stays NULL where it is no regular one. */
static einspul_status read_list(const char *path, uint64_t *n_left, struct list *list,
                                einspul_error *error)
{
    struct os_info info;
    const int file = os_open(path, 0);
    if (file < 0 && errno != EISDIR && errno != ENXIO && errno != ENOENT)
        return error_set(error, status_of_errno(errno), "%s: %s", path_text(path), strerror(errno));
    if (file < 0)
        return EINSPUL_OK;
    einspul_status status = EINSPUL_OK;
    if (os_info_of(file, &info) == 0 && info.kind == OS_REGULAR) {
        if (info.n_bytes > *n_left)
            status = error_set(error, EINSPUL_NO_MEMORY, "%s: the lists take too much memory",
                               path_text(path));
        else
            status = read_text(file, info.n_bytes, path, list, error);
        *n_left -= list->n_bytes;
    }
    os_close(file);
    return status;
}

static void free_list(struct list *list)
{
    free(list->name);
    free(list->text);
}

/* Adds the list of an entry, if it is one. */
static einspul_status add_list(const char *folder, const char *entry, uint64_t *n_left,
                               struct lists *lists, size_t *room, einspul_error *error)
{
    char path[PATH_SIZE];
    struct list list = {.name = NULL};
    const size_t n_name = name_length(entry);
    if (n_name == 0 || !is_utf8(entry, n_name) ||
        snprintf(path, sizeof path, "%s/%s", folder, entry) >= PATH_SIZE)
        return EINSPUL_OK;
    einspul_status status = read_list(path, n_left, &list, error);
    if (status == EINSPUL_OK && list.text != NULL) {
        struct list *all = array_room(lists->list, lists->n, room, 16, sizeof list);
        lists->list = all != NULL ? all : lists->list;
        list.name = malloc(n_name + 1);
        if (all == NULL || list.name == NULL || lists->n == MOST_LISTS) {
            status = no_memory(path, error);
        } else {
            memcpy(list.name, entry, n_name);
            list.name[n_name] = '\0';
            lists->list[lists->n++] = list;
            return EINSPUL_OK;
        }
    }
    free_list(&list);
    return status;
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
    size_t room = 0;
    const char *entry = NULL;
    *lists = (struct lists){NULL, 0};
    if (snprintf(path, sizeof path, "%s/%s", folder, rules) >= PATH_SIZE)
        return EINSPUL_OK;
    struct os_folder *entries = os_folder_open(path);
    if (entries == NULL)
        return EINSPUL_OK;
    while (status == EINSPUL_OK && (entry = os_folder_next(entries)) != NULL)
        status = add_list(path, entry, n_left, lists, &room, error);
    os_folder_close(entries);
    if (lists->n > 1)
        qsort(lists->list, lists->n, sizeof *lists->list, compare);
    return status;
}

void lists_free(struct lists *lists)
{
    for (size_t i = 0; i < lists->n; i++)
        free_list(&lists->list[i]);
    free(lists->list);
    *lists = (struct lists){NULL, 0};
}

const struct list *lists_find(const struct lists *lists, const char *name)
{
    for (size_t i = 0; i < lists->n; i++)
        if (strcmp(lists->list[i].name, name) == 0)
            return &lists->list[i];
    return NULL;
}

const char *list_line_after(const struct list *list, const char *line)
{
    const char *end = list->text + list->n_bytes;
    const char *feed = memchr(line, '\n', (size_t)(end - line));
    return feed == NULL || feed + 1 == end ? NULL : feed + 1;
}
