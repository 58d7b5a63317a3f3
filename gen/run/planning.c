/* Sound files are kept, missing and damaged ones are made, and a file that cannot be read ends the
 * plan. */
#include "gen/run/planning.h"

#include "gen/run/plan_look.h"
#include "gen/run/plan_size.h"
#include "table/output.h"

#include <stdio.h>
#include <string.h>

/* That the files a material will have can be written: now, not after hours of solving. */
static einspul_status check_outputs(const struct generate_options *options,
                                    const struct generate_plan *plan, int index,
                                    einspul_error *error)
{
    einspul_status status = EINSPUL_OK;
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW && status == EINSPUL_OK; metric++) {
        char path[PATHS_SIZE];
        if ((plan->materials[index].to_write & (unsigned)metric) == 0)
            continue;
        status = plan_path(options, plan, index, (einspul_metric)metric, path, sizeof path, error);
        if (status == EINSPUL_OK)
            status = output_check(path, error);
    }
    return status;
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

/* Looks at the one material that is to be made, then at what it leads to and what it takes to bring
 * that in, from the largest to the smallest; the rest is left out of the plan. */
static einspul_status look_at_only(const struct generate_options *options,
                                   struct generate_plan *plan, einspul_error *error)
{
    const int own = plan->n_materials - 1;
    bool wanted[MAX_MATERIALS] = {false};
    bool needs[MAX_MATERIALS];
    einspul_status status = plan_look_at_own(options, plan, own, PLAN_HEADER, error);
    if (status == EINSPUL_OK)
        status = check_outputs(options, plan, own, error);
    wanted[own] = true;
    for (int i = own; i >= 0 && status == EINSPUL_OK; i--) {
        if (!wanted[i])
            continue;
        if (i != own)
            status = plan_look_at_input(options, plan, i, "", error);
        else if (plan->materials[own].complete)
            break;
        plan_needs(plan, i, i == own ? BY_CAPTURE_OR_PROMOTION : plan_succession(plan, i), needs);
        for (int j = 0; j < i; j++)
            wanted[j] = wanted[j] || needs[j];
    }
    plan->n_materials = 0;
    for (int i = 0; i <= own; i++)
        if (wanted[i])
            plan->materials[plan->n_materials++] = plan->materials[i];
    return status;
}

static einspul_status refuse_borrowed(const struct generate_options *options, einspul_error *error)
{
    return error_set(error, EINSPUL_BAD_ARGUMENT,
                     "the tables of %s are those of the rule set '%s', made under that one",
                     material_name(&options->material).text,
                     table_rules_name(options->rules, &options->material));
}

/* Looks for a table that is made under another rule set. */
static einspul_status look_at_borrowed(const struct generate_options *options,
                                       struct generate_plan *plan, int index, einspul_error *error)
{
    char hint[96];
    snprintf(hint, sizeof hint, ": tables of '%s' are made first",
             table_rules_name(options->rules, &plan->materials[index].material));
    return plan_look_at_input(options, plan, index, hint, error);
}

/* A file counts as sound when header and index do, and with options->check every block; else it is to be written,
 * unless it is not known what it is. */
static einspul_status look_at_files(const struct generate_options *options,
                                    struct generate_plan *plan, einspul_error *error)
{
    einspul_status status = EINSPUL_OK;
    for (int i = 0; i < plan->n_materials && status == EINSPUL_OK; i++) {
        if (material_is_borrowed(options->rules, &plan->materials[i].material)) {
            status = look_at_borrowed(options, plan, i, error);
            continue;
        }
        status =
            plan_look_at_own(options, plan, i, options->check ? PLAN_BLOCKS : PLAN_HEADER, error);
        if (status == EINSPUL_OK)
            status = check_outputs(options, plan, i, error);
    }
    return status;
}

int generate_threads(int n_threads)
{
    return n_threads == 1 ? 1 : n_threads * (1 + MAX_WRITINGS);
}

einspul_status generate_plan(const struct generate_options *options, struct generate_plan *plan,
                             einspul_error *error)
{
    struct material list[MAX_MATERIALS];
    memset(plan, 0, sizeof *plan);
    if (options->pieces != 0 && (options->pieces < 2 || options->pieces > MAX_PIECES))
        return error_set(error, EINSPUL_BAD_ARGUMENT, "%d pieces: 2..%d are possible",
                         options->pieces, MAX_PIECES);
    if (options->metrics == 0 || options->metrics > METRICS_BOTH || options->n_threads < 1)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "no metric, or no thread, to work with");
    int n = options->pieces > 0 ? material_list(2, options->pieces, list)
                                : material_closure(&options->material, list);
    if (options->only && material_is_borrowed(options->rules, &options->material))
        return refuse_borrowed(options, error);
    if (options->rules->tables != options->rules->id)
        n = keep_own(options, list, n);
    plan_begin(plan, list, n);
    const einspul_status status =
        options->only ? look_at_only(options, plan, error) : look_at_files(options, plan, error);
    if (status != EINSPUL_OK)
        return status;
    plan_for_memory(
        options, plan,
        memory_limit_find("", options->memory_bytes, generate_threads(options->n_threads)));
    plan_disk(options, plan);
    plan->disk_available = plan_disk_free(options->root);
    return EINSPUL_OK;
}
