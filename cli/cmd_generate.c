/* `einspul generate`: reports the plan, runs it, and displays progress. */
#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/progress.h"
#include "cli/system.h"
#include "cli/tables.h"
#include "core/program/index.h"
#include "core/program/materials.h"
#include "gen/run/budget.h"
#include "gen/run/generate.h"
#include "gen/run/plan_make.h"

static struct {
    bool only;
    uint64_t memory_limit;
    int level; /* zstd's */
    bool any_disk;
} own = {.level = 3};

static const struct option_row own_options[] = {
    {"only", NULL, "generate only that material; the tables that it leads to must exist",
     FLAG(&own.only)},
    {"memory", "GIB", "memory limit in GiB (default: the Slurm allocation, or the free memory)",
     GIB(&own.memory_limit)},
    {"level", "LEVEL", "zstd compression level, 1 to 22 (default: 3)", INT(&own.level, 1, 22)},
    {"any-disk", NULL, "start even if the disk may be too small", FLAG(&own.any_disk)},
    {0},
};

/* Set by a signal: the run keeps finished work and ends. */
static _Atomic int stop;

static void request_stop(int number)
{
    stop = number;
}

struct display {
    const struct options *options;
    double table_began; /* start time of the current table, in seconds */
};

static void show_progress(const struct generate_progress *progress, void *context)
{
    struct display *display = context;
    const struct material_name name = material_name(&progress->material);
    const double n = (double)progress->n_states;
    const double n_done = (double)progress->n_states_done;

    if (progress->table_done && !system_is_terminal(stderr))
        fprintf(stderr, "%s done in %.1f s (%d of %d tables)\n", name.text,
                progress->seconds - display->table_began, progress->n_tables_done,
                progress->n_tables);
    else /* n_done > n if a material is solved again */
        progress_show(progress->seconds, n_done < n ? n_done / n : 1,
                      (double)progress->n_states_found / n, "%s %s, %d of %d tables",
                      progress->loading ? "reading" : "generating", name.text,
                      progress->n_tables_done, progress->n_tables);
    if (progress->table_done)
        display->table_began = progress->seconds;
}

/* Names the damaged files, which are generated again. */
static void show_damaged(const struct generate_plan *plan)
{
    bool any = false;
    for (int i = 0; i < plan->n_materials; i++) {
        for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
            if ((plan->materials[i].damaged & (unsigned)metric) == 0)
                continue;
            fprintf(stderr, "%s %s.%s",
                    any ? "" : "damaged or of an earlier format, will be generated again:",
                    material_name(&plan->materials[i].material).text,
                    metric_suffix((einspul_metric)metric));
            any = true;
        }
    }
    if (any)
        fputc('\n', stderr);
}

static void show_plan(const struct generate_plan *plan, void *context)
{
    const struct options *options = ((const struct display *)context)->options;
    int n_complete = 0;

    for (int i = 0; i < plan->n_materials; i++)
        n_complete += plan->materials[i].complete;
    fprintf(stderr, "%s: %d materials, %d complete, %d to generate\n", options->rules.name,
            plan->n_materials, n_complete, plan->n_materials - n_complete);
    if (n_complete == plan->n_materials)
        return;
    show_damaged(plan);
    fprintf(stderr, "%llu states; needs %s of %s memory (%s) and %s of %s disk; %d thread%s\n",
            (unsigned long long)plan->n_states, bytes_text(plan->memory_bytes).text,
            bytes_text(plan->memory_limit.n_bytes).text,
            memory_source_text(plan->memory_limit.source), bytes_text(plan->file_bytes).text,
            bytes_text(plan->disk_available).text, options->n_threads,
            options->n_threads == 1 ? "" : "s");
    if (plan->disk_bytes > plan->disk_available)
        fprintf(stderr, "the disk may be too small: tables need %s, temporary files up to %s\n",
                bytes_text(plan->file_bytes).text,
                bytes_text(plan->disk_bytes - plan->file_bytes).text);
}

