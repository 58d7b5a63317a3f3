/* Carrying out a plan, one material after the other: load what the material needs, solve it, write
 * its tables. Tables of small materials are written by a thread of their own while the next materials
 * are solved. The store keeps a material as long as a later one needs it. */
#include "gen/generate.h"

#include "core/os_write.h"
#include "gen/budget.h"
#include "gen/checked.h"
#include "gen/checked_tables.h"
#include "gen/folder.h"
#include "gen/material_job.h"
#include "gen/material_write.h"
#include "gen/plan.h"
#include "table/table_format.h"
#include "table/table_path.h"
#include "table/table_read.h"

#include <pthread.h>
#include <stdio.h>

/* A solved material whose tables are being written while the next ones are solved. */
struct writing {
    const struct generation *generation;
    int index; /* of the material */
    struct tally *tally;
    bool behind; /* by a thread of its own */
    pthread_t thread;
    enum status status;
    struct error error;
};

struct generation {
    const struct generate_options *options;
    const struct generate_plan *plan;
    struct store store;
    struct generate_progress progress;
    double start;
    double last_report;
    struct writing writings[MAX_WRITINGS]; /* number i is at i % MAX_WRITINGS */
    int n_begun, n_ended;
    struct error *error;
};

static double now(void)
{
    return 1e-9 * (double)os_now_ns();
}

static void report(struct generation *generation, bool always)
{
    const double time = now();
    if (generation->options->progress == NULL || (!always && time - generation->last_report < 0.2))
        return;
    generation->last_report = time;
    generation->progress.seconds = time - generation->start;
    generation->options->progress(&generation->progress, generation->options->context);
}

/* Tells that material number `index` is complete, while another one may be in work. */
static void report_table(struct generation *generation, int index)
{
    struct generate_progress *progress = &generation->progress;
    const struct material in_work = progress->material;
    progress->material = generation->plan->materials[index];
    progress->n_tables_done++;
    progress->table_done = true;
    report(generation, true);
    progress->material = in_work;
    progress->table_done = false;
}

static void states_done(uint64_t n_states, void *context)
{
    struct generation *generation = context;
    generation->progress.n_states_done += n_states;
    report(generation, false);
}

static void states_found(uint64_t n_states, void *context)
{
    struct generation *generation = context;
    generation->progress.n_states_found += n_states;
    states_done(n_states, context);
}

/* --- materials -------------------------------------------------------------------------------- */

static struct material_job make_job(struct generation *generation, int index)
{
    const struct generate_options *options = generation->options;
    const struct material_job job = {
        .store = &generation->store,
        .material = generation->plan->materials[index],
        .metric =
            plan_metric(options->rules, &generation->plan->materials[index], options->metrics),
        .solver = plan_solver(options->solver),
        .n_threads = options->n_threads,
    };
    return job;
}

/* Gives values the memory they may have while a material is in work; returns what its frames may
 * take. */
static uint64_t limit_values(struct generation *generation, int index, bool loading)
{
    const struct budget budget =
        budget_divide(generation->options, generation->plan, index, loading);
    pager_limit(generation->store.pager, budget.values_bytes);
    return budget.work_bytes;
}

/* That a table is the one the plan was made with, or one this run wrote. No other process can have
 * replaced it while the lock is held, but not every file system keeps locks. */
static enum status check_planned(const struct generation *generation, int index, enum metric metric,
                                 const struct table *table)
{
    const uint64_t planned = generation->plan->identity[index][metric - 1];
    if (planned != 0 ? table_identity(table) == planned : table_is_whole(table))
        return STATUS_OK;
    return error_set(generation->error, STATUS_LOCKED,
                     "%s: another process has replaced it meanwhile", path_text(table_path(table)));
}

/* Brings a complete material into the store, after those its captures lead to, which no file holds.
 * What its file leaves out is had by solving it again. So are the smallest: in a run for WDL tables
 * their distances are needed, and not every file has them. */
