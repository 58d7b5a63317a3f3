/* The store of a run. A complete material is read from its table when another one needs it. */
#include "gen/run/generation.h"

#include "core/os_write.h"
#include "gen/material/material_load.h"
#include "gen/material/material_write.h"
#include "gen/run/budget.h"
#include "gen/run/plan.h"
#include "table/table_facts.h"
#include "table/table_read.h"

static double now(void)
{
    return 1e-9 * (double)os_now_ns();
}

void generation_report(struct generation *generation, bool always)
{
    const double time = now();
    if (generation->options->progress == NULL || (!always && time - generation->last_report < 0.2))
        return;
    generation->last_report = time;
    generation->progress.seconds = time - generation->start;
    generation->options->progress(&generation->progress, generation->options->context);
}

void generation_report_table(struct generation *generation, int index)
{
    struct generate_progress *progress = &generation->progress;
    progress->material = generation->plan->materials[index].material;
    progress->n_tables_done++;
    progress->table_done = true;
    generation_report(generation, true);
    progress->table_done = false;
}

static void states_done(uint64_t n_states, void *context)
{
    struct generation *generation = context;
    generation->progress.n_states_done += n_states;
    generation_report(generation, false);
}

static void states_found(uint64_t n_states, void *context)
{
    struct generation *generation = context;
    generation->progress.n_states_found += n_states;
    states_done(n_states, context);
}

struct material_extras generation_extras(struct generation *generation)
{
    return (struct material_extras){
        .progress = states_done, .resumed = states_found, .context = generation};
}

einspul_status generation_begin(struct generation *generation)
{
    const struct generate_options *options = generation->options;
    const struct places places = {options->root, options->rules};
    char folder[PATHS_SIZE];
    const einspul_status status = path_folder(&places, folder, generation->error);
    if (status != EINSPUL_OK)
        return status;
    generation->start = now();
    generation->store.rules = options->rules;
    if (pager_create(folder, &generation->store.pager) != EINSPUL_OK)
        return error_set(generation->error, EINSPUL_NO_MEMORY, "not enough memory");
    pager_keep_within(generation->store.pager, generation->plan->memory_available);
    return EINSPUL_OK;
}

void generation_end(struct generation *generation)
{
    for (int i = 0; i < generation->plan->n_materials; i++)
        solved_destroy(store_get(&generation->store, &generation->plan->materials[i].material));
    pager_destroy(generation->store.pager);
}

struct material_params generation_params(struct generation *generation, int index)
{
    const struct generate_options *options = generation->options;
    const struct material_params params = {
        .store = &generation->store,
        .material = generation->plan->materials[index].material,
        .metric = plan_metric(options->rules, &generation->plan->materials[index].material,
                              options->metrics),
        .solver = &solver_fast,
        .n_threads = options->n_threads,
        .stop = options->stop,
    };
    return params;
}

uint64_t generation_limit(struct generation *generation, int index, bool loading)
{
    const struct budget budget =
        budget_divide(generation->options, generation->plan, index, loading);
    pager_limit(generation->store.pager, budget.values_bytes);
    return budget.work_bytes;
}

/* That a table is the one the plan was made with, or one this run wrote. No other process can have
 * replaced it while the lock is held, but not every file system keeps locks. */
static einspul_status check_planned(const struct generation *generation, int index,
                                    einspul_metric metric, const struct table *table)
{
    const uint64_t planned = generation->plan->materials[index].files[metric - 1].identity;
    if (planned != 0 ? table_identity(table) == planned : table_is_whole(table))
        return EINSPUL_OK;
    return error_set(generation->error, EINSPUL_LOCKED,
                     "%s: another process has replaced it meanwhile", path_text(table_path(table)));
}

/* Whether a material has as many pieces as any of the run: then only promotions lead to it. */
static bool has_most_pieces(const struct generate_plan *plan, int index)
{
    const int n_pieces = material_pieces(&plan->materials[index].material);
    for (int i = 0; i < plan->n_materials; i++)
        if (material_pieces(&plan->materials[i].material) > n_pieces)
            return false;
    return true;
}

