/* What is done, jobs say themselves. What is being done is told by temporary files, whose names
 * begin with a dot, that somebody wrote to not long ago. Their age is taken against the newest time
 * known, this machine's or a file's, so that a node whose clock is ahead does not look as if it had
 * stopped; one whose clock is behind by more than FRESH_SECONDS does. */
#include "gen/jobs/job_status.h"

#include "core/os_write.h"
#include "gen/jobs/job.h"

#include <stdlib.h>
#include <string.h>

/* Whether a file stands for a material being made: `.<name>.…`. */
static bool is_of(const char *file, const char *name)
{
    const size_t n = strlen(name);
    return file[0] == '.' && strncmp(file + 1, name, n) == 0 && file[n + 1] == '.';
}

/* The newest time, in nanoseconds since 1970, of a folder's hidden files of a material; 0 for
 * none. */
static uint64_t newest_of(const char *folder, const char *name)
{
    struct os_folder *listing = os_folder_open(folder);
    uint64_t newest = 0;
    if (listing == NULL)
        return 0;
    for (const char *entry; (entry = os_folder_next(listing)) != NULL;) {
        struct os_info info;
        if (is_of(entry, name) && os_folder_info(listing, entry, &info) == 0 &&
            info.kind == OS_REGULAR && info.modified > newest)
            newest = info.modified;
    }
    os_folder_close(listing);
    return newest;
}

static uint64_t newest_file(const struct generate_options *options, const struct material *material)
{
    char name[MATERIAL_NAME_SIZE];
    const struct places places = run_places(options, options->root);
    char folder[PATHS_SIZE];
    uint64_t newest = 0;
    material_write(material, name);
    if (path_folder(&places, folder, NULL) == EINSPUL_OK)
        newest = newest_of(folder, name);
    if (path_slices(&places, material, folder, NULL) == EINSPUL_OK) {
        const uint64_t slice = newest_of(folder, name);
        newest = slice > newest ? slice : newest;
    }
    return newest;
}

static void find_running(const struct generate_options *options, const struct job_graph *graph,
                         struct graph_status *status)
{
    const uint64_t fresh = (uint64_t)FRESH_SECONDS * 1000000000u;
    uint64_t times[MAX_MATERIALS];
    uint64_t now = os_wall_ns();
    for (int i = 0; i < graph->n_materials; i++) {
        times[i] = newest_file(options, &graph->materials[i]);
        now = times[i] > now ? times[i] : now;
    }
    for (int i = 0; i < graph->n_materials; i++) {
        struct material_status *material = &status->materials[i];
        if (material->state == MATERIAL_DONE || times[i] == 0 || now - times[i] > fresh)
            continue;
        material->state = MATERIAL_RUNNING;
        status->n_running++;
    }
}

/* Enters a job with each of its materials; a bundle's time goes to them by equal shares. */
static void enter_job(const struct job_graph *graph, int number, struct graph_status *status)
{
    const struct graph_job *job = &graph->jobs[number];
    for (int i = 0; i < job->job.n_materials; i++) {
        struct material_status *material = &status->materials[material_number(
            graph->materials, graph->n_materials, &job->job.materials[i])];
        const double seconds = job->core_seconds / job->job.n_materials;
        material->n_jobs++;
        material->n_done += status->done[number];
        material->seconds += seconds;
        material->seconds_left += status->done[number] ? 0 : seconds;
    }
}

static einspul_status ask_materials(const struct generate_options *options,
                                    const struct job_graph *graph, struct graph_status *status,
                                    einspul_error *error)
{
    for (int i = 0; i < graph->n_materials; i++) {
        struct material_status *material = &status->materials[i];
        const struct job whole = {
            .kind = JOB_WHOLE, .n_materials = 1, .materials = {graph->materials[i]}};
        bool done = false;
        const einspul_status answer = job_is_done(options, &whole, &done, error);
        if (answer != EINSPUL_OK)
            return answer;
        if (done) {
            material->state = MATERIAL_DONE;
            material->seconds_left = 0;
            status->n_done++;
        } else if (material->n_done > 0) {
            material->state = MATERIAL_PARTLY;
        }
        status->seconds += material->seconds;
        status->seconds_left += material->seconds_left;
    }
    return EINSPUL_OK;
}

einspul_status graph_status_create(const struct generate_options *options,
                                   const struct job_graph *graph, struct graph_status *status,
                                   einspul_error *error)
{
    memset(status, 0, sizeof *status);
    status->done = calloc((size_t)graph->n_jobs + 1, sizeof *status->done);
    if (status->done == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a plan of jobs");
    for (int i = 0; i < graph->n_jobs; i++) {
        const einspul_status answer =
            job_is_done(options, &graph->jobs[i].job, &status->done[i], error);
        if (answer != EINSPUL_OK)
            return answer;
        enter_job(graph, i, status);
    }
    const einspul_status answer = ask_materials(options, graph, status, error);
    if (answer == EINSPUL_OK)
        find_running(options, graph, status);
    return answer;
}

void graph_status_free(struct graph_status *status)
{
    free(status->done);
    status->done = NULL;
}
