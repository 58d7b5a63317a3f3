/* Going on where a stopped process left off in a folder that others share, without a lock that every
 * file system keeps. A process never writes to a file that another one may still have: it copies
 * what is sound of it to one of its own. So any two can be at work on the same material at once, at
 * the cost of their time. */
#include "gen/values/chunk_file_parts.h"

#include "core/os_write.h"
#include "gen/values/paths.h"
#include "table/write/output.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct adoption {
    struct chunk_file *file; /* this process's own */
    chunk_found *found;
    void *context;
    uint8_t *seen; /* by page */
    einspul_error *error;
};

static einspul_status take_over(void *context, uint64_t page, const struct chunk *chunk,
                                const uint32_t *count, struct chunk_record record)
{
    struct adoption *adoption = context;
    if (page >= 2 * adoption->file->form.n_pages_a_side || adoption->seen[page])
        return EINSPUL_OK;
    adoption->seen[page] = 1;
    const einspul_status status =
        chunk_file_put(adoption->file, chunk, page, count, &record, adoption->error);
    return status == EINSPUL_OK ? adoption->found(adoption->context, page, chunk, count, record)
                                : status;
}

enum { PART_NAME_SIZE = 512, MOST_NAMES = 16 };

/* Splits a stem in its folder, "." for the current one, and what its files are called. */
static const char *split(const char *stem, char folder[PATHS_SIZE])
{
    size_t n = strlen(stem);
    while (n > 0 && !os_is_separator(stem[n - 1]))
        n--;
    snprintf(folder, PATHS_SIZE, "%.*s", n == 0 ? 1 : (int)n, n == 0 ? "." : stem);
    return stem + n;
}

/* Calls a function for each file of a stem but `own`; errors end it. */
static einspul_status each_part(const char *stem, const char *own,
                                einspul_status visit(const char *path, void *context),
                                void *context)
{
    char folder[PATHS_SIZE];
    const char *name = split(stem, folder);
    struct os_folder *entries = os_folder_open(folder);
    const char *entry = NULL;
    einspul_status status = EINSPUL_OK;
    while (entries != NULL && status == EINSPUL_OK && (entry = os_folder_next(entries)) != NULL) {
        char path[PATHS_SIZE + PART_NAME_SIZE];
        if (!path_is_numbered_part(entry, name))
            continue;
        snprintf(path, sizeof path, "%.*s%s", (int)(name - stem), stem, entry);
        if (own == NULL || strcmp(path, own) != 0)
            status = visit(path, context);
    }
    if (entries != NULL)
        os_folder_close(entries);
    return status;
}

/* What cannot be opened, or is no file of this key, is passed over; it is not taken away either. */
static einspul_status adopt_one(const char *path, void *context)
{
    struct adoption *adoption = context;
    return chunk_file_look(path, adoption->file, take_over, adoption, adoption->error);
}

static einspul_status remove_one(const char *path, void *context)
{
    const int file = os_open(path, OS_WRITE | OS_NO_LINK);
    (void)context;
    if (file >= 0 && os_lock(file) == 0)
        os_remove(path);
    if (file >= 0)
        os_close(file);
    return EINSPUL_OK;
}

void chunk_file_remove_parts(const char *stem)
{
    (void)each_part(stem, NULL, remove_one, NULL);
}

/* A new file <stem>.<number>.part that begins with a key. */
static einspul_status create(const char *stem, const uint8_t key[CHUNK_FILE_KEY_SIZE],
                             const struct chunk_form *form, struct chunk_file **file,
                             einspul_error *error)
{
    uint8_t start[CHUNK_FILE_START];
    char path[PATHS_SIZE];
    einspul_status status = EINSPUL_OK;
    for (int i = 0; i < MOST_NAMES; i++) {
        chunk_file_close(*file, false);
        *file = NULL;
        status = path_numbered_part(stem, output_number(), path, error);
        if (status == EINSPUL_OK)
            status = chunk_file_new(path, form, file, error);
        if (status != EINSPUL_OK)
            return status;
        (*file)->file = output_open_own(path, 0);
        if ((*file)->file >= 0 || errno != EAGAIN)
            break;
    }
    if ((*file)->file < 0)
        return chunk_file_failed(*file, error);
    chunk_file_start(key, start);
    return chunk_file_write(*file, 0, start, sizeof start, error);
}

einspul_status chunk_file_adopt(const char *stem, const uint8_t key[CHUNK_FILE_KEY_SIZE],
                                const struct chunk_form *form, chunk_found *found, void *context,
                                struct chunk_file **result, einspul_error *error)
{
    struct adoption adoption = {.found = found, .context = context, .error = error};
    einspul_status status = create(stem, key, form, &adoption.file, error);
    *result = NULL;
    if (status == EINSPUL_OK) {
        adoption.seen = calloc(2 * (size_t)form->n_pages_a_side + 1, 1);
        if (adoption.seen == NULL)
            status = chunk_file_no_memory(adoption.file, error);
    }
    if (status == EINSPUL_OK)
        status = each_part(stem, adoption.file->path, adopt_one, &adoption);
    free(adoption.seen);
    if (status == EINSPUL_OK)
        *result = adoption.file;
    else
        chunk_file_close(adoption.file, adoption.file != NULL && adoption.file->file >= 0);
    return status;
}
