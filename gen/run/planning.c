/* Sound files are kept, missing and damaged ones are made, and a file that cannot be read ends the
 * plan. */
#include "gen/run/planning.h"

#include "gen/run/plan_look.h"
#include "gen/run/plan_size.h"
#include "table/output.h"

#include <string.h>

/* Looks for the file of a material and a metric. It counts as sound when header, index and every
 * block decode; else it is to be written, unless it is not known what it is. */
static enum status look_at_file(const struct generate_options *options, struct generate_plan *plan,
                                int index, enum metric metric, struct error *error)
{
    char path[4096];
    enum status status = plan_look_at_own(options, plan, index, metric, PLAN_BLOCKS, error);
    if (status != STATUS_OK || (plan->to_write[index] & (unsigned)metric) == 0)
        return status;
    status = plan_path(options, plan, index, metric, path, sizeof path, error);
    return status == STATUS_OK ? output_check(path, error) /* now, not after hours of solving */
                               : status;
}

/* Whether a material's tables are another rule set's: they are read, and made under that one. */
static bool is_borrowed(const struct generate_options *options, const struct material *material)
{
    return material_tables(options->rules, material) != options->rules->id;
}

/* Leaves the materials that are made here, and what they lead to. */
static void keep_own(const struct generate_options *options, struct generate_plan *plan)
{
    bool kept[MAX_MATERIALS] = {false};
    int n = 0;
    for (int i = 0; i < plan->n_materials; i++) {
        struct material list[MAX_MATERIALS];
        const int n_listed = is_borrowed(options, &plan->materials[i])
                                 ? 0
                                 : material_closure(&plan->materials[i], list);
        for (int j = 0; j < n_listed; j++)
            for (int k = 0; k <= i; k++)
                kept[k] = kept[k] || material_equal(&plan->materials[k], &list[j]);
    }
    for (int i = 0; i < plan->n_materials; i++)
        if (kept[i])
            plan->materials[n++] = plan->materials[i];
    plan->n_materials = n;
}

static enum status look_at_files(const struct generate_options *options, struct generate_plan *plan,
                                 struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < plan->n_materials && status == STATUS_OK; i++) {
        plan->complete[i] = is_borrowed(options, &plan->materials[i]);
        if (plan->complete[i]) {
            status = plan_look(options, plan, i, plan_read_metric(options), PLAN_HEADER, error);
            continue;
        }
        for (int metric = METRIC_WDL; metric <= METRIC_DTW && status == STATUS_OK; metric++)
            if ((options->metrics & (unsigned)metric) != 0)
                status = look_at_file(options, plan, i, (enum metric)metric, error);
        plan->complete[i] = plan->to_write[i] == 0;
    }
    return status;
}

int generate_threads(int n_threads)
{
    return n_threads == 1 ? 1 : n_threads * (1 + MAX_WRITINGS);
}

enum status generate_plan(const struct generate_options *options, struct generate_plan *plan,
                          struct error *error)
{
    memset(plan, 0, sizeof *plan);
    if (options->pieces != 0 && (options->pieces < 2 || options->pieces > MAX_PIECES))
        return error_set(error, STATUS_BAD_ARGUMENT, "%d pieces: 2..%d are possible",
                         options->pieces, MAX_PIECES);
    if (options->metrics == 0 || options->metrics > METRICS_BOTH || options->n_threads < 1)
        return error_set(error, STATUS_BAD_ARGUMENT, "no metric, or no thread, to work with");
    plan->n_materials = options->pieces > 0 ? material_list(2, options->pieces, plan->materials)
                                            : material_closure(&options->material, plan->materials);
    if (options->rules->tables != options->rules->id)
        keep_own(options, plan);
    const enum status status = look_at_files(options, plan, error);
    if (status != STATUS_OK)
        return status;
    plan_for_memory(
        options, plan,
        memory_limit_find("", options->memory_bytes, generate_threads(options->n_threads)));
    plan_disk(options, plan);
    plan->disk_available = plan_disk_free(options->root);
    return STATUS_OK;
}
