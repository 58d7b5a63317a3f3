/* Reads the folder entry by entry; a FIFO or a device in it is passed over, and never opened. */
#include "serve/lists.h"

#include "core/os_write.h"
#include "table/read_file.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
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

/* Adds the list of an entry, if it is one. */
static einspul_status add_list(const char *folder, const char *entry, uint64_t *n_left,
                               struct lists *lists, einspul_error *error)
{
    char path[PATH_SIZE];
    struct os_info info;
    struct file *file = NULL;
    uint8_t *bytes = NULL;
    const size_t n_name = name_length(entry);
    if (n_name == 0 || !is_utf8(entry, n_name) ||
        snprintf(path, sizeof path, "%s/%s", folder, entry) >= PATH_SIZE ||
        os_info_at(path, &info) != 0 || info.kind != OS_REGULAR)
        return EINSPUL_OK;
    einspul_status status = file_open(path, NULL, &file, error);
    if (status == EINSPUL_OK && (file_size(file) > *n_left || lists->n == MOST_LISTS))
        status = error_set(error, EINSPUL_NO_MEMORY, "%s: the lists take too much memory",
                           path_text(path));
    if (status == EINSPUL_OK)
        status = file_read(file, 0, file_size(file), &bytes, error);
    char *name = status == EINSPUL_OK ? strndup(entry, n_name) : NULL;
    if (status == EINSPUL_OK && name == NULL)
        status = file_no_memory(path, error);
    if (status == EINSPUL_OK) {
        struct list *list = &lists->list[lists->n++];
        *list = (struct list){name, (const char *)bytes, (size_t)file_size(file), 0};
        for (const char *at = list_line_after(list, NULL); at != NULL; list->n_lines++)
            at = list_line_after(list, at);
        *n_left -= list->n_bytes;
    } else {
        free(bytes);
    }
    file_close(file);
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
    const char *entry = NULL;
    *lists = (struct lists){NULL, 0};
    if (snprintf(path, sizeof path, "%s/%s", folder, rules) >= PATH_SIZE)
        return EINSPUL_OK;
    struct os_folder *entries = os_folder_open(path);
    if (entries == NULL)
        return EINSPUL_OK;
    lists->list = calloc(MOST_LISTS, sizeof *lists->list);
    if (lists->list == NULL)
        status = file_no_memory(path, error);
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
        free((void *)lists->list[i].text);
    }
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
    const char *next = list->text;
    if (line != NULL) {
        const char *feed = memchr(line, '\n', (size_t)(end - line));
        next = feed != NULL ? feed + 1 : end;
    }
    return next != end ? next : NULL;
}
