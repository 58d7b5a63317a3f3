/* Every job begins by asking whether it is done, which takes no more than headers. Then it makes
 * a plan in which its own materials are to be made and all else is complete; what is not ends
 * the job.
 *
 * A bundle is a run over such a plan. A slice brings in what its frames look up, solves them into a
 * file of its own, and seals it. The last job of a material reads all slices through the pager and
 * writes the tables as a run does after it has solved the material. */
#include "gen/jobs/job.h"

#include "core/os_write.h"
#include "core/text.h"
#include "gen/jobs/job_cost.h"
#include "gen/jobs/slice_wants.h"
#include "gen/jobs/slices.h"
#include "gen/run/budget.h"
#include "gen/run/generate.h"
#include "gen/run/generation.h"
#include "gen/run/plan_look.h"
#include "gen/run/plan_size.h"
#include "gen/run/planning.h"
#include "gen/system/folder.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct doing {
    const struct generate_options *options;
    const struct job *job;
    struct generate_plan plan;
    int own; /* number of the job's last material in the plan */
    struct slices slices;
    einspul_error *error;
};

static bool is_stopped(const struct generate_options *options)
{
    return options->stop != NULL && atomic_load(options->stop) != 0;
}

/* --- the plan of a job ------------------------------------------------------------------------ */

/* Looks at what the materials that are made lead to, and at what it takes to bring that in, from
 * the largest to the smallest; the rest is left out of the plan. */
static einspul_status look_at_inputs(struct doing *doing)
{
    struct generate_plan *plan = &doing->plan;
    bool wanted[MAX_MATERIALS] = {false};
    bool needs[MAX_MATERIALS];
    einspul_status status = EINSPUL_OK;
    for (int i = plan->n_materials - 1; i >= 0 && status == EINSPUL_OK; i--) {
        const bool own = job_has(doing->job, &plan->materials[i].material);
        if (!own && !wanted[i])
            continue;
        wanted[i] = true;
        if (!own)
            status = plan_look_at_input(doing->options, plan, i, "", doing->error);
        if (own && plan->materials[i].complete)
            continue;
        plan_needs(plan, i, own ? BY_CAPTURE_OR_PROMOTION : plan_succession(plan, i), needs);
        for (int j = 0; j < i; j++)
            wanted[j] = wanted[j] || needs[j];
    }
    int n = 0;
    for (int i = 0; i < plan->n_materials; i++) {
        if (!wanted[i])
            continue;
        plan->materials[n] = plan->materials[i];
        if (job_has(doing->job, &plan->materials[n].material))
            doing->own = n;
        n++;
    }
    plan->n_materials = n;
    return status;
}

static einspul_status refuse_borrowed(const struct doing *doing, const struct material *material)
{
    return error_set(doing->error, EINSPUL_BAD_ARGUMENT,
                     "the tables of %s are those of the rule set '%s', made under that one",
                     material_name(material).text,
                     table_rules_name(doing->options->rules, material));
}

/* Looks at the job's own tables: `*done` when they are all there. */
static einspul_status begin(struct doing *doing, bool *done)
{
    struct generate_plan *plan = &doing->plan;
    struct material list[MAX_MATERIALS];
    int pieces = 2;
    for (int i = 0; i < doing->job->n_materials; i++) {
        if (material_is_borrowed(doing->options->rules, &doing->job->materials[i]))
            return refuse_borrowed(doing, &doing->job->materials[i]);
        if (material_pieces(&doing->job->materials[i]) > pieces)
            pieces = material_pieces(&doing->job->materials[i]);
    }
    plan_begin(plan, list, material_list(2, pieces, list));
    *done = true;
    for (int i = 0; i < plan->n_materials; i++) {
        if (!job_has(doing->job, &plan->materials[i].material))
            continue;
        const einspul_status status =
            plan_look_at_own(doing->options, plan, i, PLAN_HEADER, doing->error);
        if (status != EINSPUL_OK)
            return status;
        *done = *done && plan->materials[i].complete;
    }
    return EINSPUL_OK;
}

/* --- slices ----------------------------------------------------------------------------------- */

/* What the material's slices are made from, after the plan. */
static einspul_status find_slices(struct doing *doing)
{
    struct generation generation = {
        .options = doing->options, .plan = &doing->plan, .error = doing->error};
    doing->slices.options = doing->options;
    doing->slices.material = doing->job->materials[0];
    doing->slices.metric =
        plan_metric(doing->options->rules, &doing->slices.material, doing->options->metrics);
    return generation_fingerprint(&generation, doing->own, &doing->slices.fingerprint);
}

