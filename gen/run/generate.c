/* Carrying out a plan, one material after the other: load what the material needs, solve it,
 * write its tables. Tables of small materials are written by a thread of their own while the
 * next materials are solved. The store keeps a material as long as a later one needs it. */
#include "gen/run/generate.h"

#include "core/os_write.h"
#include "gen/run/budget.h"
#include "gen/run/folder.h"
#include "gen/run/generation.h"
#include "gen/run/planning.h"
#include "table/table_read.h"

#include <pthread.h>

/* --- files of what is solved so far ----------------------------------------------------------- */

/* The path of a material's part; where parts are shared, the stem of all of them. */
static einspul_status part_path(const struct generation *generation, int index,
                                char path[PATHS_SIZE])
{
    const struct generate_options *options = generation->options;
    const struct places places = run_places(options, options->root);
    const struct material *material = &generation->plan->materials[index].material;
    return path_part(&places, material, plan_metric(options->rules, material, options->metrics),
                     options->only, path, generation->error);
}

/* Removes what was kept of a material that is complete now. */
static void remove_part(const struct generation *generation, int index)
{
    const struct solved *solved =
        store_get(&generation->store, &generation->plan->materials[index].material);
    char part[PATHS_SIZE];
    if (part_path(generation, index, part) != EINSPUL_OK)
        return;
    if (!generation->options->only) {
        os_remove(part);
        return;
    }
    if (solved != NULL && solved->pages->file != NULL)
        chunk_file_unlink(solved->pages->file);
    chunk_file_remove_parts(part);
}

/* --- writing ---------------------------------------------------------------------------------- */

static void *writing_main(void *context)
{
    struct writing *writing = context;
    const struct generation *generation = writing->generation;
    const struct solved *solved =
        store_get(&generation->store, &generation->plan->materials[writing->index].material);
    writing->status =
        generation_write(generation, writing->index, solved, writing->tally, &writing->error);
    return NULL;
}

/* Waits for the tables that have been begun longest. */
static einspul_status writing_end(struct generation *generation)
{
    struct writing *writing = &generation->writings[generation->n_ended % MAX_WRITINGS];

    if (writing->behind)
        pthread_join(writing->thread, NULL);
    generation->n_ended++;
    tally_free(writing->tally);
    writing->tally = NULL;
    if (writing->status != EINSPUL_OK)
        return error_set(generation->error, writing->status, "%s", writing->error.text);
    remove_part(generation, writing->index);
    generation_report_table(generation, writing->index);
    return EINSPUL_OK;
}

/* Waits for the tables of all materials before number `index`. */
static einspul_status writings_end(struct generation *generation, int index)
{
    einspul_status status = EINSPUL_OK;
    while (status == EINSPUL_OK && generation->n_ended < generation->n_begun &&
           generation->writings[generation->n_ended % MAX_WRITINGS].index < index)
        status = writing_end(generation);
    return status;
}

/* Begins to write the tables of material number `index`, which stays in the store until they are
 * there. Where that is not done behind, they are when this returns. */
static einspul_status writing_begin(struct generation *generation, int index, struct tally *tally)
{
    struct writing *writing = &generation->writings[generation->n_begun % MAX_WRITINGS];
    const einspul_status status = writings_end(
        generation, plan_first_behind(generation->options, generation->plan, index + 1));

    if (status != EINSPUL_OK) {
        tally_free(tally);
        return status;
    }
    *writing = (struct writing){.generation = generation, .index = index, .tally = tally};
    generation->n_begun++;
    writing->behind =
        plan_writes_behind(generation->options, &generation->plan->materials[index].material) &&
        pthread_create(&writing->thread, NULL, writing_main, writing) == 0;
    if (writing->behind)
        return EINSPUL_OK;
    writing_main(writing);
    return writings_end(generation, index + 1);
}

/* Lets go of what neither number `index` nor a later material needs. */
static void release(struct generation *generation, int index)
{
    const int first_written = plan_first_behind(generation->options, generation->plan, index);
    for (int i = 0; i < first_written; i++) {
        const struct material *material = &generation->plan->materials[i].material;
        if (plan_next_need(generation->plan, i, index - 1) < generation->plan->n_materials)
            continue;
        solved_destroy(store_get(&generation->store, material));
        store_set(&generation->store, material, NULL);
    }
}

