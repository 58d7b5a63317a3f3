/* `einspul compress`: tables rewritten one after the other, under the lock of their folder. Those
 * that omit other values than is asked for are generated again first. */
#include "cli/print.h"
#include "cli/tables.h"
#include "core/os_write.h"
#include "gen/run/generate.h"
#include "gen/run/planning.h"
#include "gen/system/folder.h"
#include "table/table_compress.h"

static enum compress_form form_of(const struct options *options)
{
    return options->whole ? COMPRESS_WHOLE : options->smallest ? COMPRESS_SMALLEST : COMPRESS_PLAIN;
}

/* Whether all tables that a material leads to exist, because omitted values are recomputed from
 * them. A table that cannot be opened at the moment is an error, since it may exist. */
static einspul_status leads_to_tables(einspul *handle, const struct material *material,
                                      einspul_metric metric, bool *leads, einspul_error *error)
{
    struct material list[MAX_MATERIALS];
    const int n = material_closure(material, list);
    *leads = true;
    for (int i = 0; i < n; i++) {
        const struct table *table = NULL;
        const einspul_status status = probe_table(handle, &list[i], metric, &table, error);
        if (status == EINSPUL_OK)
            continue;
        if (status != EINSPUL_NO_TABLE && status != EINSPUL_NO_METRIC && !status_is_damage(status))
            return status;
        *leads = false;
    }
    return EINSPUL_OK;
}

/* A table that is to be rewritten. */
struct rewriting {
    const struct table *table; /* as it was found */
    enum compress_form form;
    bool anew; /* it omits other values than those of the form: it is generated again before */
};

static einspul_status find_rewriting(const struct options *options, einspul *handle,
                                     const struct material *material, einspul_metric metric,
                                     struct rewriting *rewriting, einspul_error *error)
{
    bool leads = false;
    einspul_status status = probe_table(handle, material, metric, &rewriting->table, error);
    if (status == EINSPUL_OK)
        status = leads_to_tables(handle, material, metric, &leads, error);
    if (status != EINSPUL_OK)
        return status;
    rewriting->form = leads ? form_of(options) : COMPRESS_WHOLE;
    rewriting->anew = rewriting->form != COMPRESS_WHOLE &&
                      compress_is_other(rewriting->table, &options->rules, rewriting->form);
    return EINSPUL_OK;
}

static int compress_one(const struct options *options, einspul *handle,
                        const struct material *material, einspul_metric metric)
{
    const struct table_id id = {&options->rules, *material, metric};
    struct rewriting rewriting = {0};
    struct table *made = NULL;
    einspul_error error;
    uint64_t after = 0;
    if ((options->metrics & (unsigned)metric) == 0)
        return EXIT_DONE;
    einspul_status status = find_rewriting(options, handle, material, metric, &rewriting, &error);
    if (status == EINSPUL_OK && rewriting.anew)
        status = table_open(table_path(rewriting.table), id, &file_io_read, &made, &error);
    if (made != NULL && table_header(made)->value_hash != table_header(rewriting.table)->value_hash)
        status = error_set(&error, EINSPUL_CORRUPT,
                           "%s: generated again, it has other values than before",
                           path_text(table_path(rewriting.table)));
    if (status == EINSPUL_OK)
        status =
            table_compress(made != NULL ? made : rewriting.table, &options->rules, rewriting.form,
                           table_path(rewriting.table), options->n_threads, &after, &error);
    table_close(made);
    if (status != EINSPUL_OK)
        return complain(options, "%s", error.text);
    row_table(material, metric);
    row_count("before", table_header(rewriting.table)->file_size);
    row_count("after", after);
    row_end();
    return EXIT_DONE;
}

/* Generates tables of a metric again. What the last of them leads to comes with it, so that a
 * material is mostly solved once. */
