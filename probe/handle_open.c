/* Opening and closing handles: the options are checked, and the files of tables found
 * (probe/catalogue.c). Tables are opened later, when they are needed (probe/handle.c). */
#include "probe/handle.h"

#include <stdlib.h>
#include <string.h>

static const size_t default_cache_bytes = (size_t)256 << 20;

enum { ANSWERS_PART = 16 }; /* of the cache's memory, one in so many bytes is for answers */

/* A program built with an older header has a smaller struct; only its fields are set. */
void einspul_options_init_sized(einspul_options *options, size_t size)
{
    const einspul_options defaults = {
        .size = size,
        .rules = "frisian",
        .cache_bytes = default_cache_bytes,
        .io = EINSPUL_IO_READ,
    };
    if (options == NULL)
        return;
    memset(options, 0, size);
    memcpy(options, &defaults, size < sizeof defaults ? size : sizeof defaults);
}

static einspul_status check_folders(const einspul_options *options, einspul_error *error)
{
    if (options->folders == NULL || options->n_folders == 0)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "no folder is given");
    for (size_t i = 0; i < options->n_folders; i++)
        if (options->folders[i] == NULL)
            return error_set(error, EINSPUL_BAD_ARGUMENT, "folder %zu is NULL", i);
    return EINSPUL_OK;
}

static einspul_status check_callbacks(const einspul_callbacks *callbacks, einspul_error *error)
{
    if (callbacks == NULL || callbacks->open == NULL || callbacks->size == NULL ||
        callbacks->read_at == NULL || callbacks->close == NULL)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "a function to read files is missing");
    return EINSPUL_OK;
}

static einspul_status check_options(const einspul_options *options, einspul_error *error)
{
    if (options == NULL)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "no options are given");
    if (options->size == 0)
        return error_set(error, EINSPUL_BAD_ARGUMENT,
                         "the options were not set up by einspul_options_init");
    if (options->rules == NULL)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "no rule set is given");
    switch (options->io) {
    case EINSPUL_IO_MAP:
    case EINSPUL_IO_READ:
        return check_folders(options, error);
    case EINSPUL_IO_CALLBACKS:
        return options->n_folders > 0 && check_folders(options, error) != EINSPUL_OK
                   ? EINSPUL_BAD_ARGUMENT
                   : check_callbacks(options->callbacks, error);
    }
    return error_set(error, EINSPUL_BAD_ARGUMENT, "unknown way to read files: %d",
                     (int)options->io);
}

/* The way to read files, in the types of the table layer. */
static struct file_io io_of(const einspul_options *options)
{
    const einspul_callbacks *callbacks = options->callbacks;
    if (options->io == EINSPUL_IO_MAP)
        return file_io_map;
    if (options->io == EINSPUL_IO_READ)
        return file_io_read;
    return (struct file_io){
        .how = FILE_CALLBACKS,
        .callbacks = {.open = callbacks->open,
                      .size = callbacks->size,
                      .read_at = callbacks->read_at,
                      .close = callbacks->close,
                      .user = callbacks->user},
    };
}

einspul_status einspul_open(const einspul_options *given, einspul **result, einspul_error *error)
{
    einspul_error own = {EINSPUL_OK, ""};
    einspul_options all = {0};
    const einspul_options *options = given == NULL ? NULL : &all;
    if (given != NULL)
        memcpy(&all, given, given->size < sizeof all ? given->size : sizeof all);
    einspul_status status = check_options(options, &own);

    if (result == NULL)
        status = error_set(&own, EINSPUL_BAD_ARGUMENT, "no place for the handle is given");
    else
        *result = NULL;
    if (status != EINSPUL_OK)
        return public_error(status, &own, error);
    einspul *handle = calloc(1, sizeof *handle);
    if (handle == NULL || os_mutex_init(&handle->open_lock) != 0) {
        free(handle);
        status = error_set(&own, EINSPUL_NO_MEMORY, "no memory for a handle");
        return public_error(status, &own, error);
    }
    handle->io = io_of(options);
    status = rules_by_name(&handle->rules, options->rules, &own);
    if (status == EINSPUL_OK)
        status = handle_find_sources(handle, options, &own);
    if (status == EINSPUL_OK) {
        handle->answers = handle->rules.quiet_limit > 0
                              ? NULL
                              : answers_create(options->cache_bytes / ANSWERS_PART);
        handle->cache = cache_create(options->cache_bytes - answers_bytes(handle->answers));
        if (handle->cache == NULL)
            status = error_set(&own, EINSPUL_NO_MEMORY, "no memory for the cache");
    }
    if (status == EINSPUL_OK)
        *result = handle;
    else
        einspul_close(handle);
    return public_error(status, &own, error);
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