static einspul_status load(struct generation *generation, int index,
                           const struct material_params *params)
{
    const einspul_metric metric = params->metric;
    struct table *table = NULL;
    einspul_status status =
        plan_open(generation->options, generation->plan, index, metric, &table, generation->error);
    if (status == EINSPUL_OK)
        status = check_planned(generation, index, metric, table);
    const struct material_source source = {
        .table = table,
        .after_promotion = has_most_pieces(generation->plan, index),
    };
    if (status == EINSPUL_OK)
        status = material_load(params, &source, generation->error);
    table_close(table);
    return status;
}

static einspul_status bring_in(struct generation *generation, int index);

/* Brings in what moves of a kind lead to, unless it is there. */
static einspul_status bring_all(struct generation *generation, int index,
                                enum succession succession)
{
    const struct generate_plan *plan = generation->plan;
    bool needs[MAX_MATERIALS];
    einspul_status status = EINSPUL_OK;
    plan_needs(plan, index, succession, needs);
    for (int i = 0; i < index && status == EINSPUL_OK; i++)
        if (needs[i] && store_get(&generation->store, &plan->materials[i].material) == NULL)
            status = bring_in(generation, i);
    return status;
}

/* Brings a complete material into the store, after those its captures lead to, which no file holds.
 * What its file omits is recomputed by solving; so are the smallest: in a run for WDL tables
 * their distances are needed, and not every file has them. */
static einspul_status bring_in(struct generation *generation, int index)
{
    struct material_params params = generation_params(generation, index);
    const bool loading = params.metric == plan_read_metric(generation->options) &&
                         !generation->plan->materials[index].solved_again;
    const einspul_status status =
        bring_all(generation, index, plan_succession(generation->plan, index));
    if (status != EINSPUL_OK)
        return status;
    params.work_bytes = generation_limit(generation, index, loading);
    const struct material in_work = generation->progress.material;
    generation->progress.material = params.material;
    generation->progress.loading = true;
    generation_report(generation, true);
    const einspul_status brought = loading ? load(generation, index, &params)
                                           : material_solve(&params, NULL, generation->error);
    generation->progress.material = in_work;
    generation->progress.loading = false;
    generation_report(generation, true);
    return brought;
}

einspul_status generation_bring_needs(struct generation *generation, int index)
{
    return bring_all(generation, index, BY_CAPTURE_OR_PROMOTION);
}

einspul_status generation_fingerprint(const struct generation *generation, int index,
                                      uint64_t *hash)
{
    const struct generate_options *options = generation->options;
    const einspul_metric metric = plan_read_metric(options);
    bool needs[MAX_MATERIALS];
    einspul_status status = EINSPUL_OK;
    *hash = 0;
    plan_needs(generation->plan, index, BY_CAPTURE_OR_PROMOTION, needs);
    for (int i = 0; i < index && status == EINSPUL_OK; i++) {
        struct table *table = NULL;
        if (!needs[i])
            continue;
        status = plan_open(options, generation->plan, i, metric, &table, generation->error);
        if (status == EINSPUL_OK)
            *hash = (*hash ^ table_header(table)->value_hash) * 0x9e3779b97f4a7c15u + 1;
        table_close(table);
    }
    return status;
}

einspul_status generation_write(const struct generation *generation, int index)
{
    const struct generate_options *options = generation->options;
    const struct planned_material *planned = &generation->plan->materials[index];
    const struct solved *solved = store_get(&generation->store, &planned->material);
    einspul_status status = EINSPUL_OK;

    for (int metric = EINSPUL_DTW; metric >= EINSPUL_WDL && status == EINSPUL_OK; metric--) {
        const struct table_id id = {options->rules, planned->material, (einspul_metric)metric};
        char path[PATHS_SIZE];
        if ((planned->to_write & (unsigned)metric) == 0)
            continue;
        status = table_path_below(options->root, id, path, sizeof path, generation->error);
        if (status == EINSPUL_OK)
            status = material_write_table(id, solved, path, options->zstd_level, options->n_threads,
                                          generation->error);
    }
    return status;
}
