/* Carries out a plan. The folder is locked; then for each material: release the values that no later
 * material needs, load its successors, solve it, write its tables, remove its part files. */
#include "gen/run/generate.h"

#include "core/program/os_write.h"
#include "core/program/plies.h"
#include "gen/material/material_load.h"
#include "gen/material/material_solve.h"
#include "gen/material/material_write.h"
#include "gen/run/budget.h"
#include "gen/run/folder.h"
#include "gen/run/plan_make.h"
#include "gen/solver/word_solver.h"
#include "table/table_open.h"
#include "table/table_read.h"

/* The state of a run. */
struct generation {
    const struct generate_options *options;
    const struct generate_plan *plan;
    struct store store;
    struct generate_progress progress;
    double start;
    double last_report;
    /* by material: solved without distances, because these, or those of a successor, do not fit */
    bool outcomes_only[MAX_MATERIALS];
    int first_too_long; /* the first of these; -1 if there is none */
    int n_outcomes_only;
    einspul_error *error;
};

/* --- progress --------------------------------------------------------------------------------- */

static double now(void)
{
    return 1e-9 * (double)os_now_ns();
}

/* Reports progress; unless `always`, a few times a second at most. */
static void report(struct generation *generation, bool always)
{
    const double time = now();
    if (generation->options->progress == NULL || (!always && time - generation->last_report < 0.2))
        return;
    generation->last_report = time;
    generation->progress.seconds = time - generation->start;
    generation->options->progress(&generation->progress, generation->options->context);
}

/* Reports that material number `index` is complete. */
static void report_table(struct generation *generation, int index)
{
    struct generate_progress *progress = &generation->progress;
    progress->material = generation->plan->materials[index].material;
    progress->n_tables_done++;
    progress->table_done = true;
    report(generation, true);
    progress->table_done = false;
}

static void states_done(uint64_t n_states, bool found, void *context)
{
    struct generation *generation = context;
    generation->progress.n_states_done += n_states;
    generation->progress.n_states_found += found ? n_states : 0;
    report(generation, false);
}

/* --- the store -------------------------------------------------------------------------------- */

static einspul_status begin(struct generation *generation)
{
    const struct generate_options *options = generation->options;
    char folder[PATHS_SIZE];
    const einspul_status status = path_make(options->root, folder, generation->error, "%s/%s",
                                            options->root, options->rules->name);
    if (status != EINSPUL_OK)
        return status;
    generation->start = now();
    generation->store.rules = options->rules;
    if (pager_create(folder, &generation->store.pager) != EINSPUL_OK)
        return error_set(generation->error, EINSPUL_NO_MEMORY, "not enough memory");
    pager_set_memory_limit(generation->store.pager, generation->plan->memory_limit.n_bytes);
    return EINSPUL_OK;
}

static void end(struct generation *generation)
{
    for (int i = 0; i < generation->plan->n_materials; i++)
        solved_destroy(store_get(&generation->store, &generation->plan->materials[i].material));
    pager_destroy(generation->store.pager);
}

/* How material number `index` is solved, or loaded. */
static struct material_params params_of(struct generation *generation, int index)
{
    const struct generate_options *options = generation->options;
    const struct material_params params = {
        .store = &generation->store,
        .material = generation->plan->materials[index].material,
        .metric = plan_metric(options->rules, &generation->plan->materials[index].material,
                              options->metrics),
        .solver = &word_solver,
        .n_threads = options->n_threads,
        .stop = options->stop,
    };
    return params;
}

/* Divides the memory while a material is in progress: sets the pager's limit, and threads. */
static void divide_memory(struct generation *generation, int index, bool loading,
                          struct material_params *params)
{
    const struct budget budget =
        budget_divide(generation->options, generation->plan, index, loading);
    pager_set_limit(generation->store.pager, budget.values_bytes);
    params->n_workers = budget.n_workers;
    params->n_threads_per_frame = budget.n_threads_per_frame;
}

static einspul_status load(struct generation *generation, struct material_params *params)
{
    const einspul_metric metric = params->metric;
    const struct generate_plan *plan = generation->plan;
    /* No other has more pieces than the last one. */
    const int max_pieces = material_pieces(&plan->materials[plan->n_materials - 1].material);
    struct table *table = NULL;
    einspul_status status =
        plan_open(generation->options, &params->material, metric, &table, generation->error);
    params->table = table;
    params->only_after_promotion = material_pieces(&params->material) == max_pieces;
    if (status == EINSPUL_OK)
        status = material_load(params, generation->error);
    table_close(table);
    return status;
}

static einspul_status load_needed(struct generation *generation, int index);

