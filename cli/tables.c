/* Opens tables, finds the requested materials, and visits their files. */
#include "cli/tables.h"

#include "cli/print.h"
#include "cli/progress.h"
#include "cli/system.h"
#include "core/os.h"
#include "core/program/index.h"
#include "core/program/materials.h"
#include "core/program/os_write.h"
#include "core/program/text.h"
#include "probe/program_handle.h"

#include <errno.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

/* Retries with smaller caches if memory is short, and then uses a quarter of the free memory, so that the
 * rest is left to threads and their work; a small cache only costs speed. */
einspul *tables_open_folders(const char *const *folders, size_t n_folders, const char *rules,
                             size_t cache_bytes, einspul_error *error)
{
    enum { MIN_CACHE = 1 << 20 };
    einspul *handle = NULL; /* as it stays after an error */
    size_t n_bytes = cache_bytes;
    while (probe_open(folders, n_folders, rules, n_bytes, &handle, error) == EINSPUL_NO_MEMORY &&
           n_bytes / 2 >= MIN_CACHE)
        n_bytes /= 2;
    if (handle != NULL && n_bytes < cache_bytes && n_bytes / 4 >= MIN_CACHE) {
        einspul_close(handle);
        n_bytes /= 4;
        probe_open(folders, n_folders, rules, n_bytes, &handle, error);
    }
    if (handle != NULL && n_bytes < cache_bytes)
        message("einspul", "warning: not enough memory for a cache of %zu MiB; using %zu MiB",
                cache_bytes >> 20, n_bytes >> 20);
    return handle;
}

int tables_open(const struct options *options, const char *rules, size_t cache_bytes,
                einspul **handle)
{
    einspul_error error;
    *handle = tables_open_folders(options->folders, options->n_folders, rules, cache_bytes, &error);
    if (*handle != NULL)
        return EXIT_OK;
    if (error.status == EINSPUL_NO_FOLDER)
        return command_message(options, "%s%s", error.text, tables_hint(options).text);
    return command_error(options, NULL, &error);
}

einspul_status proofs_open(const struct options *options, const char *path, einspul *handle,
                           struct book *book, einspul_error *error)
{
    einspul_error why;
    FILE *file = system_open_text(path);
    *book = (struct book){0};
    if (file == NULL)
        return error_set(error, EINSPUL_IO, "%.400s: %s", path, strerror(errno));
    const einspul_status status = book_read(book, file, handle, &why);
    fclose(file);
    if (book->note[0] != '\0')
        command_message(options, "%.400s: %s", path, book->note);
    return status == EINSPUL_OK ? status : error_set(error, status, "%.400s: %s", path, why.text);
}

/* The last part of a path, whose separators at the end are cut off. */
static char *last_part(char *path)
{
    size_t n = strlen(path);
    while (n > 1 && os_is_separator(path[n - 1]))
        path[--n] = '\0';
    while (n > 0 && !os_is_separator(path[n - 1]))
        n--;
    return path + n;
}

struct tables_hint tables_hint(const struct options *options)
{
    struct tables_hint hint = {""};
    for (size_t i = 0; i < options->n_folders && hint.text[0] == '\0'; i++) {
        char path[4096];
        char inside[4096];
        struct os_info info;
        const char *const *rules = einspul_rules_list();
        snprintf(path, sizeof path, "%s", options->folders[i]);
        snprintf(inside, sizeof inside, "%s/%s", options->folders[i], options->rules.name);
        char *name = last_part(path);
        while (*rules != NULL && strcmp(*rules, name) != 0)
            rules++;
        if (*rules == NULL || os_info_at(inside, &info) == 0)
            continue;
        *name = '\0';
        last_part(path);
        snprintf(hint.text, sizeof hint.text,
                 ": this is the folder of a rule set; use its parent: --tables %.220s",
                 path[0] != '\0' ? path : ".");
    }
    return hint;
}

/* METRICS_… that a material has files of. */
static unsigned find_metrics(const einspul_table_info *tables, int n_tables,
                             const struct material *material)
{
    const struct material_name name = material_name(material);
    for (int i = 0; i < n_tables; i++)
        if (strcmp(tables[i].material, name.text) == 0)
            return metrics_of(&tables[i]);
    return 0;
}

static bool is_requested(const struct table_request *requests, int n,
                         const struct material *material)
{
    while (n > 0 && !material_equal(&requests[n - 1].material, material))
        n--;
    return n > 0;
}

/* A material that is named twice, the other way round too, counts once. */
int tables_requested(const struct options *options, const einspul *handle, enum tables_of which,
                     struct table_request requests[MAX_MATERIALS])
{
    einspul_table_info tables[MAX_MATERIALS];
    const int n_tables = (int)einspul_list(handle, tables, MAX_MATERIALS);
    const bool named = options->n_arguments > 0;
    int n = 0;
    for (int i = 0; i < (named ? options->n_arguments : n_tables); i++) {
        const char *text = named ? options->arguments[i] : tables[i].material;
        struct table_request request = {.flipped = false};
        einspul_error error;
        if (material_read_canonical(text, &request.material, &request.flipped, &error) !=
            EINSPUL_OK) {
            command_error(options, NULL, &error);
            return -1;
        }
        const struct material_name name = material_name(&request.material);
        const bool other =
            which == TABLES_OWN && material_is_borrowed(&options->rules, &request.material);
        if ((other && !named) || is_requested(requests, n, &request.material))
            continue;
        request.metrics = find_metrics(tables, n_tables, &request.material);
        const char *owner = table_rules_name(&options->rules, &request.material);
        if (request.metrics == 0)
            command_message(
                options,
                "no table for %s in %.200s/%s; generate it with 'einspul generate --rules %s "
                "--material %s'",
                name.text, options->folders[0], options->rules.name, options->rules.name,
                name.text);
        else if (other)
            command_message(options, "%s is shared with the rule set '%s'; use --rules %s",
                            name.text, owner, owner);
        if (request.metrics == 0 || other)
            return -1;
        requests[n++] = request;
    }
    return n;
}

