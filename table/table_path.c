/* Paths of tables, for writing them and for opening one by name. The catalogue scans folders
 * instead, and converts names to materials. */
#include "table/table_path.h"

#include "core/rules.h"

#include <stdio.h>

enum status table_path_below(const char *root, struct table_id id, char *path, size_t size,
                             struct error *error)
{
    char name[MATERIAL_NAME_SIZE];
    material_write(&id.material, name);
    const int n =
        snprintf(path, size, "%s/%s/%s.%s", root, table_rules_name(id.rules, &id.material), name,
                 metric_suffix(id.metric));
    if (n < 0 || (size_t)n >= size)
        return error_set(error, STATUS_BAD_ARGUMENT, "the path of %s below %.200s is too long",
                         name, root);
    return STATUS_OK;
}
