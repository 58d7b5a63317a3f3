/* Headers and indexes are read, which have checksums; blocks have their own, checked when they are
 * read. All of them are read where that is asked for. */
#include "gen/run/plan_look.h"

#include "table/pack.h"
#include "table/table_read.h"

#include <stdlib.h>
#include <string.h>

/* Decodes all blocks. The error of a table that could not be read comes before one that tells of
 * damage, so that a shortage is never taken for damage that it may have caused. */
static einspul_status check_blocks(const struct table *table, int n_threads, einspul_error *error)
{
    const int64_t n_blocks = (int64_t)table_header(table)->n_blocks;
    einspul_status first = EINSPUL_OK;
#pragma omp parallel for num_threads(n_threads) schedule(dynamic, 64)
    for (int64_t i = 0; i < n_blocks; i++) {
        struct block *block = NULL;
        einspul_error why;
        const einspul_status status = table_decode_block(table, (uint64_t)i, &block, &why);
        free(block);
        if (status == EINSPUL_OK)
            continue;
#pragma omp critical(plan_check_blocks)
        if (first == EINSPUL_OK || (status_is_damage(first) && !status_is_damage(status))) {
            first = status;
            *error = why;
        }
    }
    return first;
}

einspul_status plan_path(const struct generate_options *options, const struct generate_plan *plan,
                         int index, einspul_metric metric, char *path, size_t size,
                         einspul_error *error)
{
    const struct table_id id = {options->rules, plan->materials[index].material, metric};
    const int folder = plan->materials[index].files[metric - 1].folder;
    return table_path_below(folder == 0 ? options->root : options->more[folder - 1], id, path, size,
                            error);
}

/* Opens a table of a pack. */
static einspul_status open_packed(const struct pack *pack, struct table_id id, struct table **table,
                                  einspul_error *error)
{
    const struct table_name name = table_file_name(id);
    struct file *file = NULL;
    for (size_t i = 0; i < pack->n_entries; i++) {
        const struct pack_entry *entry = &pack->entries[i];
        if (strcmp(entry->name, name.text) != 0)
            continue;
        const einspul_status status =
            file_open_part(pack->file, name.text, entry->offset, entry->n_bytes, &file, error);
        return status == EINSPUL_OK ? table_open_file(file, id, table, error) : status;
    }
    return error_set(error, EINSPUL_NO_TABLE, "%s: no %s in it", path_text(file_path(pack->file)),
                     name.text);
}

einspul_status plan_open(const struct generate_options *options, const struct generate_plan *plan,
                         int index, einspul_metric metric, struct table **table,
                         einspul_error *error)
{
    const struct table_id id = {options->rules, plan->materials[index].material, metric};
    const int folder = plan->materials[index].files[metric - 1].folder;
    const struct pack *pack =
        folder > 0 && options->packs != NULL ? options->packs[folder - 1] : NULL;
    char path[PATHS_SIZE];
    *table = NULL;
    if (pack != NULL)
        return open_packed(pack, id, table, error);
    const einspul_status status = plan_path(options, plan, index, metric, path, sizeof path, error);
    return status == EINSPUL_OK ? table_open(path, id, &file_io_read, table, error) : status;
}

/* Looks at the file in the folder the plan has for it now. */
static einspul_status look_in_folder(const struct generate_options *options,
                                     struct generate_plan *plan, int index, einspul_metric metric,
                                     enum plan_depth depth, einspul_error *why)
{
    struct table *table = NULL;
    einspul_status status = plan_open(options, plan, index, metric, &table, why);
    if (status == EINSPUL_OK && depth == PLAN_BLOCKS)
        status = check_blocks(table, options->n_threads, why);
    if (status == EINSPUL_OK) {
        plan->materials[index].files[metric - 1].identity = table_identity(table);
        plan->materials[index].solved_again =
            plan->materials[index].solved_again || !table_is_whole(table);
    }
    table_close(table);
    return status;
}

/* Looks for a table in the root and the further roots and notes the first that is sound: folder,
 * identity, solved_again. Of damaged ones the error is that of the first. */
static einspul_status look(const struct generate_options *options, struct generate_plan *plan,
                           int index, einspul_metric metric, enum plan_depth depth,
                           einspul_error *error)
{
    einspul_status status = EINSPUL_NO_TABLE;
    for (int folder = 0; folder <= options->n_more; folder++) {
        einspul_error why;
        plan->materials[index].files[metric - 1].folder = folder;
        const einspul_status here = look_in_folder(options, plan, index, metric, depth, &why);
        const bool ends = here != EINSPUL_OK && here != EINSPUL_NO_TABLE && !status_is_damage(here);
        if (here == EINSPUL_OK)
            return EINSPUL_OK;
        if (folder == 0 || status == EINSPUL_NO_TABLE || ends) {
            status = here;
            *error = why;
        }
        if (ends)
            break;
    }
    plan->materials[index].files[metric - 1].folder = 0;
    return status;
}

/* Looks for a table that is to be made where it is missing or damaged, which the plan then says. */
static einspul_status look_at_own(const struct generate_options *options,
                                  struct generate_plan *plan, int index, einspul_metric metric,
                                  enum plan_depth depth, einspul_error *error)
{
    struct planned_material *planned = &plan->materials[index];
    einspul_error why = {EINSPUL_OK, ""};
    const bool anew =
        material_number(options->anew, options->n_anew, &planned->material) < options->n_anew;
    const einspul_status status =
        anew ? EINSPUL_NO_TABLE : look(options, plan, index, metric, depth, &why);
    if (status == EINSPUL_OK)
        return EINSPUL_OK;
    if (status != EINSPUL_NO_TABLE && !status_is_damage(status))
        return error_set(error, status, "%s", why.text);
    planned->to_write |= (unsigned)metric;
    planned->damaged |= status_is_damage(status) ? (unsigned)metric : 0;
    return EINSPUL_OK;
}

einspul_status plan_look_at_own(const struct generate_options *options, struct generate_plan *plan,
                                int index, enum plan_depth depth, einspul_error *error)
{
    einspul_status status = EINSPUL_OK;
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW && status == EINSPUL_OK; metric++)
        if ((options->metrics & (unsigned)metric) != 0)
            status = look_at_own(options, plan, index, (einspul_metric)metric, depth, error);
    plan->materials[index].complete = plan->materials[index].to_write == 0;
    return status;
}

einspul_status plan_look_at_input(const struct generate_options *options,
                                  struct generate_plan *plan, int index, const char *hint,
                                  einspul_error *error)
{
    const struct material *material = &plan->materials[index].material;
    const einspul_metric metric = plan_read_metric(options);
    const einspul_status status = look(options, plan, index, metric, PLAN_HEADER, error);
    plan->materials[index].complete = true;
    return status != EINSPUL_NO_TABLE
               ? status
               : error_set(error, status, "%s/%s.%s is needed and not there%s",
                           table_rules_name(options->rules, material), material_name(material).text,
                           metric_suffix(metric), hint);
}
