/* Writes and checks manifests: a header, a line per file, and a last line that counts them with
 * their bytes, so that truncation at a line end is detected. All lines are validated before any
 * file is checked. */
#include "cli/manifest.h"

#include "cli/print.h"
#include "cli/system.h"
#include "cli/tables.h"
#include "core/program/materials.h"
#include "probe/program_handle.h"
#include "table/checksum_parts.h"
#include "table/table_open.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char columns[] = "file\tbytes\txxh64\tvalues";

enum { HASHED_AT_ONCE = 1 << 20, LINE_SIZE = 256, MAX_ENTRIES = 2 * MAX_MATERIALS };

static einspul_status hash_file(const struct file *file, uint64_t *hash, einspul_error *error)
{
    struct checksum sum;
    checksum_begin(&sum);
    for (uint64_t at = 0; at < file->size; at += HASHED_AT_ONCE) {
        const uint64_t left = file->size - at;
        const size_t n = left < HASHED_AT_ONCE ? (size_t)left : (size_t)HASHED_AT_ONCE;
        uint8_t *bytes = NULL;
        const einspul_status status = file_read(file, at, n, &bytes, error);
        if (status != EINSPUL_OK)
            return status;
        checksum_add(&sum, bytes, n);
        free(bytes);
    }
    *hash = checksum_end(&sum);
    return EINSPUL_OK;
}

/* --- writing ---------------------------------------------------------------------------------- */

static int print_file(const struct options *options, einspul *handle,
                      const struct material *material, einspul_metric metric)
{
    const struct table *table = NULL;
    einspul_error error;
    const struct table_id id = {&options->rules, *material, metric};
    uint64_t hash = 0;
    einspul_status status = probe_table(handle, material, metric, &table, &error);
    if (status == EINSPUL_OK)
        status = hash_file(table->file, &hash, &error);
    if (status != EINSPUL_OK)
        return command_error(options, NULL, &error);
    row_text("file", table_file_name(id).text);
    row_count("bytes", table->header.file_size);
    row_hash("xxh64", hash);
    row_hash("values", table->header.value_hash);
    row_end();
    return EXIT_OK;
}

int manifest_print(const struct options *options, einspul *handle)
{
    einspul_table_info tables[MAX_MATERIALS];
    const size_t n_tables = einspul_list(handle, tables, MAX_MATERIALS);
    uint64_t n_files = 0;
    uint64_t n_bytes = 0;
    for (size_t i = 0; i < n_tables; i++) {
        n_files += (uint64_t)tables[i].has_wdl + (uint64_t)tables[i].has_dtw;
        n_bytes += tables[i].wdl_bytes + tables[i].dtw_bytes;
    }
    const int result = tables_each(options, handle, TABLES_ALL, columns, print_file);
    if (result == EXIT_OK && !options->json)
        printf("total\t%" PRIu64 "\t%" PRIu64 " files\n", n_bytes, n_files);
    return result;
}

/* --- checking --------------------------------------------------------------------------------- */

/* A line of a manifest. */
struct manifest_entry {
    char name[TABLE_NAME_SIZE];
    struct material material;
    einspul_metric metric;
    uint64_t n_bytes, hash, values;
};

/* Reads a line; false if it is not the file of a table the rule set uses. */
static bool read_entry(const struct rules *rules, const char *line, struct manifest_entry *entry)
{
    char material[MATERIAL_NAME_SIZE];
    char suffix[4];
    int end = 0;
    if (sscanf(line, "%39[^\t]\t%19" SCNu64 "\t%16" SCNx64 "\t%16" SCNx64 "%n", entry->name,
               &entry->n_bytes, &entry->hash, &entry->values, &end) != 4 ||
        strcmp(line + end, "\n") != 0 ||
        sscanf(entry->name, "%*[^/]/%11[^.].%3s", material, suffix) != 2 ||
        material_read(material, &entry->material, NULL) != EINSPUL_OK ||
        !material_is_canonical(&entry->material))
        return false;
    entry->metric = strcmp(suffix, metric_suffix(EINSPUL_WDL)) == 0 ? EINSPUL_WDL : EINSPUL_DTW;
    const struct table_id id = {rules, entry->material, entry->metric};
    return strcmp(table_file_name(id).text, entry->name) == 0;
}

