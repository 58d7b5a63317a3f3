/* Opening tables by their path. */
#include "table/table_open.h"

#include <stdio.h>

einspul_status table_path_below(const char *root, struct table_id id, char *path, size_t size,
                                einspul_error *error)
{
    const int n = snprintf(path, size, "%s/%s", root, table_file_name(id).text);
    if (n < 0 || (size_t)n >= size)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "the path of %s below %.200s is too long",
                         material_name(&id.material).text, root);
    return EINSPUL_OK;
}

einspul_status table_open(const char *path, struct table_id id, const einspul_callbacks *callbacks,
                          struct table **table, einspul_error *error)
{
    struct file *file = NULL;
    const einspul_status status = file_open(path, callbacks, &file, error);
    *table = NULL;
    return status == EINSPUL_OK ? table_open_file(file, id, table, error) : status;
}
