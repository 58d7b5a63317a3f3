/* Which jobs a plan cut a material into is not told to any of them: a job looks into the folder
 * of the material and takes each file whose name says that it has levels it needs. Pages
 * (levels.h) tell whether all of a level is there, however it was cut. */
#include "gen/jobs/slices.h"

#include "core/os_write.h"
#include "gen/material/material_solve.h"
#include "gen/run/generation.h"
#include "gen/system/build_id.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- names ------------------------------------------------------------------------------------ */

static einspul_status folder_path(const struct slices *slices, const char *root,
                                  char path[PATHS_SIZE], einspul_error *error)
{
    const struct places places = run_places(slices->options, root);
    return path_slices(&places, &slices->material, path, error);
}

static einspul_status failed(const char *path, einspul_error *error)
{
    const int reason = errno;
    return error_set(error, status_of_errno(reason), "%s: %s", path_text(path), strerror(reason));
}

einspul_status slices_path(const struct slices *slices, const char *root, const struct job *job,
                           char path[PATHS_SIZE], einspul_error *error)
{
    const struct places places = run_places(slices->options, root);
    return path_slice(&places, &slices->material, job_name(job).text, slices->metric, path, error);
}

/* A link to a folder is none: nobody expects that files are written, or removed, where it leads. */
static einspul_status check_folder(const char *path, einspul_error *error)
{
    struct os_info info;
    if (os_info_at_link(path, &info) != 0)
        return failed(path, error);
    if (info.kind != OS_FOLDER)
        return error_set(error, EINSPUL_IO, "%s: %s", path_text(path),
                         info.kind == OS_LINK ? "a symbolic link" : "not a folder");
    return EINSPUL_OK;
}

static einspul_status make_folder(const char *path, einspul_error *error)
{
    return os_make_folder(path) != 0 && errno != EEXIST ? failed(path, error)
                                                        : check_folder(path, error);
}

/* Calls for <root>/<rules>/.slices, then for the folder of the material in it. */
static einspul_status each_folder(char path[PATHS_SIZE],
                                  einspul_status call(const char *path, einspul_error *error),
                                  einspul_error *error)
{
    char *last = strrchr(path, '/');
    *last = '\0';
    const einspul_status status = call(path, error);
    *last = '/';
    return status == EINSPUL_OK ? call(path, error) : status;
}

einspul_status slices_make_folder(const struct slices *slices, einspul_error *error)
{
    char path[PATHS_SIZE];
    const einspul_status status = folder_path(slices, slices->options->root, path, error);
    return status == EINSPUL_OK ? each_folder(path, make_folder, error) : status;
}

/* The job whose slice an entry of the folder is; false when it is none. */
static bool read_name(const struct slices *slices, const char *entry, struct job *job)
{
    char id[JOB_ID_SIZE];
    const char *suffix = strrchr(entry, '.');
    if (suffix == NULL || strcmp(suffix + 1, metric_suffix(slices->metric)) != 0 ||
        (size_t)(suffix - entry) >= sizeof id)
        return false;
    memcpy(id, entry, (size_t)(suffix - entry));
    id[suffix - entry] = '\0';
    return job_read(id, job, NULL) == EINSPUL_OK && job->kind == JOB_SLICE &&
           material_equal(&job->materials[0], &slices->material);
}

/* --- what is there ---------------------------------------------------------------------------- */

/* What a file's records are entered into. */
struct attaching {
    struct solved *solved;
    const char *path;
    uint64_t first_page, end_page; /* that are wanted of one side; those of the other are n_pages
                                      further on */
    uint32_t source;               /* the file's number to be */
    bool is_used;
};

static einspul_status list_record(void *context, uint64_t page, struct chunk_record record,
                                  einspul_error *error)
{
    struct attaching *attaching = context;
    struct solved *solved = attaching->solved;
    if (page >= solved->pages->n)
        return error_set(error, EINSPUL_CORRUPT, "%s: a page that cannot be",
                         path_text(attaching->path));
    const uint64_t of_side = page % solved->levels.n_pages;
    /* Where another slice has it, the values are the same. */
    if (of_side < attaching->first_page || of_side >= attaching->end_page ||
        solved->pages->records[page].n_bytes > 0)
        return EINSPUL_OK;
    record.source = attaching->source;
    solved->pages->records[page] = record;
    attaching->is_used = true;
    return EINSPUL_OK;
}