/* Plans and generates all materials of --pieces, or one material. */
static int generate_one(const struct options *options, const struct material *material)
{
    struct display display = {.options = options};
    const struct generate_options generate = {
        .rules = &options->rules,
        .root = options->folders[0],
        .stop = &stop,
        .pieces = options->pieces,
        .material = *material,
        .single = own.only,
        .any_disk = own.any_disk,
        .metrics = options->metrics,
        .n_threads = options->n_threads,
        .memory_limit = own.memory_limit,
        .zstd_level = own.level,
        .planned = show_plan,
        .progress = show_progress,
        .context = &display,
    };
    const double began = seconds_now();
    einspul_error error;
    char title[64];

    const einspul_status status = generate_tables(&generate, &error);
    progress_clear();
    if (status == EINSPUL_STOPPED)
        error_set(&error, status, "stopped; run the same command again to continue");
    if (status == EINSPUL_TOO_LONG) {
        command_error(options, NULL, &error);
        return EXIT_CHECK_FAILED;
    }
    if (status != EINSPUL_OK)
        return command_error(options, NULL, &error);
    snprintf(title, sizeof title, "done in %.1f s", seconds_now() - began);
    message(title, "%.2000s/%s", options->folders[0], options->rules.name);
    return EXIT_OK;
}

static int run(const struct options *options)
{
    int status = EXIT_OK;
    const struct tables_hint hint = tables_hint(options);
    if (hint.text[0] != '\0') /* else T/frisian/frisian would be created */
        return command_message(options, "%.200s%s", options->folders[0], hint.text);
    system_on_stop(request_stop);
    if (options->pieces == 0 && options->materials.n == 0)
        return command_message(options, "missing --pieces N or --material NAME");
    if (options->pieces != 0 && options->materials.n != 0)
        return command_message(options, "--pieces and --material cannot be used together");
    if (own.only && options->materials.n == 0)
        return command_message(options, "--only requires --material");
    if (options->pieces != 0)
        status = generate_one(options, &(struct material){{0}, {0}});
    for (int i = 0; i < options->materials.n && status == EXIT_OK; i++)
        status = generate_one(options, &options->materials.at[i]);
    return status;
}

const struct command command_generate = {
    .name = "generate",
    .group = COMMAND_BUILDS,
    .summary = "generate tables",
    .synopsis = "(--pieces N | --material NAME…) [OPTION…]",
    .about = "Generate tables: all materials of 2 to N pieces, or one material and all those\n"
             "that its captures and promotions lead to. A material is a combination of pieces,\n"
             "such as KMvK: king and man against king.",
    .details = "Tables are written to DIR/RULES/. Complete tables are skipped, so that you can\n"
               "resume an interrupted run by repeating the command. Ctrl-C (SIGINT) or SIGTERM\n"
               "stops the run within two seconds, with exit status 1. A second Ctrl-C stops it\n"
               "at once.\n"
               "\n"
               "Before it starts, the command prints how much memory and disk space it needs. It\n"
               "does not start if they are not available. A table with a damaged header or\n"
               "index, or of an earlier file format, is generated again. If a block is damaged,\n"
               "the command stops and names the file: delete it and run the command again.\n"
               "\n"
               "A table cannot store distances if there is a loss in more than 252 plies. For\n"
               "such a material, and for those that lead to it, only outcomes are written. A\n"
               "message names the first one, and the exit status is 3.\n"
               "\n"
               "With --only, any number of processes may work in one folder at the same time,\n"
               "even on several machines that share it. 'einspul plan' lists which tables each\n"
               "material needs.\n"
               "\n"
               "Progress is printed on standard error: continuously on a terminal, otherwise\n"
               "once a minute. docs/cluster.md explains how to use several machines.",
    .examples = "  einspul generate --pieces 4\n"
                "  einspul generate --material KMMvK --metric dtw",
    .takes =
        TAKES_RULES | TAKES_FOLDER | TAKES_THREADS | TAKES_PIECES | TAKES_MATERIAL | TAKES_METRIC,
    .own = own_options,
    .run = run,
};