static enum status bring_in(struct generation *generation, int index)
{
    const struct generate_options *options = generation->options;
    struct material_job job = make_job(generation, index);
    const enum metric metric = (options->metrics & METRICS_DTW) != 0 ? METRIC_DTW : METRIC_WDL;
    const struct table_id id = {options->rules, generation->plan->materials[index], metric};
    struct table *table = NULL;
    char path[4096];
    bool needs[MAX_MATERIALS];
    enum status status = STATUS_OK;

    plan_needs(generation->plan, index, plan_succession(generation->plan, index), needs);
    for (int i = 0; i < index && status == STATUS_OK; i++)
        if (needs[i] && store_get(&generation->store, &generation->plan->materials[i]) == NULL)
            status = bring_in(generation, i);
    if (status != STATUS_OK)
        return status;
    const bool loading = job.metric == metric && !generation->plan->solved_again[index];
    job.work_bytes = limit_values(generation, index, loading);
    if (!loading)
        return material_solve(&job, generation->error);
    status = table_path_below(options->root, id, path, sizeof path, generation->error);
    if (status == STATUS_OK)
        status = table_open(path, id, &file_io_read, &table, generation->error);
    if (status == STATUS_OK)
        status = check_planned(generation, index, metric, table);
    if (status == STATUS_OK) {
        status = material_load(&job, table, generation->error);
        if (plan_is_damage(status))
            checked_forget(path); /* or the next run would take it for sound as well */
    }
    table_close(table);
    return status;
}

/* --- files of what is solved so far ----------------------------------------------------------- */

static enum status part_path(const struct generation *generation, int index, char *path,
                             size_t size)
{
    const struct generate_options *options = generation->options;
    char name[MATERIAL_NAME_SIZE];
    material_write(&generation->plan->materials[index], name);
    const int n = snprintf(path, size, "%s/%s/.%s.part", options->root, options->rules->name, name);
    if (n < 0 || (size_t)n >= size)
        return error_set(generation->error, STATUS_BAD_ARGUMENT,
                         "the path of %s below %.200s is too long", name, options->root);
    return STATUS_OK;
}

/* --- writing ---------------------------------------------------------------------------------- */

/* Writes those tables of a material that are not there yet. */
static enum status write_tables(const struct writing *writing, struct error *error)
{
    const struct generation *generation = writing->generation;
    const int index = writing->index;
    const struct generate_options *options = generation->options;
    const struct solved *solved =
        store_get(&generation->store, &generation->plan->materials[index]);
    enum status status = STATUS_OK;

    for (int metric = METRIC_DTW; metric >= METRIC_WDL && status == STATUS_OK; metric--) {
        const struct table_id id = {options->rules, solved->shape.material, (enum metric)metric};
        char path[4096];
        if ((generation->plan->to_write[index] & (unsigned)metric) == 0)
            continue;
        status = table_path_below(options->root, id, path, sizeof path, error);
        if (status == STATUS_OK)
            status = material_write_table(id, solved, writing->tally, path, options->zstd_level,
                                          options->n_threads, error);
    }
    return status;
}

static void *writing_main(void *context)
{
    struct writing *writing = context;
    writing->status = write_tables(writing, &writing->error);
    return NULL;
}

/* Waits for the tables that have been begun longest. */
static enum status writing_end(struct generation *generation)
{
    struct writing *writing = &generation->writings[generation->n_ended % MAX_WRITINGS];
    char part[4096];

    if (writing->behind)
        pthread_join(writing->thread, NULL);
    generation->n_ended++;
    tally_free(writing->tally);
    writing->tally = NULL;
    if (writing->status != STATUS_OK)
        return error_set(generation->error, writing->status, "%s", writing->error.text);
    checked_note_written(generation->options, generation->plan, writing->index);
    if (part_path(generation, writing->index, part, sizeof part) == STATUS_OK)
        os_remove(part);
    report_table(generation, writing->index);
    return STATUS_OK;
}

/* Waits for the tables of all materials before number `index`. */
static enum status writings_end(struct generation *generation, int index)
{
    enum status status = STATUS_OK;
    while (status == STATUS_OK && generation->n_ended < generation->n_begun &&
           generation->writings[generation->n_ended % MAX_WRITINGS].index < index)
        status = writing_end(generation);
    return status;
}

