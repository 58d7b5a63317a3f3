/* A manifest is made and read as text: a header, a line per file, and a last line that counts them
 * with their bytes, so that one that is cut at a line's end is noticed. It is read twice: nothing is
 * said of any file before all lines are known to be sound. */
#include "cli/manifest.h"

#include "cli/print.h"
#include "cli/system.h"
#include "table/table_facts.h"

#include <inttypes.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

static const char columns[] = "file\tbytes\txxh64\tvalues";

enum { HASHED_AT_ONCE = 1 << 20, LINE_SIZE = 256 };

/* What the last line counts. */
struct manifest_total {
    uint64_t n_files, n_bytes;
};

static einspul_status hash_file(const struct file *file, uint64_t *hash, einspul_error *error)
{
    XXH64_state_t state;
    XXH64_reset(&state, 0);
    for (uint64_t at = 0; at < file_size(file); at += HASHED_AT_ONCE) {
        const uint64_t left = file_size(file) - at;
        const size_t n = left < HASHED_AT_ONCE ? (size_t)left : (size_t)HASHED_AT_ONCE;
        uint8_t *bytes = NULL;
        const einspul_status status = file_read(file, at, n, &bytes, error);
        if (status != EINSPUL_OK)
            return status;
        XXH64_update(&state, bytes, n);
        free(bytes);
    }
    *hash = XXH64_digest(&state);
    return EINSPUL_OK;
}

/* --- making it -------------------------------------------------------------------------------- */

static int print_file(const struct options *options, einspul *handle,
                      const struct material *material, einspul_metric metric)
{
    const struct table *table = NULL;
    einspul_error error;
    const struct table_id id = {&options->rules, *material, metric};
    uint64_t hash = 0;
    einspul_status status = probe_table(handle, material, metric, &table, &error);
    if (status == EINSPUL_OK)
        status = hash_file(table_file(table), &hash, &error);
    if (status != EINSPUL_OK)
        return complain(options, "%s", error.text);
    row_text("file", table_file_name(id).text);
    row_count("bytes", table_header(table)->file_size);
    row_hash("xxh64", hash);
    row_hash("values", table_header(table)->value_hash);
    row_end();
    return EXIT_DONE;
}

int manifest_print(const struct options *options, einspul *handle)
{
    einspul_table_info tables[MAX_MATERIALS];
    const size_t n_tables = einspul_list(handle, tables, MAX_MATERIALS);
    struct manifest_total total = {0, 0};
    for (size_t i = 0; i < n_tables; i++) {
        total.n_files += (uint64_t)tables[i].has_wdl + (uint64_t)tables[i].has_dtw;
        total.n_bytes += tables[i].wdl_bytes + tables[i].dtw_bytes;
    }
    const int result = tables_each(options, handle, TABLES_ALL, columns, print_file);
    if (result == EXIT_DONE && !options->json)
        printf("total\t%" PRIu64 "\t%" PRIu64 " files\n", total.n_bytes, total.n_files);
    return result;
}

/* --- comparing with it ------------------------------------------------------------------------ */

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

/* What is wrong with the file of an entry; NULL if nothing is. */
static einspul_status find_fault(einspul *handle, const struct manifest_entry *entry,
                                 const char **fault, einspul_error *error)
{
    const struct table *table = NULL;
    uint64_t hash = 0;
    einspul_status status = probe_table(handle, &entry->material, entry->metric, &table, error);
    /* The outcomes of a material may be read from its distances: that is another file. */
    if (status == EINSPUL_NO_TABLE || status == EINSPUL_NO_METRIC ||
        (status == EINSPUL_OK && table_header(table)->metric != entry->metric)) {
        *fault = "missing";
        return EINSPUL_OK;
    }
    if (status_is_content(status)) {
        *fault = error->text;
        return EINSPUL_OK;
    }
    if (status == EINSPUL_OK && table_header(table)->file_size == entry->n_bytes)
        status = hash_file(table_file(table), &hash, error);
    if (status == EINSPUL_OK && table_header(table)->value_hash != entry->values)
        *fault = "other values";
    else if (status == EINSPUL_OK &&
             (table_header(table)->file_size != entry->n_bytes || hash != entry->hash))
        *fault = "other bytes";
    return status;
}

static int check_entry(const struct options *options, einspul *handle,
                       const struct manifest_entry *entry)
{
    const char *fault = NULL;
    einspul_error error;
    if (find_fault(handle, entry, &fault, &error) != EINSPUL_OK)
        return complain(options, "%s", error.text);
    row_text("file", entry->name);
    row_text("fault", fault);
    row_end();
    return fault == NULL ? EXIT_DONE : EXIT_NO;
}

/* The next line that is a file's; 0 behind the last, -1 after a message. `*n` is its number. */
static int next_entry(const struct options *options, const char *path, FILE *file, int *n,
                      struct manifest_entry *entry, struct manifest_total *total)
{
    char line[LINE_SIZE] = "";
    struct manifest_total told;
    int end = 0;
    ++*n;
    if (fgets(line, sizeof line, file) == NULL) {
        complain(options,
                 ferror(file) ? "%s: cannot read"
                              : "%s: cut, as the last line is missing, which counts the files",
                 path);
        return -1;
    }
    if (read_entry(&options->rules, line, entry)) {
        total->n_files++;
        total->n_bytes += entry->n_bytes;
        return 1;
    }
    if (sscanf(line, "total\t%19" SCNu64 "\t%19" SCNu64 " files%n", &told.n_bytes, &told.n_files,
               &end) != 2 ||
        strcmp(line + end, "\n") != 0) {
        complain(options, "%s: line %d is not the file of a table of '%s'", path, *n,
                 options->rules.name);
        return -1;
    }
    if (told.n_files == total->n_files && told.n_bytes == total->n_bytes &&
        fgets(line, sizeof line, file) == NULL)
        return 0;
    complain(options, "%s: line %d does not count the files before it, or is not the last", path,
             *n);
    return -1;
}

static int check_lines(const struct options *options, einspul *handle, const char *path, FILE *file)
{
    char line[LINE_SIZE] = "";
    struct manifest_entry entry;
    struct manifest_total total = {0, 0};
    int result = EXIT_DONE;
    int found = 1;
    int n = 1;
    if (fgets(line, sizeof line, file) == NULL || strncmp(line, columns, strlen(columns)) != 0 ||
        strcmp(line + strlen(columns), "\n") != 0)
        return complain(options, "%s: not a manifest, whose first line is '%s'", path,
                        "file bytes xxh64 values");
    const long begin = ftell(file);
    while (found > 0)
        found = next_entry(options, path, file, &n, &entry, &total);
    if (found < 0)
        return EXIT_WRONG;
    if (begin < 0 || fseek(file, begin, SEEK_SET) != 0)
        return complain(options, "%s: a file is expected, to be read twice", path);
    row_header("file\tfault");
    total = (struct manifest_total){0, 0};
    while ((found = next_entry(options, path, file, &n, &entry, &total)) > 0) {
        const int status = check_entry(options, handle, &entry);
        if (status == EXIT_WRONG)
            return status;
        result = status > result ? status : result;
    }
    return found < 0 ? EXIT_WRONG : result;
}

int manifest_check(const struct options *options, einspul *handle, const char *path)
{
    FILE *file = system_open_text(path);
    if (file == NULL)
        return complain(options, "%s: cannot open", path);
    const int result = check_lines(options, handle, path, file);
    fclose(file);
    return result;
}
