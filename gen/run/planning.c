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
    char path[PATHS_SIZE];
    enum status status = STATUS_OK;
    if (material_number(options->anew, options->n_anew, &plan->materials[index].material) <
        options->n_anew)
        plan->materials[index].to_write |= (unsigned)metric;
    else
        status = plan_look_at_own(options, plan, index, metric, PLAN_BLOCKS, error);
    if (status != STATUS_OK || (plan->materials[index].to_write & (unsigned)metric) == 0)
        return status;
    status = plan_path(options, plan, index, metric, path, sizeof path, error);
    return status == STATUS_OK ? output_check(path, error) /* now, not after hours of solving */
                               : status;
}

/* Leaves of a list the materials that are made here, and what they lead to; returns their
 * number. */
static int keep_own(const struct generate_options *options, struct material list[MAX_MATERIALS],
                    int n)
{
    bool kept[MAX_MATERIALS] = {false};
    int n_kept = 0;
    for (int i = 0; i < n; i++) {
        struct material needed[MAX_MATERIALS];
        const int n_needed =
            material_is_borrowed(options->rules, &list[i]) ? 0 : material_closure(&list[i], needed);
        for (int j = 0; j < n_needed; j++)
            kept[material_number(list, n, &needed[j])] = true;
    }
    for (int i = 0; i < n; i++)
        if (kept[i])
            list[n_kept++] = list[i];
    return n_kept;
}

/* Looks for a table that is made under another rule set. */
static enum status look_at_borrowed(const struct generate_options *options,
                                    struct generate_plan *plan, int index, struct error *error)
{
    const struct material *material = &plan->materials[index].material;
    const enum metric metric = plan_read_metric(options);
    const char *rules_name = table_rules_name(options->rules, material);
    char name[MATERIAL_NAME_SIZE];
    const enum status status = plan_look(options, plan, index, metric, PLAN_HEADER, error);
    plan->materials[index].complete = true;
    material_write(material, name);
    return status != STATUS_NO_TABLE
               ? status
               : error_set(error, status,
                           "%s/%s.%s is needed and not there: tables of '%s' are made first",
                           rules_name, name, metric_suffix(metric), rules_name);
}

static enum status look_at_files(const struct generate_options *options, struct generate_plan *plan,
                                 struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < plan->n_materials && status == STATUS_OK; i++) {
        if (material_is_borrowed(options->rules, &plan->materials[i].material)) {
            status = look_at_borrowed(options, plan, i, error);
            continue;
        }
        for (int metric = METRIC_WDL; metric <= METRIC_DTW && status == STATUS_OK; metric++)
            if ((options->metrics & (unsigned)metric) != 0)
                status = look_at_file(options, plan, i, (enum metric)metric, error);
        plan->materials[i].complete = plan->materials[i].to_write == 0;
    }
    return status;
}

int generate_threads(int n_threads)
{
    return n_threads == 1 ? 1 : n_threads * (1 + MAX_WRITINGS) + 1;
}

enum status generate_plan(const struct generate_options *options, struct generate_plan *plan,
                          struct error *error)
{
    struct material list[MAX_MATERIALS];
    memset(plan, 0, sizeof *plan);
    if (options->pieces != 0 && (options->pieces < 2 || options->pieces > MAX_PIECES))
        return error_set(error, STATUS_BAD_ARGUMENT, "%d pieces: 2..%d are possible",
                         options->pieces, MAX_PIECES);
    if (options->metrics == 0 || options->metrics > METRICS_BOTH || options->n_threads < 1)
        return error_set(error, STATUS_BAD_ARGUMENT, "no metric, or no thread, to work with");
    int n = options->pieces > 0 ? material_list(2, options->pieces, list)
                                : material_closure(&options->material, list);
    if (options->rules->tables != options->rules->id)
        n = keep_own(options, list, n);
    plan_begin(plan, list, n);
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
