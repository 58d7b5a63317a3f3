/* A table the run has written is opened once more, since it is the name that its file got, and what
 * the system says of it after that, which the next run finds. */
#include "gen/run/checked_tables.h"

#include "gen/system/checked.h"
#include "table/table_path.h"
#include "table/table_read.h"

void checked_note_decoded(const struct generate_options *options, const struct generate_plan *plan)
{
    for (int i = 0; i < plan->n_materials; i++) {
        for (int metric = METRIC_WDL; metric <= METRIC_DTW; metric++) {
            const struct table_id id = {options->rules, plan->materials[i].material,
                                        (enum metric)metric};
            char path[PATHS_SIZE];
            if (plan->materials[i].files[metric - 1].decoded &&
                plan->materials[i].files[metric - 1].folder == 0 &&
                table_path_below(options->root, id, path, sizeof path, NULL) == STATUS_OK)
                checked_note(path, plan->materials[i].files[metric - 1].identity,
                             &plan->materials[i].files[metric - 1].stamp);
        }
    }
}

void checked_note_written(const struct generate_options *options, const struct generate_plan *plan,
                          int index)
{
    for (int metric = METRIC_WDL; metric <= METRIC_DTW; metric++) {
        const struct table_id id = {options->rules, plan->materials[index].material,
                                    (enum metric)metric};
        struct table *table = NULL;
        struct file_stamp stamp;
        char path[PATHS_SIZE];
        if ((plan->materials[index].to_write & (unsigned)metric) != 0 &&
            table_path_below(options->root, id, path, sizeof path, NULL) == STATUS_OK &&
            table_open(path, id, &file_io_read, &table, NULL) == STATUS_OK &&
            table_stamp(table, &stamp))
            checked_note(path, table_identity(table), &stamp);
        table_close(table);
    }
}