/* Begins to write the tables of material number `index`, which stays in the store until they are
 * there. Where that is not done behind, they are when this returns. */
static enum status writing_begin(struct generation *generation, int index, struct tally *tally)
{
    struct writing *writing = &generation->writings[generation->n_begun % MAX_WRITINGS];
    const enum status status = writings_end(
        generation, plan_first_behind(generation->options, generation->plan, index + 1));

    if (status != STATUS_OK) {
        tally_free(tally);
        return status;
    }
    *writing = (struct writing){.generation = generation, .index = index, .tally = tally};
    generation->n_begun++;
    writing->behind =
        plan_writes_behind(generation->options, &generation->plan->materials[index]) &&
        pthread_create(&writing->thread, NULL, writing_main, writing) == 0;
    if (writing->behind)
        return STATUS_OK;
    writing_main(writing);
    return writings_end(generation, index + 1);
}

/* Lets go of what neither number `index` nor a later material needs. */
static void release(struct generation *generation, int index)
{
    const int first_written = plan_first_behind(generation->options, generation->plan, index);
    for (int i = 0; i < first_written; i++) {
        const struct material *material = &generation->plan->materials[i];
        if (plan_next_need(generation->plan, i, index - 1) < generation->plan->n_materials)
            continue;
        solved_destroy(store_get(&generation->store, material));
        store_set(&generation->store, material, NULL);
    }
}

/* A hash of the values of the tables a material's values are made from. */
static enum status fingerprint(const struct generation *generation, int index, uint64_t *hash)
{
    const struct generate_options *options = generation->options;
    const enum metric metric = (options->metrics & METRICS_DTW) != 0 ? METRIC_DTW : METRIC_WDL;
    bool needs[MAX_MATERIALS];
    enum status status = STATUS_OK;
    *hash = 0;
    plan_needs(generation->plan, index, BY_CAPTURE_OR_PROMOTION, needs);
    for (int i = 0; i < index && status == STATUS_OK; i++) {
        const struct table_id id = {options->rules, generation->plan->materials[i], metric};
        struct table *table = NULL;
        char path[4096];
        if (!needs[i])
            continue;
        status = table_path_below(options->root, id, path, sizeof path, generation->error);
        if (status == STATUS_OK)
            status = table_open(path, id, &file_io_read, &table, generation->error);
        if (status == STATUS_OK)
            *hash = (*hash ^ table_value_hash(table)) * 0x9e3779b97f4a7c15u + 1;
        table_close(table);
    }
    return status;
}

/* Brings in what a material needs, solves it, and has it written. */
static enum status make_material(struct generation *generation, int index)
{
    const struct generate_plan *plan = generation->plan;
    const struct material_job job = make_job(generation, index);
    struct material_job solve = job;
    bool needs[MAX_MATERIALS];
    char part[4096];
    enum status status = part_path(generation, index, part, sizeof part);

    generation->progress.material = plan->materials[index];
    report(generation, true);
    if (status == STATUS_OK)
        status = writings_end(generation, plan_first_behind(generation->options, plan, index));
    if (status != STATUS_OK)
        return status;
    release(generation, index);
    plan_needs(plan, index, BY_CAPTURE_OR_PROMOTION, needs);
    for (int i = 0; i < index && status == STATUS_OK; i++)
        if (needs[i] && store_get(&generation->store, &plan->materials[i]) == NULL)
            status = bring_in(generation, i);
    if (status != STATUS_OK)
        return status;
    solve.progress = states_done;
    solve.resumed = states_found;
    solve.context = generation;
    if (plan_keeps_part(generation->options, &job.material)) {
        solve.path = part;
        status = writings_end(generation, index);
        if (status == STATUS_OK)
            status = fingerprint(generation, index, &solve.fingerprint);
        if (status != STATUS_OK)
            return status;
    }
    struct shape shape;
    shape_init(&shape, generation->options->rules, &job.material);
    solve.work_bytes = limit_values(generation, index, false);
    status = tally_create(generation->options->rules, &shape, plan->to_write[index], &solve.tally);
    if (status != STATUS_OK)
        return error_set(generation->error, status, "not enough memory for patterns");
    status = material_solve(&solve, generation->error);
    if (status == STATUS_OK)
        return writing_begin(generation, index, solve.tally);
    tally_free(solve.tally);
    return status;
}