/* Loads the successors by moves of a kind, unless they are in the store. */
static einspul_status load_successors(struct generation *generation, int index,
                                      enum move_kinds kinds)
{
    const struct generate_plan *plan = generation->plan;
    bool needs[MAX_MATERIALS];
    einspul_status status = EINSPUL_OK;
    plan_needs(plan, index, kinds, needs);
    for (int i = 0; i < index && status == EINSPUL_OK; i++)
        if (needs[i] && store_get(&generation->store, &plan->materials[i].material) == NULL)
            status = load_needed(generation, i);
    return status;
}

/* Loads a complete material into the store, after its capture successors, because no file stores
 * captures. A material whose file omits values is solved again; so are the smallest in a run for
 * WDL tables, because their distances are needed and not every file has them. */
static einspul_status load_needed(struct generation *generation, int index)
{
    struct material_params params = params_of(generation, index);
    const bool loading = params.metric == plan_read_metric(generation->options) &&
                         !generation->plan->materials[index].solved_again;
    const einspul_status status =
        load_successors(generation, index, plan_succession(generation->plan, index));
    if (status != EINSPUL_OK)
        return status;
    divide_memory(generation, index, loading, &params);
    const struct material in_work = generation->progress.material;
    generation->progress.material = params.material;
    generation->progress.loading = true;
    report(generation, true);
    const einspul_status loaded =
        loading ? load(generation, &params) : material_solve(&params, generation->error);
    generation->progress.material = in_work;
    generation->progress.loading = false;
    report(generation, true);
    return loaded;
}

/* A hash of the values of the tables that a material's values are computed from. */
static einspul_status fingerprint_of(const struct generation *generation, int index, uint64_t *hash)
{
    const struct generate_options *options = generation->options;
    const einspul_metric metric =
        generation->outcomes_only[index] ? EINSPUL_WDL : plan_read_metric(options);
    bool needs[MAX_MATERIALS];
    einspul_status status = EINSPUL_OK;
    *hash = 0;
    plan_needs(generation->plan, index, CAPTURES_AND_PROMOTIONS, needs);
    for (int i = 0; i < index && status == EINSPUL_OK; i++) {
        struct table *table = NULL;
        if (!needs[i])
            continue;
        status = plan_open(options, &generation->plan->materials[i].material, metric, &table,
                           generation->error);
        if (status == EINSPUL_OK)
            *hash = (*hash ^ table->header.value_hash) * 0x9e3779b97f4a7c15u + 1;
        table_close(table);
    }
    return status;
}

/* The metrics of the tables of material number `index` to write. */
static unsigned to_write(const struct generation *generation, int index)
{
    const unsigned missing = generation->plan->materials[index].to_write;
    return generation->outcomes_only[index] ? missing & METRICS_WDL : missing;
}

/* Writes the missing tables of solved material number `index`. */
static einspul_status write_tables(const struct generation *generation, int index)
{
    const struct generate_options *options = generation->options;
    const struct planned_material *planned = &generation->plan->materials[index];
    const struct solved *solved = store_get(&generation->store, &planned->material);
    struct table_output outputs[2];
    char paths[2][PATHS_SIZE];
    einspul_status status = EINSPUL_OK;
    int n = 0;

    for (int metric = EINSPUL_DTW; metric >= EINSPUL_WDL && status == EINSPUL_OK; metric--) {
        const struct table_id id = {options->rules, planned->material, (einspul_metric)metric};
        if ((to_write(generation, index) & (unsigned)metric) == 0)
            continue;
        status = table_path_below(options->root, id, paths[n], sizeof paths[n], generation->error);
        outputs[n] = (struct table_output){paths[n], id};
        n++;
    }
    if (status == EINSPUL_OK && n > 0)
        status = material_write_tables(outputs, n, solved, options->zstd_level, options->n_threads,
                                       generation->error);
    return status;
}

/* --- a material ------------------------------------------------------------------------------- */

/* The stem of a material's part files (chunk_file_create_part). */
static einspul_status parts_path(const struct generation *generation, int index,
                                 char path[PATHS_SIZE])
{
    const struct generate_options *options = generation->options;
    return path_make(options->root, path, generation->error, "%s/%s/.%s", options->root,
                     options->rules->name,
                     material_name(&generation->plan->materials[index].material).text);
}

/* Removes the part files of a material that is complete now. */
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

/* Frees the materials that neither number `index` nor a later one needs. */
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

/* Marks a material whose distances, or those of a successor, do not fit. */
static void leave_distances(struct generation *generation, int index)
{
    if (generation->first_too_long < 0)
        generation->first_too_long = index;
    generation->outcomes_only[index] = true;
    generation->n_outcomes_only++;
}

static bool leads_to_outcomes_only(const struct generation *generation, int index)
{
    bool needs[MAX_MATERIALS];
    plan_needs(generation->plan, index, CAPTURES_AND_PROMOTIONS, needs);
    for (int i = 0; i < index; i++)
        if (needs[i] && generation->outcomes_only[i])
            return true;
    return false;
}