static einspul_status generate_again(const struct options *options, einspul_metric metric,
                                     struct material *anew, int n_anew, einspul_error *error)
{
    struct generate_options generate = {
        .rules = &options->rules,
        .root = options->tables,
        .metrics = (unsigned)metric,
        .n_threads = options->n_threads,
        .zstd_level = options->level,
        .parts = PARTS_NONE,
        .anew = anew,
    };
    einspul_status status = EINSPUL_OK;
    while (n_anew > 0 && status == EINSPUL_OK) {
        struct generate_plan plan;
        struct material list[MAX_MATERIALS];
        int n_left = 0;
        generate.material = anew[n_anew - 1];
        generate.n_anew = n_anew;
        const int n = material_closure(&generate.material, list);
        status = generate_plan(&generate, &plan, error);
        if (status == EINSPUL_OK)
            status = generate_run(&generate, &plan, error);
        for (int i = 0; i < n_anew; i++)
            if (material_number(list, n, &anew[i]) == n)
                anew[n_left++] = anew[i];
        n_anew = n_left;
    }
    return status;
}

/* Generates those of the tables again that omit other values than is asked for. One that cannot be
 * opened is told of when it is its turn to be compressed. */
static int make_anew(const struct options *options, einspul *handle)
{
    struct table_request requests[MAX_MATERIALS];
    struct material anew[MAX_MATERIALS];
    const int n = tables_requested(options, handle, TABLES_OWN, requests);
    einspul_status status = n < 0 ? EINSPUL_NO_TABLE : EINSPUL_OK;
    einspul_error error;
    if (n < 0)
        return EXIT_WRONG;
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW && status == EINSPUL_OK; metric++) {
        int n_anew = 0;
        for (int i = 0; i < n; i++) {
            const struct material *material = &requests[i].material;
            struct rewriting rewriting = {0};
            if ((options->metrics & requests[i].metrics & (unsigned)metric) != 0 &&
                find_rewriting(options, handle, material, (einspul_metric)metric, &rewriting,
                               &error) == EINSPUL_OK &&
                rewriting.anew)
                anew[n_anew++] = *material;
        }
        status = generate_again(options, (einspul_metric)metric, anew, n_anew, &error);
    }
    return status == EINSPUL_OK ? EXIT_DONE : complain(options, "%s", error.text);
}

/* The work under the folder's lock, so that tables do not change after they were examined. */
static int run_locked(const struct options *options)
{
    einspul *handle = tables_open(options, options->rules.name, SMALL_CACHE);
    if (handle == NULL)
        return EXIT_WRONG;
    int result = make_anew(options, handle);
    if (result == EXIT_DONE)
        result = tables_each(options, handle, TABLES_OWN, "material\tmetric\tbefore\tafter",
                             compress_one);
    einspul_close(handle);
    return result;
}

static int run(const struct options *options)
{
    einspul_error error;
    int lock = -1;
    if (options->whole && options->smallest)
        return complain(options, "--whole and --smallest: only one of them");
    if (folder_lock(options->tables, &options->rules, &lock, &error) != EINSPUL_OK)
        return complain(options, "%s", error.text);
    const int result = run_locked(options);
    os_close(lock);
    return result;
}

const struct command command_compress = {
    .name = "compress",
    .summary = "rewrite tables in fewer bytes",
    .synopsis = "[MATERIAL…] [OPTION…]",
    .help =
        "Rewrites the named tables, by default all, with a model of each table: the same values\n"
        "in fewer bytes. This takes longer than generating them, and blocks take longer to\n"
        "decode. If all tables it leads to are present, a table omits values that a probe can\n"
        "recompute: states in which the side to move has moved a king as often in a row as it\n"
        "may, and of distances one side to move. A table that would not become smaller is left\n"
        "as it is.\n"
        "With --smallest, for tables that are kept rather than searched: outcomes omit one side\n"
        "to move too, and a probe of it makes all moves. Tables that omit other values than they\n"
        "would now are generated again first, which takes the memory 'generate' takes; not so\n"
        "with --whole, which leaves them as they are.\n"
        "Prints a header, then a line per table: material, metric, bytes before and after.",
    .takes = {TAKES(RULES), TAKES(FOLDER), TAKES(THREADS), TAKES(JSON), TAKES(METRIC), TAKES(WHOLE),
              TAKES(SMALLEST)},
    .arguments = ARGUMENTS_MATERIALS,
    .most_arguments = -1,
    .run = run,
    .threads = command_all_threads,
};
