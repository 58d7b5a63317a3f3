/* `einspul plan`: prints the plan of jobs in the format of a scheduler, or the progress of its
 * run. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "cli/plan_print.h"
#include "cli/print.h"
#include "cli/system.h"
#include "core/os_write.h"

static bool is_form_of_scheduler(enum plan_format format)
{
    return format >= PLAN_AS_MAKE;
}

/* Cores and memory of a node default to those of this machine. */
static void set_node(struct options *options)
{
    if (options->n_cores == 0) {
        const int n = os_processors();
        options->n_cores = n > 1024 ? 1024 : n;
    }
    if (options->memory_bytes == 0) {
        const uint64_t all = os_memory_bytes();
        options->memory_bytes = (all == UINT64_MAX ? (uint64_t)4 << 30 : all) / 10 * 9;
    }
}

/* Program and tables' folder as jobs find them from anywhere; false when there is no room. */
static bool set_paths(struct plan *plan)
{
    if (!system_program_path(plan->program, sizeof plan->program))
        strcpy(plan->program, "einspul");
    return system_whole_path(plan->options->tables, plan->tables, sizeof plan->tables);
}

/* Refuses texts that a format cannot represent: control characters such as line ends in most of
 * them, and in Slurm `%` and `\`, which it interprets in names of logs. */
static bool can_be_written(const struct plan *plan, const char *path)
{
    const enum plan_format format = plan->options->format;
    const char *refused = format == PLAN_AS_SLURM && path == plan->tables ? "%\\" : "";
    for (const char *at = path; is_form_of_scheduler(format) && *at != '\0'; at++) {
        const unsigned char byte = (unsigned char)*at;
        if (byte >= ' ' && byte != 0x7f && strchr(refused, *at) == NULL)
            continue;
        complain(plan->options, "%.1000s: a path with '%c' cannot be written into a plan for %s",
                 path, byte, option_rows[OPTION_FORMAT].words[format]);
        return false;
    }
    return true;
}

static einspul_status create_graph(struct plan *plan, einspul_error *error)
{
    const struct options *options = plan->options;
    struct graph_options graph = {.rules = &options->rules,
                                  .pieces = options->pieces,
                                  .metrics = options->metrics,
                                  .n_nodes = options->n_nodes,
                                  .n_cores = options->n_cores,
                                  .memory_bytes = options->memory_bytes,
                                  .job_seconds = options->job_seconds};
    if (options->pieces == 0)
        graph.material = options->materials[0];
    return graph_create(&graph, &plan->graph, error);
}

/* Prints the progress, or the remaining jobs. Tables and slices are looked at as jobs look at
 * them. */
static int print_what_is_done(struct plan *plan)
{
    const struct options *options = plan->options;
    const struct generate_options generate = {.rules = &options->rules,
                                              .root = options->tables,
                                              .metrics = options->metrics,
                                              .n_threads = 1};
    struct graph_status *status = calloc(1, sizeof *status);
    einspul_error error = {EINSPUL_OK, "not enough memory for a plan of jobs"};
    int result = EXIT_DONE;
    if (status == NULL ||
        graph_status_create(&generate, &plan->graph, status, &error) != EINSPUL_OK) {
        result = complain(options, "%s", error.text);
    } else if (options->show_status) {
        plan_print_status(plan, status);
    } else {
        plan->done = status->done;
        plan_print_rows(plan);
    }
    if (status != NULL)
        graph_status_free(status);
    free(status);
    return result;
}

static void print_plan(const struct plan *plan)
{
    static void (*const printers[])(const struct plan *) = {
        [PLAN_AS_TSV] = plan_print_rows,
        [PLAN_AS_JSON] = plan_print_rows,
        [PLAN_AS_MAKE] = plan_print_make,
        [PLAN_AS_SLURM] = plan_print_slurm,
    };
    printers[plan->options->format](plan);
}

/* Refuses options that exclude each other. */
static int refuse(const struct options *options)
{
    if (options->pieces == 0 && options->n_materials == 0)
        return complain(options, "--pieces N or --material NAME is expected");
    if (options->pieces != 0 && options->n_materials != 0)
        return complain(options, "--pieces and --material exclude each other");
    if (options->n_materials > 1)
        return complain(options, "a plan is of one --material and what it leads to");
    if (options->show_status && options->left)
        return complain(options, "--status and --left exclude each other");
    if ((options->show_status || options->left) && is_form_of_scheduler(options->format))
        return complain(options, "what --status and --left print is tsv or json");
    return EXIT_DONE;
}

static int run(const struct options *given)
{
    struct options options = *given;
    einspul_error error;
    int status = refuse(&options);
    if (status != EXIT_DONE)
        return status;
    set_node(&options);
    rows_as_json(options.format == PLAN_AS_JSON);
    struct plan *plan = calloc(1, sizeof *plan);
    if (plan == NULL)
        return complain(&options, "not enough memory for a plan of jobs");
    plan->options = &options;
    if (!set_paths(plan))
        status = complain(&options, "%.200s: the path of the tables is too long", options.tables);
    else if (!can_be_written(plan, plan->tables) || !can_be_written(plan, plan->program))
        status = EXIT_WRONG;
    else if (create_graph(plan, &error) != EINSPUL_OK)
        status = complain(&options, "%s", error.text);
    else if (options.show_status || options.left)
        status = print_what_is_done(plan);
    else
        print_plan(plan);
    graph_free(&plan->graph);
    free(plan);
    return status;
}

const struct command command_plan = {
    .name = "plan",
    .summary = "cut a set of tables into jobs for a scheduler",
    .synopsis = "--pieces N | --material NAME [OPTION…]",
    .help =
        "Prints the jobs that generate the same tables as `generate`, in the format of a\n"
        "program that runs them: make or Slurm. A job takes at most the cores and memory of a\n"
        "node, as many cores as make the run on --nodes nodes shortest, and if possible no\n"
        "longer than --seconds; much shorter jobs are bundled. The plan depends on its options\n"
        "alone, so it can be printed again.\n"
        "Tables that a rule set takes from another one have no jobs: they must be there.\n"
        "\n"
        "As tsv: a header, then a line per job, in an order in which they can be run: name,\n"
        "kind (whole, slice, table), stage, cores, bytes of memory, bytes of its files, seconds\n"
        "of one core, seconds of the longest path from its beginning to the end of the plan,\n"
        "and the jobs it needs, separated by commas. Times are those of the machine of the\n"
        "figures in bench/README.md, within a factor of two.\n"
        "\n"
        "With --status: a line per material, in generation order: name, state (done; running:\n"
        "something was written for it in the last ten minutes; partly; missing), its jobs, how\n"
        "many of them are done, core-hours, core-hours left. The sum is on standard error. With\n"
        "--left: the lines of the jobs that are not done.",
    .takes = {TAKES(RULES), TAKES(FOLDER), TAKES(PIECES), TAKES(MATERIAL), TAKES(METRIC),
              TAKES(FORMAT), TAKES(NODES), TAKES(CORES), TAKES(NODE_MEMORY), TAKES(JOB_SECONDS),
              TAKES(LEFT), TAKES(STATUS)},
    .run = run,
};