static einspul_status attach(void *context, struct solved *solved, einspul_error *error)
{
    const struct doing *doing = context;
    const int level = job_level_needed(doing->job);
    return level < 0 ? EINSPUL_OK : slices_attach(&doing->slices, solved, level, level, error);
}

static einspul_status finish(void *context, struct solved *solved, einspul_error *error)
{
    const struct doing *doing = context;
    char path[PATHS_SIZE];
    if (!slices_are_whole(solved, doing->job))
        return error_set(error, EINSPUL_CORRUPT, "a part of a slice was not solved");
    einspul_status status =
        slices_path(&doing->slices, doing->options->root, doing->job, path, error);
    if (status == EINSPUL_OK)
        status =
            chunk_file_seal(solved->pages->file, solved->pages->records, solved->pages->n, error);
    if (status != EINSPUL_OK)
        return status;
    struct chunk_file *file = solved->pages->file;
    solved->pages->file = NULL;
    return chunk_file_publish(file, path, error);
}

static void find_memory(struct doing *doing)
{
    const struct generate_options *options = doing->options;
    plan_for_memory(
        options, &doing->plan,
        memory_limit_find("", options->memory_bytes, generate_threads(options->n_threads)));
}

/* What the job has and reads, for its log. */
static void note_inputs(const struct doing *doing)
{
    const struct generate_plan *plan = &doing->plan;
    char names[MAX_MATERIALS * MATERIAL_NAME_SIZE + 1] = "";
    char slices[48] = "";
    for (int i = 0; i < plan->n_materials; i++)
        if (!job_has(doing->job, &plan->materials[i].material))
            text_append(names, sizeof names, " %s",
                        material_name(&plan->materials[i].material).text);
    if (job_level_needed(doing->job) >= 0)
        snprintf(slices, sizeof slices, ", slices of level %d", job_level_needed(doing->job));
    else if (doing->job->kind == JOB_TABLE)
        snprintf(slices, sizeof slices, ", all slices");
    generation_note(
        doing->options, "memory %.3f GiB %s, inputs:%s%s", (double)plan->memory_available / 0x1p30,
        memory_source_text(plan->memory_source), names[0] == '\0' ? " no tables" : names, slices);
}

/* That memory, and room for the job's files, are there. */
static einspul_status check_room(const struct doing *doing, uint64_t least_bytes,
                                 struct job_cost *cost)
{
    const struct generate_options *options = doing->options;
    einspul_status status = job_cost_of(options, doing->job, cost, doing->error);
    if (status == EINSPUL_OK)
        status = plan_check_memory(&doing->plan, least_bytes, doing->error);
    return status == EINSPUL_OK ? plan_check_disk(options->root, cost->file_bytes,
                                                  plan_disk_free(options->root), doing->error)
                                : status;
}

static einspul_status solve_slice(struct doing *doing)
{
    const struct generate_options *options = doing->options;
    struct job_cost cost;
    char stem[PATHS_SIZE];
    const struct places places = run_places(options, options->root);
    struct slice_wants wants = {options->rules, &doing->plan, doing->job};
    struct generation generation = {.options = options,
                                    .plan = &doing->plan,
                                    .wanted = slice_wants,
                                    .context = &wants,
                                    .error = doing->error};
    const struct material_slice slice = {
        .first_level = doing->job->first_level,
        .last_level = doing->job->last_level,
        .part = doing->job->part,
        .n_parts = doing->job->n_parts,
        .context = doing,
        .attach = attach,
        .finish = finish,
    };
    einspul_status status = check_room(doing, doing->plan.materials[doing->own].least_bytes, &cost);
    if (status == EINSPUL_OK)
        status = slices_make_folder(&doing->slices, doing->error);
    if (status == EINSPUL_OK)
        status = path_part(&places, &doing->slices.material, job_name(doing->job).text,
                           doing->slices.metric, true, stem, doing->error);
    if (status == EINSPUL_OK)
        status = generation_begin(&generation);
    if (status != EINSPUL_OK)
        return status;
    generation.progress.material = doing->slices.material;
    generation.progress.n_tables = 1;
    generation.progress.n_states = (uint64_t)cost.n_states;
    status = generation_bring_needs(&generation, doing->own);
    if (status == EINSPUL_OK) {
        struct material_params params = generation_params(&generation, doing->own);
        struct material_extras extras = generation_extras(&generation);
        extras.slice = &slice;
        extras.path = stem;
        extras.path_is_shared = true;
        extras.fingerprint = doing->slices.fingerprint;
        params.work_bytes = generation_limit(&generation, doing->own, false);
        status = material_solve(&params, &extras, doing->error);
    }
    generation_end(&generation);
    if (status == EINSPUL_OK)
        chunk_file_remove_parts(stem);
    return status;
}