/* --- a generation ----------------------------------------------------------------------------- */

static enum status check_fits(const struct generate_options *options,
                              const struct generate_plan *plan, struct error *error)
{
    if (plan->memory_bytes > plan->memory_available)
        return error_set(
            error, STATUS_NO_MEMORY, "about %.1f MiB of memory are needed, %.1f are %s",
            (double)plan->memory_bytes / 0x1p20, (double)plan->memory_available / 0x1p20,
            memory_source_text(plan->memory_source));
    if (plan->disk_bytes > plan->disk_available)
        return error_set(error, STATUS_NO_SPACE, "%.200s: about %.1f MiB are needed, %.1f are free",
                         options->root, (double)plan->disk_bytes / 0x1p20,
                         (double)plan->disk_available / 0x1p20);
    return STATUS_OK;
}

/* Goes through the materials in the plan's order. */
static enum status make_all(struct generation *generation)
{
    const struct generate_plan *plan = generation->plan;
    enum status status = STATUS_OK;
    for (int i = 0; i < plan->n_materials && status == STATUS_OK; i++) {
        char part[4096];
        if (!plan->complete[i]) {
            status = make_material(generation, i);
            continue;
        }
        if (part_path(generation, i, part, sizeof part) == STATUS_OK)
            os_remove(part); /* a run was stopped just before it did */
        generation->progress.n_tables_done++;
    }
    return status == STATUS_OK ? writings_end(generation, plan->n_materials) : status;
}

enum status generate_run(const struct generate_options *options, const struct generate_plan *plan,
                         struct error *error)
{
    struct generation generation = {
        .options = options, .plan = plan, .error = error, .start = now()};
    enum status status = check_fits(options, plan, error);

    if (status == STATUS_OK)
        status = folder_make(options->root, options->rules, error);
    if (status != STATUS_OK)
        return status;
    checked_note_decoded(options, plan);
    generation.store.rules = options->rules;
    char folder[4096];
    snprintf(folder, sizeof folder, "%s/%s", options->root, options->rules->name);
    status = pager_create(folder, &generation.store.pager);
    if (status != STATUS_OK)
        return error_set(error, status, "not enough memory");
    generation.progress.n_tables = plan->n_materials;
    generation.progress.n_states = plan->n_states;
    status = make_all(&generation);
    for (int i = generation.n_ended; i < generation.n_begun; i++) {
        struct writing *writing = &generation.writings[i % MAX_WRITINGS];
        if (writing->behind)
            pthread_join(writing->thread, NULL);
        tally_free(writing->tally);
    }
    for (int i = 0; i < plan->n_materials; i++)
        solved_destroy(store_get(&generation.store, &plan->materials[i]));
    pager_destroy(generation.store.pager);
    return status;
}

/* Makes and locks a folder that is not there. What does not fit is refused before, so that nothing
 * is made for it. */
static enum status make_and_lock(const struct generate_options *options, int *lock,
                                 struct error *error)
{
    struct generate_plan plan;
    enum status status = generate_plan(options, &plan, error);
    if (status != STATUS_OK)
        return status;
    status = check_fits(options, &plan, error);
    if (status != STATUS_OK && options->planned != NULL)
        options->planned(&plan, options->context);
    if (status == STATUS_OK)
        status = folder_make(options->root, options->rules, error);
    if (status == STATUS_OK)
        status = folder_lock(options->root, options->rules, lock, error);
    return status;
}

enum status generate_tables(const struct generate_options *options, struct error *error)
{
    struct generate_plan plan;
    int lock = -1;
    enum status status = folder_lock(options->root, options->rules, &lock, error);
    if (status == STATUS_NO_FOLDER)
        status = make_and_lock(options, &lock, error);
    if (status != STATUS_OK)
        return status;
    status = generate_plan(options, &plan, error);
    if (status == STATUS_OK && options->planned != NULL)
        options->planned(&plan, options->context);
    if (status == STATUS_OK)
        status = generate_run(options, &plan, error);
    os_close(lock);
    return status;
}
