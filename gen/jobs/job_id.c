/* Reading goes piece by piece; that a name is the one job_name gives is checked by writing it
 * again, so that a job has one name only and its files are found by it. */
#include "gen/jobs/job_id.h"

#include <stdio.h>
#include <string.h>

struct job_name job_name(const struct job *job)
{
    struct job_name name = {""};
    char *at = name.text;
    for (int i = 0; i < job->n_materials; i++) {
        if (i > 0)
            *at++ = '+';
        material_write(&job->materials[i], at);
        at += strlen(at);
    }
    const size_t left = JOB_ID_SIZE - (size_t)(at - name.text);
    if (job->kind == JOB_TABLE)
        snprintf(at, left, ".table");
    else if (job->kind == JOB_SLICE && job->first_level < job->last_level)
        snprintf(at, left, ".l%d-%d", job->first_level, job->last_level);
    else if (job->kind == JOB_SLICE && job->n_parts > 1)
        snprintf(at, left, ".l%d.p%dof%d", job->first_level, job->part, job->n_parts);
    else if (job->kind == JOB_SLICE)
        snprintf(at, left, ".l%d", job->first_level);
    return name;
}

/* The materials at the beginning of a name; false when they are none, or too many. */
static bool read_materials(const char *id, size_t length, struct job *job)
{
    const char *const end = id + length;
    while (id <= end) {
        char name[MATERIAL_NAME_SIZE] = "";
        const char *next = memchr(id, '+', (size_t)(end - id));
        const size_t n = (size_t)((next == NULL ? end : next) - id);
        if (n >= sizeof name || job->n_materials == JOB_MATERIALS)
            return false;
        memcpy(name, id, n);
        if (material_read(name, &job->materials[job->n_materials], NULL) != EINSPUL_OK)
            return false;
        job->n_materials++;
        id += n + 1;
    }
    return true;
}

static bool read_number(const char **text, int most, int *number)
{
    const char *const from = *text;
    *number = 0;
    for (; **text >= '0' && **text <= '9' && *number <= most; ++*text)
        *number = 10 * *number + (**text - '0');
    return *text > from && *number <= most;
}

/* Takes a text away; false when it is not there. */
static bool take(const char **at, const char *text)
{
    const size_t n = strlen(text);
    if (strncmp(*at, text, n) != 0)
        return false;
    *at += n;
    return true;
}

/* What follows the material of a slice. */
static bool read_slice(const char *at, struct job *job)
{
    if (!take(&at, ".l") || !read_number(&at, JOB_MOST_LEVELS - 1, &job->first_level))
        return false;
    job->last_level = job->first_level;
    job->part = 1;
    job->n_parts = 1;
    if (take(&at, "-")) {
        if (!read_number(&at, JOB_MOST_LEVELS - 1, &job->last_level))
            return false;
    } else if (take(&at, ".p")) {
        if (!read_number(&at, JOB_MOST_PARTS, &job->part) || !take(&at, "of") ||
            !read_number(&at, JOB_MOST_PARTS, &job->n_parts))
            return false;
    }
    return *at == '\0' && job->part >= 1 && job->part <= job->n_parts;
}

bool job_has(const struct job *job, const struct material *material)
{
    for (int i = 0; i < job->n_materials; i++)
        if (material_equal(&job->materials[i], material))
            return true;
    return false;
}

/* Canonical materials, each once, in the order in which they can be made. */
static bool in_order(const struct job *job)
{
    struct material list[MAX_MATERIALS];
    const int n = material_list(2, MAX_PIECES, list);
    int i = 0;
    for (int j = 0; j < job->n_materials; j++, i++) {
        while (i < n && !material_equal(&list[i], &job->materials[j]))
            i++;
        if (i == n)
            return false;
    }
    return true;
}

einspul_status job_read(const char *id, struct job *job, einspul_error *error)
{
    const size_t n = strcspn(id, ".");
    memset(job, 0, sizeof *job);
    bool is_job = read_materials(id, n, job) && in_order(job);
    if (is_job && strcmp(id + n, ".table") == 0) {
        job->kind = JOB_TABLE;
    } else if (is_job && id[n] != '\0') {
        job->kind = JOB_SLICE;
        is_job = read_slice(id + n, job);
    }
    if (is_job && (job->kind == JOB_WHOLE || job->n_materials == 1) &&
        strcmp(id, job_name(job).text) == 0)
        return EINSPUL_OK;
    return error_set(error, EINSPUL_BAD_ARGUMENT,
                     "job '%.200s': expected a name that einspul plan prints, as KvK+MvK, "
                     "KKMvKKM.l3.p2of8, KKMvKKM.l0-3 or KKMvKKM.table",
                     id);
}