/* Set by a signal. */
static _Atomic int stop;

static void request_stop(int number)
{
    stop = number;
}

/* All visits of tables_each. */
struct visits {
    const char *doing;
    double began;                   /* in seconds */
    double n_states, n_states_done; /* of all tables */
    int n_tables, n_tables_done;
};

/* A table to visit. */
struct visit {
    struct visits *all;
    const struct material *material;
    einspul_metric metric;
    double n_states, n_states_done;
};

static double states_of(const struct options *options, const struct material *material)
{
    struct shape shape;
    shape_init(&shape, &options->rules, material);
    return (double)shape_states(&shape);
}

static void visit_advance(struct visit *visit, double done)
{
    visit->all->n_states_done += done * visit->n_states - visit->n_states_done;
    visit->n_states_done = done * visit->n_states;
}

static void show_visit(double done, void *context)
{
    struct visit *visit = context;
    struct visits *all = visit->all;
#pragma omp critical(tables_output)
    {
        visit_advance(visit, done);
        progress_show(seconds_now() - all->began, all->n_states_done / all->n_states, 0,
                      "%s %s.%s, %d of %d tables", all->doing, material_name(visit->material).text,
                      metric_suffix(visit->metric), all->n_tables_done, all->n_tables);
    }
}

/* Lists the tables to visit; returns their number. */
static int visits_list(const struct options *options, const struct table_request *requests,
                       int n_requests, struct visits *all, struct visit *list)
{
    for (int i = 0; i < n_requests; i++)
        for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
            if ((requests[i].metrics & (unsigned)metric) == 0)
                continue;
            list[all->n_tables++] =
                (struct visit){.all = all,
                               .material = &requests[i].material,
                               .metric = (einspul_metric)metric,
                               .n_states = states_of(options, &requests[i].material)};
            all->n_states += list[all->n_tables - 1].n_states;
        }
    return all->n_tables;
}

int tables_each(const struct options *options, einspul *handle, enum tables_of which,
                const char *columns, const char *doing, int n_at_once, tables_visit *visit)
{
    struct table_request requests[MAX_MATERIALS];
    struct visit list[2 * MAX_MATERIALS];
    const int n_requests = tables_requested(options, handle, which, requests);
    struct visits all = {.doing = doing, .began = seconds_now()};
    struct options each = *options; /* for the threads of one visit */
    int status = EXIT_OK;
    bool failed = false;

    if (n_requests < 0)
        return EXIT_USAGE;
    if (doing != NULL)
        system_on_stop(request_stop);
    const int n = visits_list(options, requests, n_requests, &all, list);
    n_at_once = n_at_once > n && n > 0 ? n : n_at_once;
    each.n_threads = options->n_threads / n_at_once > 1 ? options->n_threads / n_at_once : 1;
    if (n_at_once > 1 && each.n_threads > 1)
        omp_set_max_active_levels(2);
    row_header(columns);
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_at_once) if (n_at_once > 1)
    for (int i = 0; i < n; i++) {
        struct watch watch = {.stop = &stop, .report = show_visit, .context = &list[i]};
        bool ends = false;
#pragma omp critical(tables_output)
        ends = failed || !output_ok();
        if (ends)
            continue;
        const int result =
            visit(&each, handle, list[i].material, list[i].metric, doing != NULL ? &watch : NULL);
#pragma omp critical(tables_output)
        {
            progress_clear();
            output_flush();
            visit_advance(&list[i], 1);
            all.n_tables_done++;
            failed |= result == EXIT_FAILED || result == EXIT_USAGE;
            if (result == EXIT_FAILED || result == EXIT_USAGE ||
                (result == EXIT_CHECK_FAILED && !failed))
                status = result;
        }
    }
    return status;
}

void row_table(const struct material *material, einspul_metric metric)
{
    row_text("material", material_name(material).text);
    row_text("metric", metric_suffix(metric));
}

int tables_failed(const struct options *options, const struct material *material,
                  einspul_metric metric, const einspul_error *error)
{
    if (!status_is_wrong_content(error->status))
        return command_error(options, NULL, error);
    row_table(material, metric);
    row_error(error->text);
    row_end();
    return EXIT_CHECK_FAILED;
}

const char *material_needs(const struct rules *rules, const struct material *material,
                           char text[NEEDS_SIZE])
{
    struct material list[MAX_MATERIALS];
    const int n = material_successors(material, CAPTURES_AND_PROMOTIONS, list);
    text[0] = '\0';
    for (int i = 0; i < n; i++)
        if (!material_is_borrowed(rules, &list[i]))
            text_append(text, NEEDS_SIZE, "%s%s", text[0] == '\0' ? "" : ",",
                        material_name(&list[i]).text);
    return text[0] != '\0' ? text : NULL;
}