static einspul_status attach_file(const struct slices *slices, const char *path,
                                  struct attaching *attaching, einspul_error *error)
{
    struct solved *solved = attaching->solved;
    uint8_t key[CHUNK_FILE_KEY_SIZE];
    struct chunk_file *file = NULL;
    uint64_t build;
    material_key(slices->options->rules, solved, slices->fingerprint, key);
    attaching->source = solved->pages->n_sources + 1;
    attaching->is_used = false;
    attaching->path = path;
    const einspul_status status = chunk_file_open_sealed(
        path, key, &solved->pages->form, list_record, attaching, &file, &build, error);
    if (status == EINSPUL_OK && attaching->is_used && build != build_id)
        generation_note(slices->options,
                        "%s: made by build %016" PRIx64 ", whose form is the same: used",
                        path_text(path), build);
    if (status != EINSPUL_OK)
        return status;
    if (!attaching->is_used) {
        chunk_file_close(file, false);
        return EINSPUL_OK;
    }
    if (pages_add_source(solved->pages, file) == EINSPUL_OK)
        return EINSPUL_OK;
    chunk_file_close(file, false);
    return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a list of files");
}

/* The pages of one side of tasks of a level. */
static void wanted_pages(const struct levels *levels, int first, int last,
                         struct attaching *attaching)
{
    attaching->first_page = levels_task_page(levels, first, 0);
    attaching->end_page =
        levels_task_page(levels, last, 0) + levels_tasks(levels, last) * levels->slices;
}

static einspul_status attach_folder(const struct slices *slices, const char *root, int first,
                                    int last, struct attaching *attaching, einspul_error *error)
{
    char folder[PATHS_SIZE];
    einspul_status status = folder_path(slices, root, folder, error);
    struct os_folder *entries = status == EINSPUL_OK ? os_folder_open(folder) : NULL;
    const char *entry = NULL;
    if (status == EINSPUL_OK && entries == NULL && errno != ENOENT)
        return failed(folder, error);
    while (entries != NULL && status == EINSPUL_OK && (entry = os_folder_next(entries)) != NULL) {
        char path[PATHS_SIZE + JOB_ID_SIZE + 8];
        struct job job;
        if (!read_name(slices, entry, &job) || job.first_level > last || job.last_level < first)
            continue;
        snprintf(path, sizeof path, "%s/%s", folder, entry);
        status = attach_file(slices, path, attaching, error);
        if (status == EINSPUL_WRONG_VERSION)
            generation_note(slices->options,
                            "%s: of another form, or made from other tables: not used",
                            path_text(path));
        if (status == EINSPUL_WRONG_VERSION || status == EINSPUL_NO_TABLE)
            status = EINSPUL_OK; /* not one of these, or removed meanwhile */
    }
    if (entries != NULL && status == EINSPUL_OK && errno != 0)
        status = failed(folder, error);
    if (entries != NULL)
        os_folder_close(entries);
    return status;
}

/* Tasks of a range that a record of is missing. */
static uint64_t count_missing(const struct solved *solved, int level, struct task_range range)
{
    const struct levels *levels = &solved->levels;
    uint64_t n_missing = 0;
    for (uint64_t task = range.first; task < range.end; task++) {
        const uint64_t page = levels_task_page(levels, level, task);
        bool missing = false;
        for (uint64_t i = page; i < page + levels->slices; i++)
            for (int side = 0; side < levels->n_sides; side++)
                missing =
                    missing || !pages_have(solved->pages, (uint64_t)side * levels->n_pages + i);
        n_missing += missing;
    }
    return n_missing;
}

