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

einspul_status handle_create(const char *rules, size_t cache_bytes,
                             const einspul_callbacks *callbacks, einspul **handle,
                             einspul_error *error)
{
    const size_t part = cache_bytes / ANSWERS_PART;
    if (callbacks != NULL && (callbacks->open == NULL || callbacks->size == NULL ||
                              callbacks->read_at == NULL || callbacks->close == NULL))
        return error_set(error, EINSPUL_BAD_ARGUMENT, "a function to read files is missing");
    einspul *created = calloc(1, sizeof *created);
    if (created == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "no memory for a handle");
    os_mutex_init(&created->open_lock);
    if (callbacks != NULL) {
        created->functions = *callbacks;
        created->callbacks = &created->functions;
    }
    einspul_status status =
        rules_by_name(&created->rules, rules == NULL ? rules_names()[0] : rules, error);
    if (status == EINSPUL_OK) {
        created->answers = answers_create(part < LEAST_ANSWERS ? LEAST_ANSWERS : part);
        created->cache = cache_create(cache_bytes - part);
        if (created->answers == NULL || created->cache == NULL)
            status = error_set(error, EINSPUL_NO_MEMORY, "no memory for a cache of %zu MiB",
                               cache_bytes >> 20);
    }
    if (status != EINSPUL_OK) {
        einspul_close(created);
        return status;
    }
    handle_list_sources(created);
    *handle = created;
    return EINSPUL_OK;
}

einspul_status handle_finish(einspul *opened, einspul_status status, const char *where,
                             einspul **handle, einspul_error *error)
{
    if (status == EINSPUL_OK && opened->n_found == 0)
        status = error_set(error, EINSPUL_NO_FOLDER, "no tables of the rule set '%s'%s%s",
                           opened->rules.name, where != NULL ? " in " : "",
                           where != NULL ? path_text(where) : "");
    if (status != EINSPUL_OK)
        einspul_close(opened);
    *handle = status == EINSPUL_OK ? opened : NULL;
    return status;
}

/* Looks into the parts of a list of paths, in which it puts zero bytes; empty ones are nothing.
 * Paths of the system's are made absolute. `*n` is their number. */
static einspul_status look_in_list(einspul *handle, char *list, size_t *n, einspul_error *error)
{
    const char separator[] = {(char)OS_LIST_SEPARATOR, '\0'};
    einspul_status status = EINSPUL_OK;
    for (char *next = list; *list != '\0' && status == EINSPUL_OK; list = next) {
        const size_t length = strcspn(list, separator);
        next = list + length + (list[length] != '\0');
        list[length] = '\0';
        if (length == 0)
            continue;
        char *path = handle->callbacks == NULL ? os_absolute(list) : strdup(list);
        status = path != NULL ? handle_look_in(handle, path, error)
                              : error_set(error, status_of_errno(errno), "%s: %s", path_text(list),
                                          strerror(errno));
        free(path);
        ++*n;
    }
    return status;
}

einspul_status einspul_open(const char *tables, const char *rules, size_t cache_bytes,
                            const einspul_callbacks *callbacks, einspul **handle,
                            einspul_error *error)
{
    einspul *opened = NULL;
    char *list = NULL;
    size_t n_paths = 0;

    if (handle == NULL)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "no place for the handle is given");
    *handle = NULL;
    einspul_status status = handle_create(rules, cache_bytes, callbacks, &opened, error);
    if (status != EINSPUL_OK)
        return status;
    errno = 0;
    if (tables != NULL)
        list = strdup(tables);
    else if (callbacks == NULL)
        list = os_variable("EINSPUL_TABLES");
    if (list != NULL)
        status = look_in_list(opened, list, &n_paths, error);
    else if (errno != 0)
        status = error_set(error, status_of_errno(errno), "the paths of the tables: %s",
                           strerror(errno));
    if (status == EINSPUL_OK && n_paths == 0)
        status =
            callbacks != NULL
                ? handle_look_in(opened, NULL, error)
                : error_set(error, EINSPUL_NO_FOLDER,
                            tables == NULL ? "neither a path of tables nor EINSPUL_TABLES is given"
                                           : "no path of tables is given");
    status = handle_finish(opened, status, list, handle, error);
    free(list);
    return status;
}

void einspul_close(einspul *handle)
{
    if (handle == NULL)
        return;
    cache_destroy(handle->cache);
    answers_free(handle->answers);
    for (int i = 0; i < 2 * handle->n_materials; i++) {
        struct source *source = &handle->sources[i / 2][i % 2];
        opened_free(atomic_load(&source->opened));
        free(source->path);
    }
    while (handle->packs != NULL) {
        struct pack *pack = handle->packs;
        handle->packs = pack->next;
        pack_close(pack);
    }
    os_mutex_destroy(&handle->open_lock);
    free(handle);
}