/* Solves a material: with distances, or, if they do not fit, without. */
static einspul_status solve_material(struct generation *generation, int index,
                                     struct material_params *params)
{
    if (!generation->outcomes_only[index]) {
        const einspul_status status = material_solve(params, generation->error);
        if (status != EINSPUL_TOO_LONG || params->metric == EINSPUL_WDL)
            return status;
        leave_distances(generation, index);
        params->progress = NULL; /* its states are counted */
    }
    params->metric = EINSPUL_WDL;
    return to_write(generation, index) != 0 ? material_solve(params, generation->error)
                                            : EINSPUL_OK;
}

/* Loads the successors of a material, solves it, and writes its tables. */
static einspul_status make_material(struct generation *generation, int index)
{
    struct material_params params = params_of(generation, index);
    char parts[PATHS_SIZE];

    generation->progress.material = params.material;
    report(generation, true);
    release(generation, index);
    if (params.metric == EINSPUL_DTW && leads_to_outcomes_only(generation, index))
        leave_distances(generation, index);
    einspul_status status = load_successors(generation, index, CAPTURES_AND_PROMOTIONS);
    if (status == EINSPUL_OK && to_write(generation, index) != 0 &&
        plan_saves_part(generation->options, &params.material)) {
        params.parts = parts;
        status = parts_path(generation, index, parts);
        if (status == EINSPUL_OK)
            status = fingerprint_of(generation, index, &params.fingerprint);
    }
    if (status != EINSPUL_OK)
        return status;
    divide_memory(generation, index, false, &params);
    params.progress = states_done;
    params.context = generation;
    status = solve_material(generation, index, &params);
    if (status == EINSPUL_OK && to_write(generation, index) != 0)
        status = write_tables(generation, index);
    if (status != EINSPUL_OK)
        return status;
    remove_parts(generation, index);
    report_table(generation, index);
    return EINSPUL_OK;
}

/* --- a generation ----------------------------------------------------------------------------- */

/* Processes the materials in the plan's order. */
static einspul_status make_all(struct generation *generation)
{
    const struct generate_plan *plan = generation->plan;
    einspul_status status = EINSPUL_OK;
    for (int i = 0; i < plan->n_materials && status == EINSPUL_OK; i++) {
        if (!plan->materials[i].complete) {
            status = make_material(generation, i);
            continue;
        }
        if (!generation->options->single)
            remove_parts(generation, i); /* left by a run that was interrupted just before this */
        generation->progress.n_tables_done++;
    }
    return status;
}

/* Reports the materials without distances: TOO_LONG; else OK. */
static einspul_status report_too_long(const struct generation *generation)
{
    if (generation->first_too_long < 0)
        return EINSPUL_OK;
    return error_set(
        generation->error, EINSPUL_TOO_LONG,
        "%s: a loss in more than %d plies; %d materials have no distances, as these do not fit "
        "or depend on others that do not; all other tables are complete",
        material_name(&generation->plan->materials[generation->first_too_long].material).text,
        MAX_LOSS_PLIES, generation->n_outcomes_only);
}

einspul_status generate_run(const struct generate_options *options,
                            const struct generate_plan *plan, einspul_error *error)
{
    struct generation generation = {
        .options = options,
        .plan = plan,
        .first_too_long = -1,
        .error = error,
    };
    einspul_status status = budget_check(options, plan, error);

    if (status == EINSPUL_OK)
        status = folder_make(options->root, options->rules, error);
    if (status != EINSPUL_OK)
        return status;
    status = begin(&generation);
    if (status != EINSPUL_OK)
        return status;
    generation.progress.n_tables = plan->n_materials;
    generation.progress.n_states = plan->n_states;
    status = make_all(&generation);
    end(&generation);
    return status == EINSPUL_OK ? report_too_long(&generation) : status;
}

static einspul_status lock_folder(const struct generate_options *options, int *lock,
                                  einspul_error *error)
{
    return options->single ? folder_share(options->root, options->rules, lock, error)
                           : folder_lock(options->root, options->rules, lock, error);
}

/* True if another process has completed the same material, and removed files that this one used. */
static bool is_made_meanwhile(const struct generate_options *options, einspul_status status)
{
    struct generate_plan plan;
    einspul_error ignored;
    if (!options->single || (status != EINSPUL_IO && status != EINSPUL_NO_TABLE) ||
        generate_plan(options, &plan, &ignored) != EINSPUL_OK)
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
    if (is_new) { /* check first, so that a refused run creates no folder */
        status = budget_check(options, &plan, error);
        if (status == EINSPUL_OK)
            status = folder_make(options->root, options->rules, error);
        if (status == EINSPUL_OK)
            status = lock_folder(options, &lock, error);
    }
    if (status == EINSPUL_OK)
        status = generate_run(options, &plan, error);
    if (is_made_meanwhile(options, status))
        status = EINSPUL_OK;
cleanup:
    if (lock >= 0)
        os_close(lock);
    return status;
}
