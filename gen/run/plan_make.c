/* Makes a plan from the tables that exist. Intact files are kept, missing and damaged ones are
 * generated, and a file that cannot be read is an error. Only headers and indexes are checked here;
 * blocks are checked when they are read. */
#include "gen/run/plan_make.h"

#include "core/program/materials.h"
#include "gen/run/budget.h"
#include "table/table_open.h"
#include "table/table_read.h"
#include "table/write/output.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- existing tables ----------------------------------------------------------------- */

einspul_status plan_open(const struct generate_options *options, const struct material *material,
                         einspul_metric metric, struct table **table, einspul_error *error)
{
    const struct table_id id = {options->rules, *material, metric};
    char path[PATHS_SIZE];
    *table = NULL;
    const einspul_status status = table_path_below(options->root, id, path, sizeof path, error);
    return status == EINSPUL_OK ? table_open(path, id, NULL, table, error) : status;
}

/* Checks a table, and sets solved_again if it omits values. */
static einspul_status find_table(const struct generate_options *options,
                                 struct planned_material *planned, einspul_metric metric,
                                 einspul_error *error)
{
    struct table *table = NULL;
    const einspul_status status = plan_open(options, &planned->material, metric, &table, error);
    if (status == EINSPUL_OK)
        planned->solved_again = planned->solved_again || !table_is_complete(table);
    table_close(table);
    return status;
}

/* Finds the tables of a material, and notes which are missing or damaged; and checks now, rather than after hours of solving, that these can be written. Errors as
 * table_open and output_check. */
static einspul_status check_own(const struct generate_options *options, struct generate_plan *plan,
                                int index, einspul_error *error)
{
    struct planned_material *planned = &plan->materials[index];
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
        const struct table_id id = {options->rules, planned->material, (einspul_metric)metric};
        char path[PATHS_SIZE];
        einspul_error why = {EINSPUL_OK, ""};
        einspul_status status = EINSPUL_OK;
        if ((options->metrics & (unsigned)metric) == 0)
            continue;
        status = find_table(options, planned, (einspul_metric)metric, &why);
        if (status == EINSPUL_OK)
            continue;
        if (status != EINSPUL_NO_TABLE && !status_is_damage(status))
            return error_set(error, status, "%s", why.text);
        planned->to_write |= (unsigned)metric;
        planned->damaged |= status_is_damage(status) ? (unsigned)metric : 0;
        status = table_path_below(options->root, id, path, sizeof path, error);
        if (status == EINSPUL_OK)
            status = output_check(path, error);
        if (status != EINSPUL_OK)
            return status;
    }
    planned->complete = planned->to_write == 0;
    return EINSPUL_OK;
}

/* Like check_own, for a material that is only read. Its table must exist: NO_TABLE, with a hint
 * if it belongs to another rule set. */
static einspul_status check_input(const struct generate_options *options,
                                  struct generate_plan *plan, int index, einspul_error *error)
{
    const struct material *material = &plan->materials[index].material;
    const einspul_metric metric = plan_read_metric(options);
    const char *owner = table_rules_name(options->rules, material);
    const einspul_status status = find_table(options, &plan->materials[index], metric, error);
    plan->materials[index].complete = true;
    return status != EINSPUL_NO_TABLE
               ? status
               : error_set(error, status, "%s/%s.%s not found; generate it first, with --rules %s",
                           owner, material_name(material).text, metric_suffix(metric), owner);
}

/* --- the plan --------------------------------------------------------------------------------- */

/* Reduces a list to the materials whose tables belong to this rule set, and their successors;
 * returns the new length. */
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
            kept[material_position_in(list, n, &needed[j])] = true;
    }
    for (int i = 0; i < n; i++)
        if (kept[i])
            list[n_kept++] = list[i];
    return n_kept;
}

/* Examines the one material that is to be generated, then its successors and those needed to load
 * them, from the largest to the smallest; the plan omits the rest. */
static einspul_status check_single(const struct generate_options *options,
                                   struct generate_plan *plan, einspul_error *error)
{
    const int own = plan->n_materials - 1;
    bool wanted[MAX_MATERIALS] = {false};
    bool needs[MAX_MATERIALS];
    einspul_status status = check_own(options, plan, own, error);
    wanted[own] = true;
    for (int i = own; i >= 0 && status == EINSPUL_OK; i--) {
        if (!wanted[i])
            continue;
        if (i != own)
            status = check_input(options, plan, i, error);
        else if (plan->materials[own].complete)
            break;
        plan_needs(plan, i, i == own ? CAPTURES_AND_PROMOTIONS : plan_succession(plan, i), needs);
        for (int j = 0; j < i; j++)
            wanted[j] = wanted[j] || needs[j];
    }
    plan->n_materials = 0;
    for (int i = 0; i <= own; i++)
        if (wanted[i])
            plan->materials[plan->n_materials++] = plan->materials[i];
    return status;
}

/* A file counts as intact if its header and index do; otherwise it is to be written, unless its
 * kind is unknown. */
static einspul_status check_all(const struct generate_options *options, struct generate_plan *plan,
                                einspul_error *error)
{
    einspul_status status = EINSPUL_OK;
    for (int i = 0; i < plan->n_materials && status == EINSPUL_OK; i++)
        status = material_is_borrowed(options->rules, &plan->materials[i].material)
                     ? check_input(options, plan, i, error)
                     : check_own(options, plan, i, error);
    return status;
}

einspul_status generate_plan(const struct generate_options *options, struct generate_plan *plan,
                             einspul_error *error)
{
    struct material list[MAX_MATERIALS];
    memset(plan, 0, sizeof *plan);
    if (options->pieces != 0 && (options->pieces < 2 || options->pieces > MAX_PIECES))
        return error_set(error, EINSPUL_BAD_ARGUMENT, "%d pieces: must be 2 to %d", options->pieces,
                         MAX_PIECES);
    int n = options->pieces > 0 ? material_list(2, options->pieces, list)
                                : material_closure(&options->material, list);
    if (options->single && material_is_borrowed(options->rules, &options->material))
        return error_set(error, EINSPUL_BAD_ARGUMENT,
                         "%s is shared with the rule set '%s'; generate it with --rules %s",
                         material_name(&options->material).text,
                         table_rules_name(options->rules, &options->material),
                         table_rules_name(options->rules, &options->material));
    if (options->rules->table_rules != options->rules->id)
        n = keep_own(options, list, n);
    plan_begin(plan, list, n);
    const einspul_status status =
        options->single ? check_single(options, plan, error) : check_all(options, plan, error);
    if (status != EINSPUL_OK)
        return status;
    budget_fit_memory(options, plan, memory_limit_find(options->memory_limit, options->n_threads));
    budget_add_disk(options, plan);
    return EINSPUL_OK;
}
