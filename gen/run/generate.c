/* Carrying out a plan, one material after the other: bring in what the material needs, solve it,
 * write its tables. The store keeps a material as long as a later one needs it. */
#include "gen/run/generate.h"

#include "core/os_write.h"
#include "gen/run/budget.h"
#include "gen/run/folder.h"
#include "gen/run/generation.h"

/* --- a material ------------------------------------------------------------------------------- */

/* What the files of what is solved of a material begin with (chunk_file_part). */
static einspul_status parts_path(const struct generation *generation, int index,
                                 char path[PATHS_SIZE])
{
    const struct generate_options *options = generation->options;
    const struct places places = {options->root, options->rules};
    return path_parts(&places, &generation->plan->materials[index].material, path,
                      generation->error);
}

/* Removes what was kept of a material that is complete now. */
static void remove_parts(const struct generation *generation, int index)
{
    const struct solved *solved =
        store_get(&generation->store, &generation->plan->materials[index].material);
    char parts[PATHS_SIZE];
    if (parts_path(generation, index, parts) != EINSPUL_OK)
        return;
    if (solved != NULL && solved->pages->file != NULL)
        chunk_file_unlink(solved->pages->file);
    chunk_file_remove_parts(parts);
}

/* Removes from memory what neither number `index` nor a later material needs. */
static void release(struct generation *generation, int index)
{
    for (int i = 0; i < index; i++) {
        const struct material *material = &generation->plan->materials[i].material;
        if (plan_next_need(generation->plan, i, index - 1) < generation->plan->n_materials)
            continue;
        solved_destroy(store_get(&generation->store, material));
        store_set(&generation->store, material, NULL);
    }
}

/* Brings in what a material needs, solves it, and writes its tables. */
static einspul_status make_material(struct generation *generation, int index)
{
    struct material_params params = generation_params(generation, index);
    struct material_extras extras = generation_extras(generation);
    char parts[PATHS_SIZE];

    generation->progress.material = params.material;
    generation_report(generation, true);
    release(generation, index);
    einspul_status status = generation_bring_needs(generation, index);
    if (status == EINSPUL_OK && plan_keeps_part(generation->options, &params.material)) {
        extras.parts = parts;
        status = parts_path(generation, index, parts);
        if (status == EINSPUL_OK)
            status = generation_fingerprint(generation, index, &extras.fingerprint);
    }
    if (status != EINSPUL_OK)
        return status;
    params.work_bytes = generation_limit(generation, index, false);
    status = material_solve(&params, &extras, generation->error);
    if (status == EINSPUL_OK)
        status = generation_write(generation, index);
    if (status != EINSPUL_OK)
        return status;
    remove_parts(generation, index);
    generation_report_table(generation, index);
    return EINSPUL_OK;
}

/* --- a generation ----------------------------------------------------------------------------- */

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
            remove_parts(generation, i); /* a run was stopped just before it did */
        generation->progress.n_tables_done++;
    }
    return status;
}

einspul_status generate_run(const struct generate_options *options,
                            const struct generate_plan *plan, einspul_error *error)
{
    struct generation generation = {
        .options = options,
        .plan = plan,
        .error = error,
    };
    einspul_status status = plan_check_fits(options, plan, error);

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
    einspul_status status = plan_check_fits(options, plan, error);
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