static einspul_status do_slice(struct doing *doing, bool *done)
{
    einspul_status status = slices_have(&doing->slices, doing->job, done, doing->error);
    if (status == EINSPUL_OK && !*done)
        status = solve_slice(doing);
    return status;
}

/* --- tables from slices ----------------------------------------------------------------------- */

/* Counts the patterns of all records, as a run does while it solves. */
static einspul_status count_patterns(const struct doing *doing, const struct solved *solved,
                                     struct tally *tally)
{
    einspul_status status = EINSPUL_OK;
#pragma omp parallel for schedule(dynamic, 4) num_threads(doing->options->n_threads)
    for (int64_t page = 0; page < (int64_t)solved->pages->n; page++) {
        const bool black = solved->shape.n_sides == 2 && (uint64_t)page >= solved->levels.n_pages;
        einspul_error why = {EINSPUL_OK, "stopped"};
        struct chunk *chunk = NULL;
        uint32_t *count = NULL;
        einspul_status so_far;
#pragma omp atomic read
        so_far = status;
        if (so_far != EINSPUL_OK || solved->pages->records[page].n_bytes == 0)
            continue;
        einspul_status one = is_stopped(doing->options)
                                 ? EINSPUL_STOPPED
                                 : pages_read(solved->pages, (uint64_t)page, &chunk, &count, &why);
        if (one == EINSPUL_OK)
            one = tally_add(tally, black ? BLACK : WHITE, chunk->values, chunk->value_bytes, count,
                            chunk->n_patterns);
        chunk_free(chunk);
        free(count);
        if (one != EINSPUL_OK) {
#pragma omp critical(job_count_patterns)
            {
#pragma omp atomic write
                status = one;
                error_set(doing->error, one, "%s", why.text);
            }
        }
    }
    return status;
}

/* Writes the tables of values of so many bytes; TOO_LONG where a slice has longer ones. */
static einspul_status write_tables(struct doing *doing, struct generation *generation,
                                   int value_bytes)
{
    const struct generate_options *options = doing->options;
    struct tally *tally = NULL;
    struct solved *solved = NULL;
    einspul_status status =
        solved_create(options->rules, &doing->slices.material, doing->slices.metric, value_bytes,
                      LEVELS_TO_SOLVE, generation->store.pager, &solved);
    if (status != EINSPUL_OK)
        return error_set(doing->error, status, "not enough memory for a list of pages");
    solved->stop = options->stop;
    status = slices_attach(&doing->slices, solved, 0, solved->levels.n_levels - 1, doing->error);
    if (status == EINSPUL_OK && tally_create(doing->options->rules, &solved->shape,
                                             doing->plan.materials[doing->own].to_write,
                                             doing->options->byte_plies, &tally) != EINSPUL_OK)
        status = error_set(doing->error, EINSPUL_NO_MEMORY, "not enough memory for patterns");
    if (status == EINSPUL_OK)
        status = count_patterns(doing, solved, tally);
    if (status == EINSPUL_OK)
        status = generation_write(generation, doing->own, solved, tally, doing->error);
    tally_free(tally);
    solved_destroy(solved);
    return status;
}

static einspul_status make_table(struct doing *doing)
{
    const struct generate_options *options = doing->options;
    struct generation generation = {
        .options = options, .plan = &doing->plan, .error = doing->error};
    struct job_cost cost;
    uint64_t chunks;

    const uint64_t least = budget_table(options, &doing->slices.material, &chunks).least_bytes;
    einspul_status status = check_room(doing, least, &cost);
    if (status == EINSPUL_OK)
        status = generation_begin(&generation);
    if (status != EINSPUL_OK)
        return status;
    pager_limit(generation.store.pager, chunks + (doing->plan.memory_available - least) / 16 * 15);
    status = write_tables(doing, &generation, 1);
    if (status == EINSPUL_TOO_LONG)
        status = write_tables(doing, &generation, 2);
    generation_end(&generation);
    return status;
}

/* --- jobs ------------------------------------------------------------------------------------- */

