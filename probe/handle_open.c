/* Opening and closing handles: the list of paths is taken apart and made absolute, and the files of
 * tables are found (probe/catalogue.c). Tables are opened later, when they are needed
 * (probe/handle.c). */
#include "probe/handle.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Of the cache's memory one byte in so many is for answers; without any, a long probe would look up
 * the same values again and again. */
enum { ANSWERS_PART = 16, LEAST_ANSWERS = 512 << 10 };

static einspul_status check_callbacks(const einspul_callbacks *callbacks, einspul_error *error)
{
    if (callbacks != NULL && (callbacks->open == NULL || callbacks->size == NULL ||
                              callbacks->read_at == NULL || callbacks->close == NULL))
        return error_set(error, EINSPUL_BAD_ARGUMENT, "a function to read files is missing");
    return EINSPUL_OK;
}

einspul_status probe_open(const char *const *folders, size_t n_folders, const char *rules,
                          size_t cache_bytes, const einspul_callbacks *callbacks, einspul **result,
                          einspul_error *error)
{
    einspul_status status = check_callbacks(callbacks, error);
    *result = NULL;
    if (status != EINSPUL_OK)
        return status;
    einspul *handle = calloc(1, sizeof *handle);
    if (handle == NULL || os_mutex_init(&handle->open_lock) != 0) {
        free(handle);
        return error_set(error, EINSPUL_NO_MEMORY, "no memory for a handle");
    }
    if (callbacks != NULL) {
        handle->functions = *callbacks;
        handle->callbacks = &handle->functions;
    }
    status = rules_by_name(&handle->rules, rules == NULL ? rules_names()[0] : rules, error);
    if (status == EINSPUL_OK)
        status = handle_find_sources(handle, folders, n_folders, error);
    if (status == EINSPUL_OK) {
        const size_t part = cache_bytes / ANSWERS_PART;
        handle->answers = answers_create(part < LEAST_ANSWERS ? LEAST_ANSWERS : part);
        handle->cache = cache_create(cache_bytes - part);
        if (handle->answers == NULL || handle->cache == NULL)
            status = error_set(error, EINSPUL_NO_MEMORY, "no memory for a cache of %zu MiB",
                               cache_bytes >> 20);
    }
    if (status == EINSPUL_OK)
        *result = handle;
    else
        einspul_close(handle);
    return status;
}

/* --- lists of paths --------------------------------------------------------------------------- */

struct path_list {
    char **paths;
    size_t n;
};

static void path_list_free(struct path_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->paths[i]);
    free(list->paths);
}

/* Takes a text apart, in which it puts zero bytes; empty parts are nothing. Absolute if they are
 * paths of the system's. */
static einspul_status path_list_read(struct path_list *list, char *text, bool absolute,
                                     einspul_error *error)
{
    const char separator[] = {(char)OS_LIST_SEPARATOR, '\0'};
    list->n = 0;
    list->paths = calloc(strlen(text) + 1, sizeof *list->paths);
    if (list->paths == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "no memory for a list of paths");
    while (*text != '\0') {
        const size_t length = strcspn(text, separator);
        char *next = text + length + (text[length] != '\0');
        text[length] = '\0';
        if (length > 0) {
            char *path = absolute ? os_absolute(text) : strdup(text);
            if (path == NULL)
                return error_set(error, status_of_errno(errno), "%s: %s", path_text(text),
                                 strerror(errno));
            list->paths[list->n++] = path;
        }
        text = next;
    }
    return EINSPUL_OK;
}

einspul_status einspul_open(const char *tables, const char *rules, size_t cache_bytes,
                            const einspul_callbacks *callbacks, einspul **handle,
                            einspul_error *error)
{
    struct path_list list = {NULL, 0};
    char *text = NULL;
    einspul_status status = EINSPUL_OK;

    if (handle == NULL)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "no place for the handle is given");
    *handle = NULL;
    errno = 0;
    if (tables != NULL)
        text = strdup(tables);
    else if (callbacks == NULL)
        text = os_variable("EINSPUL_TABLES");
    if (text != NULL)
        status = path_list_read(&list, text, callbacks == NULL, error);
    else if (errno != 0)
        status = error_set(error, status_of_errno(errno), "the paths of the tables: %s",
                           strerror(errno));
    if (status == EINSPUL_OK && list.n == 0 && callbacks == NULL)
        status = error_set(error, EINSPUL_NO_FOLDER,
                           tables == NULL ? "neither a path of tables nor EINSPUL_TABLES is given"
                                          : "no path of tables is given");
    if (status == EINSPUL_OK)
        status = probe_open((const char *const *)list.paths, list.n, rules, cache_bytes, callbacks,
                            handle, error);
    path_list_free(&list);
    free(text);
    return status;
}

void einspul_close(einspul *handle)
{
    if (handle == NULL)
        return;
    cache_destroy(handle->cache);
    answers_free(handle->answers);
    for (int i = 0; i < handle->n_materials; i++) {
        for (int metric = 0; metric < 2; metric++) {
            opened_free(atomic_load(&handle->sources[i][metric].opened));
            free(atomic_load(&handle->sources[i][metric].failure));
            free(handle->sources[i][metric].path);
        }
    }
    for (size_t i = 0; i < handle->n_packs; i++)
        pack_close(handle->packs[i]);
    free(handle->packs);
    os_mutex_destroy(&handle->open_lock);
    free(handle);
}
