/* The file has a few hundred lines and is read for each table. */
#include "cli/published_hashes.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/system.h"
#include "table/metric.h"

enum { LINE_SIZE = 128 };

/* True if a line begins with the three fields of the table; *hash is its fourth. */
static bool line_is_of(const char *line, const char *fields, uint64_t *hash)
{
    const size_t n = strlen(fields);
    return strncmp(line, fields, n) == 0 && sscanf(line + n, "%16" SCNx64, hash) == 1;
}

einspul_status published_hashes_check(const char *path, struct table_id id,
                                      const struct table *table, einspul_error *error)
{
    char fields[LINE_SIZE];
    char line[LINE_SIZE];
    uint64_t hash = 0;
    bool found = false;
    FILE *file = system_open_text(path);
    if (file == NULL)
        return error_set(error, EINSPUL_IO, "%.400s: %s", path, strerror(errno));
    snprintf(fields, sizeof fields, "%s\t%s\t%s\t", id.rules->name,
             material_name(&id.material).text, metric_suffix(id.metric));
    while (!found && fgets(line, sizeof line, file) != NULL)
        found = line_is_of(line, fields, &hash);
    const bool failed = ferror(file) != 0;
    fclose(file);
    if (failed)
        return error_set(error, EINSPUL_IO, "%.400s: cannot be read", path);
    if (!found)
        return error_set(error, EINSPUL_NO_TABLE, "no published value hash");
    if (hash != table->header.value_hash)
        return error_set(error, EINSPUL_CORRUPT, "value hash %016" PRIx64 ", published %016" PRIx64,
                         table->header.value_hash, hash);
    return EINSPUL_OK;
}