static einspul_status do_bundle(struct doing *doing)
{
    const struct generate_options *options = doing->options;
    plan_disk(options, &doing->plan);
    doing->plan.disk_available = plan_disk_free(options->root);
    if (options->planned != NULL)
        options->planned(&doing->plan, options->context);
    return generate_run(options, &doing->plan, doing->error);
}

/* What the tables were made from is not needed any more once they are there. */
static void clean_up(struct doing *doing)
{
    bool done = false;
    struct doing again = {.options = doing->options, .job = doing->job, .error = doing->error};
    if (doing->job->kind != JOB_WHOLE && begin(&again, &done) == EINSPUL_OK && done)
        slices_remove(&doing->slices);
}

/* Does what is to be done; the folder is there, and locked as far as that goes. */
static einspul_status do_job(struct doing *doing)
{
    bool done = false;
    einspul_status status = look_at_inputs(doing);
    if (status == EINSPUL_OK && doing->job->kind != JOB_WHOLE)
        status = find_slices(doing);
    if (status != EINSPUL_OK)
        return status;
    find_memory(doing);
    note_inputs(doing);
    switch (doing->job->kind) {
    case JOB_WHOLE:
        return do_bundle(doing);
    case JOB_SLICE:
        status = do_slice(doing, &done);
        break;
    case JOB_TABLE:
        status = make_table(doing);
        break;
    }
    if (status == EINSPUL_OK)
        clean_up(doing);
    return status;
}

einspul_status job_is_done(const struct generate_options *options, const struct job *job,
                           bool *done, einspul_error *error)
{
    struct doing doing = {.options = options, .job = job, .error = error};
    einspul_status status = begin(&doing, done);
    if (status != EINSPUL_OK || *done || job->kind != JOB_SLICE)
        return status;
    status = look_at_inputs(&doing);
    if (status == EINSPUL_OK)
        status = find_slices(&doing);
    if (status == EINSPUL_NO_TABLE || status_is_damage(status))
        return EINSPUL_OK;
    return status == EINSPUL_OK ? slices_have(&doing.slices, job, done, error) : status;
}

/* Does a job unless it is done now; a run, or the same job, may have made its tables until now. */
static einspul_status attempt(const struct generate_options *options, const struct job *job,
                              einspul_error *error)
{
    struct doing doing = {.options = options, .job = job, .error = error};
    bool done = false;
    const einspul_status status = begin(&doing, &done);
    return status == EINSPUL_OK && !done ? do_job(&doing) : status;
}

/* Another process with the same job may have been first, and have removed what this one needed. */
static einspul_status unless_done(const struct generate_options *options, const struct job *job,
                                  einspul_status status)
{
    einspul_error unheard;
    bool done = false;
    if (status == EINSPUL_IO || status == EINSPUL_NO_TABLE || status == EINSPUL_LOCKED)
        (void)job_is_done(options, job, &done, &unheard); /* false after an error */
    return done ? EINSPUL_OK : status;
}

/* A file may be there and not be seen yet: NFS keeps what it knows of a folder for up to a
 * minute. */
static einspul_status attempt_again(const struct generate_options *options, const struct job *job,
                                    einspul_error *error)
{
    const struct timespec tenth = {0, 100000000};
    generation_note(options, "%s; looking again in %d s", error->text, options->wait_seconds);
    for (int i = 0; i < 10 * options->wait_seconds && !is_stopped(options); i++)
        nanosleep(&tenth, NULL);
    return is_stopped(options) ? error_set(error, EINSPUL_STOPPED, "stopped")
                               : attempt(options, job, error);
}

einspul_status job_run(const struct generate_options *options, const struct job *job,
                       einspul_error *error)
{
    struct generate_options mine = *options;
    struct doing doing = {.options = &mine, .job = job, .error = error};
    bool done = false;
    int lock = -1;
    mine.is_job = true;
    os_allow_files(); /* a material may have many slices */
    einspul_status status = begin(&doing, &done);
    if (status != EINSPUL_OK || done)
        return status;
    status = folder_make(options->root, options->rules, error);
    if (status == EINSPUL_OK)
        status = folder_share(options->root, options->rules, &lock, error);
    if (status == EINSPUL_OK)
        status = attempt(&mine, job, error);
    status = unless_done(&mine, job, status);
    if (status == EINSPUL_NO_TABLE && options->wait_seconds > 0)
        status = unless_done(&mine, job, attempt_again(&mine, job, error));
    if (lock >= 0)
        os_close(lock);
    return status;
}