/* Brings in what a material needs, solves it, and has it written. */
static einspul_status make_material(struct generation *generation, int index)
{
    const struct generate_plan *plan = generation->plan;
    struct material_params params = generation_params(generation, index);
    struct material_extras extras = generation_extras(generation);
    char part[PATHS_SIZE];
    einspul_status status = part_path(generation, index, part);

    generation->progress.material = plan->materials[index].material;
    generation_report(generation, true);
    if (status == EINSPUL_OK)
        status = writings_end(generation, plan_first_behind(generation->options, plan, index));
    if (status != EINSPUL_OK)
        return status;
    release(generation, index);
    status = generation_bring_needs(generation, index);
    if (status != EINSPUL_OK)
        return status;
    if (plan_keeps_part(generation->options, &params.material)) {
        extras.path = part;
        extras.path_is_shared = generation->options->only;
        status = writings_end(generation, index);
        if (status == EINSPUL_OK)
            status = generation_fingerprint(generation, index, &extras.fingerprint);
        if (status != EINSPUL_OK)
            return status;
    }
    struct shape shape;
    shape_init(&shape, generation->options->rules, &params.material);
    params.work_bytes = generation_limit(generation, index, false);
    status = tally_create(generation->options->rules, &shape, plan->materials[index].to_write,
                          &extras.tally);
    if (status != EINSPUL_OK)
        return error_set(generation->error, status, "not enough memory for patterns");
    status = material_solve(&params, &extras, generation->error);
    if (status == EINSPUL_OK)
        return writing_begin(generation, index, extras.tally);
    tally_free(extras.tally);
    return status;
}

/* --- a generation ----------------------------------------------------------------------------- */

static einspul_status check_fits(const struct generate_options *options,
                                 const struct generate_plan *plan, einspul_error *error)
{
    const einspul_status status = plan_check_memory(plan, plan->memory_bytes, error);
    return status == EINSPUL_OK
               ? plan_check_disk(options->root, plan->disk_bytes, plan->disk_available, error)
               : status;
}

/* Goes through the materials in the plan's order. */
static einspul_status make_all(struct generation *generation)
{
    const struct generate_plan *plan = generation->plan;
    einspul_status status = EINSPUL_OK;
    for (int i = 0; i < plan->n_materials && status == EINSPUL_OK; i++) {
        if (!plan->materials[i].complete) {
            status = make_material(generation, i);
            continue;
        }
        if (!generation->options->only)
            remove_part(generation, i); /* a run was stopped just before it did */
        generation->progress.n_tables_done++;
    }
    return status == EINSPUL_OK ? writings_end(generation, plan->n_materials) : status;
}

einspul_status generate_run(const struct generate_options *options,
                            const struct generate_plan *plan, einspul_error *error)
{
    struct generation generation = {
        .options = options,
        .plan = plan,
        .error = error,
    };
    einspul_status status = check_fits(options, plan, error);

    if (status == EINSPUL_OK)
        status = folder_make(options->root, options->rules, error);
    if (status != EINSPUL_OK)
        return status;
    status = generation_begin(&generation);
    if (status != EINSPUL_OK)
        return status;
    generation.progress.n_tables = plan->n_materials;
    generation.progress.n_states = plan->n_states;
    status = make_all(&generation);
    for (int i = generation.n_ended; i < generation.n_begun; i++) {
        struct writing *writing = &generation.writings[i % MAX_WRITINGS];
        if (writing->behind)
            pthread_join(writing->thread, NULL);
        tally_free(writing->tally);
    }
    generation_end(&generation);
    return status;
}

static einspul_status lock_folder(const struct generate_options *options, int *lock,
                                  einspul_error *error)
{
    return options->only ? folder_share(options->root, options->rules, lock, error)
                         : folder_lock(options->root, options->rules, lock, error);
}

/* Makes and locks a folder that was not there when the plan was made. What does not fit is refused
 * before, so that nothing is made for it. */
static einspul_status make_and_lock(const struct generate_options *options,
                                    const struct generate_plan *plan, int *lock,
                                    einspul_error *error)
{
    einspul_status status = check_fits(options, plan, error);
    if (status == EINSPUL_OK)
        status = folder_make(options->root, options->rules, error);
    return status == EINSPUL_OK ? lock_folder(options, lock, error) : status;
}

/* Another process may have made the same material, and have removed what this one used. */
static bool is_made_meanwhile(const struct generate_options *options, einspul_status status)
{
    struct generate_plan plan;
    einspul_error unheard;
    if (!options->only ||
        (status != EINSPUL_IO && status != EINSPUL_NO_TABLE && status != EINSPUL_LOCKED) ||
        generate_plan(options, &plan, &unheard) != EINSPUL_OK)
        return false;
    return plan.n_states == 0;
}

einspul_status generate_tables(const struct generate_options *options, einspul_error *error)
{
    struct generate_plan plan;
    int lock = -1;
    einspul_status status = lock_folder(options, &lock, error);
    const bool is_new = status == EINSPUL_NO_FOLDER;
    if (status == EINSPUL_OK || is_new)
        status = generate_plan(options, &plan, error);
    if (status != EINSPUL_OK) /* of the lock, or of the plan */
        goto cleanup;
    if (options->planned != NULL)
        options->planned(&plan, options->context);
    if (is_new)
        status = make_and_lock(options, &plan, &lock, error);
    if (status == EINSPUL_OK)
        status = generate_run(options, &plan, error);
    if (is_made_meanwhile(options, status))
        status = EINSPUL_OK;
cleanup:
    if (lock >= 0)
        os_close(lock);
    return status;
}