/* True if a line is the last one and counts these files. */
static bool is_total(const char *line, uint64_t n_files, uint64_t n_bytes)
{
    char total[LINE_SIZE];
    snprintf(total, sizeof total, "total\t%" PRIu64 "\t%" PRIu64 " files\n", n_bytes, n_files);
    return strcmp(line, total) == 0;
}

/* Reads all lines; their number, or -1 after a message. */
static int read_entries(const struct options *options, const char *path, FILE *file,
                        struct manifest_entry entries[MAX_ENTRIES])
{
    char line[LINE_SIZE] = "";
    uint64_t n_bytes = 0;
    int n = 0;
    if (fgets(line, sizeof line, file) == NULL || strncmp(line, columns, strlen(columns)) != 0 ||
        strcmp(line + strlen(columns), "\n") != 0) {
        command_message(options, "%s: not a manifest: the first line must be '%s'", path,
                        "file bytes xxh64 values");
        return -1;
    }
    while (fgets(line, sizeof line, file) != NULL) {
        if (n < MAX_ENTRIES && read_entry(&options->rules, line, &entries[n])) {
            n_bytes += entries[n++].n_bytes;
        } else if (!is_total(line, (uint64_t)n, n_bytes)) {
            command_message(
                options,
                strncmp(line, "total\t", 6) == 0
                    ? "%s: line %d: the totals do not match the lines above"
                    : "%s: line %d does not name a table of this rule set (see --rules)",
                path, n + 2);
            return -1;
        } else if (fgets(line, sizeof line, file) == NULL) {
            return n;
        } else {
            command_message(options, "%s: line %d: unexpected text after the totals", path, n + 2);
            return -1;
        }
    }
    command_message(options,
                    ferror(file) ? "%s: read error"
                                 : "%s: truncated: the line with the totals is missing",
                    path);
    return -1;
}

/* Sets `*fault` to the fault of an entry's file; NULL if it has none. */
static einspul_status find_fault(einspul *handle, const struct manifest_entry *entry,
                                 const char **fault, einspul_error *error)
{
    const struct table *table = NULL;
    uint64_t hash = 0;
    einspul_status status = probe_table(handle, &entry->material, entry->metric, &table, error);
    /* The library may answer outcomes from the .dtw file; the entry means the .wdl file itself. */
    if (status == EINSPUL_NO_TABLE || status == EINSPUL_NO_METRIC ||
        (status == EINSPUL_OK && table->header.metric != entry->metric)) {
        *fault = "missing";
        return EINSPUL_OK;
    }
    if (status_is_wrong_content(status)) {
        *fault = error->text;
        return EINSPUL_OK;
    }
    if (status == EINSPUL_OK && table->header.file_size == entry->n_bytes)
        status = hash_file(table->file, &hash, error);
    if (status == EINSPUL_OK && table->header.value_hash != entry->values)
        *fault = "other values";
    else if (status == EINSPUL_OK &&
             (table->header.file_size != entry->n_bytes || hash != entry->hash))
        *fault = "other bytes";
    return status;
}

int manifest_check(const struct options *options, einspul *handle, const char *path)
{
    static struct manifest_entry entries[MAX_ENTRIES]; /* static: too large for the stack */
    int result = EXIT_OK;
    FILE *file = system_open_text(path);
    if (file == NULL)
        return command_message(options, "cannot open %s: %s", path, strerror(errno));
    const int n = read_entries(options, path, file, entries);
    fclose(file);
    if (n < 0)
        return EXIT_USAGE;
    row_header("file\tfault");
    for (int i = 0; i < n; i++) {
        const char *fault = NULL;
        einspul_error error;
        if (find_fault(handle, &entries[i], &fault, &error) != EINSPUL_OK)
            return command_error(options, NULL, &error);
        row_text("file", entries[i].name);
        row_text("fault", fault);
        row_end();
        result = fault != NULL ? EXIT_CHECK_FAILED : result;
    }
    return result;
}