einspul_status slices_attach(const struct slices *slices, struct solved *solved, int first,
                             int last, einspul_error *error)
{
    const struct generate_options *options = slices->options;
    struct attaching attaching = {.solved = solved};
    wanted_pages(&solved->levels, first, last, &attaching);
    for (int root = 0; root <= options->n_more; root++) {
        const einspul_status status =
            attach_folder(slices, root == 0 ? options->root : options->more[root - 1], first, last,
                          &attaching, error);
        if (status != EINSPUL_OK)
            return status;
    }
    for (int level = first; level <= last; level++) {
        const uint64_t n_tasks = levels_tasks(&solved->levels, level);
        const uint64_t n_missing = count_missing(solved, level, (struct task_range){0, n_tasks});
        if (n_missing > 0)
            return error_set(
                error, EINSPUL_NO_TABLE,
                "slices of level %d of %s are needed and not there: %llu of %llu parts "
                "are missing",
                level, material_name(&slices->material).text, (unsigned long long)n_missing,
                (unsigned long long)n_tasks);
    }
    return EINSPUL_OK;
}

bool slices_are_whole(const struct solved *solved, const struct job *job)
{
    uint64_t n_missing = 0;
    for (int level = job->first_level; level <= job->last_level; level++)
        n_missing += count_missing(
            solved, level,
            tasks_part(levels_tasks(&solved->levels, level), job->part, job->n_parts));
    return n_missing == 0;
}

einspul_status slices_have(const struct slices *slices, const struct job *job, bool *have,
                           einspul_error *error)
{
    const struct generate_options *options = slices->options;
    struct solved *solved = NULL;
    *have = false;
    if (solved_create(options->rules, &slices->material, slices->metric, 1, LEVELS_TO_SOLVE, NULL,
                      &solved) != EINSPUL_OK)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a list of pages");
    einspul_status status = EINSPUL_OK;
    if (job->last_level >= solved->levels.n_levels)
        status = error_set(error, EINSPUL_BAD_ARGUMENT, "level %d: there are levels 0 to %d",
                           job->last_level, solved->levels.n_levels - 1);
    for (int root = 0; root <= options->n_more && status == EINSPUL_OK && !*have; root++) {
        struct attaching attaching = {.solved = solved};
        char path[PATHS_SIZE];
        wanted_pages(&solved->levels, job->first_level, job->last_level, &attaching);
        status = slices_path(slices, root == 0 ? options->root : options->more[root - 1], job, path,
                             error);
        if (status != EINSPUL_OK)
            break;
        const einspul_status one = attach_file(slices, path, &attaching, error);
        if (one == EINSPUL_IO || one == EINSPUL_NO_MEMORY)
            status = one;
        *have = one == EINSPUL_OK && slices_are_whole(solved, job);
    }
    solved_destroy(solved);
    return status;
}

/* --- removing --------------------------------------------------------------------------------- */

/* Of a job that is at work its file is locked, as far as locks tell. */
static bool is_left_over(const char *folder, const char *entry, einspul_metric metric)
{
    char path[PATHS_SIZE + JOB_ID_SIZE + 64];
    if (!path_is_unfinished(entry, metric))
        return false;
    const int n = snprintf(path, sizeof path, "%s/%s", folder, entry);
    const int file = n > 0 && (size_t)n < sizeof path ? os_open(path, OS_WRITE | OS_NO_LINK) : -1;
    const bool is_over = file >= 0 && os_lock(file) == 0;
    if (file >= 0)
        os_close(file);
    return is_over;
}

void slices_remove(const struct slices *slices)
{
    char path[PATHS_SIZE];
    const char *entry = NULL;
    if (folder_path(slices, slices->options->root, path, NULL) != EINSPUL_OK ||
        each_folder(path, check_folder, NULL) != EINSPUL_OK)
        return;
    struct os_folder *entries = os_folder_open(path);
    while (entries != NULL && (entry = os_folder_next(entries)) != NULL) {
        struct job job;
        if (read_name(slices, entry, &job) || is_left_over(path, entry, slices->metric))
            (void)os_folder_remove(entries, entry);
    }
    if (entries != NULL)
        os_folder_close(entries);
    (void)os_remove_folder(path); /* where slices of the other metric are, it stays */
    *strrchr(path, '/') = '\0';
    (void)os_remove_folder(path);
}
