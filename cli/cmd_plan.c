/* `einspul plan`: lists the resources and prerequisites of each material of a set, as a table or for
 * make. Without --tables no folder is read: the same call prints the same plan anywhere. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/options.h"
#include "cli/print.h"
#include "cli/system.h"
#include "cli/tables.h"
#include "core/program/materials.h"
#include "core/program/os_write.h"
#include "core/program/text.h"
#include "gen/run/budget.h"
#include "gen/run/plan_make.h"

enum { PATH_SIZE = 4096 };

/* The formats of a plan, in the order of their words. */
enum plan_format { PLAN_AS_TSV, PLAN_AS_MAKE };

static struct {
    unsigned format; /* enum plan_format */
    int n_cores;     /* of a process */
    uint64_t memory_limit;
} own;

static const char *const formats[] = {"tsv", "make", NULL};

static const struct option_row own_options[] = {
    {"format", NULL, "what to print (default: tsv)", WORD(&own.format, PLAN_AS_TSV, formats)},
    {"cores", "N", "cores per process (default: those of this machine)",
     INT(&own.n_cores, 1, MAX_THREADS)},
    {"memory", "GIB",
     "memory per process, in GiB (default: 90 % of this machine's; for the column 'cannot', "
     "described below, what is free)",
     GIB(&own.memory_limit)},
    {0},
};

struct row {
    struct material material;
    struct planned_material memory; /* with so many cores */
    uint64_t file_bytes;
    double core_seconds;
    int n_cores;
    char needs[NEEDS_SIZE];
    const char *cannot; /* what prevents it, if tables are given; or NULL */
};

static struct row row_of(const struct options *options, const struct material *material)
{
    struct row row = {.material = *material};
    struct shape shape;
    shape_init(&shape, &options->rules, material);
    row.core_seconds = estimate_core_seconds(&options->rules, material, options->metrics);
    row.n_cores = estimate_cores(&options->rules, material, options->metrics, own.n_cores);
    row.file_bytes = estimate_file_bytes(&options->rules, &shape, options->metrics);
    const struct generate_options generate = {
        .rules = &options->rules, .metrics = options->metrics, .n_threads = row.n_cores};
    row.memory = budget_single(&generate, material);
    material_needs(&options->rules, material, row.needs);
    return row;
}

static void print_row(const struct options *options, const struct row *row)
{
    row_text("material", material_name(&row->material).text);
    row_count("least-memory", row->memory.least_bytes);
    row_count("wanted-memory", row->memory.wanted_bytes);
    row_count("disk", row->file_bytes);
    row_real("core-seconds", row->core_seconds);
    row_count("cores", (uint64_t)row->n_cores);
    row_text("needs", row->needs[0] == '\0' ? NULL : row->needs);
    row_text("rules", options->rules.name);
    row_text("metric", metrics_words[options->metrics - METRICS_WDL]);
    if (options->folders_given)
        row_text("cannot", row->cannot);
    row_end();
}

/* --- materials -------------------------------------------------------------------------------- */

static int most_pieces(const struct options *options)
{
    int most = options->pieces;
    for (int i = 0; i < options->materials.n; i++) {
        const int n = material_pieces(&options->materials.at[i]);
        most = n > most ? n : most;
    }
    return most;
}

/* The materials of the plan, in generation order. */
static int materials_planned(const struct options *options, struct material list[MAX_MATERIALS])
{
    struct material needed[MAX_MATERIALS];
    bool wanted[MAX_MATERIALS] = {false};
    const int n_all = material_list(2, most_pieces(options), list);
    int n = 0;
    for (int i = 0; i < options->materials.n; i++)
        for (int left = material_closure(&options->materials.at[i], needed); left > 0; left--)
            wanted[material_position_in(list, n_all, &needed[left - 1])] = true;
    for (int i = 0; i < n_all; i++)
        if (options->pieces > 0 || wanted[i])
            list[n++] = list[i];
    return n;
}

/* --- existing tables -------------------------------------------------------------------------- */

/* Finds which materials of a folder are complete, and reports the memory and disk space available. */
static int examine_folder(const struct options *options, struct generate_plan *plan)
{
    const struct generate_options generate = {
        .rules = &options->rules,
        .root = options->folders[0],
        .pieces = options->materials.n == 1 ? 0 : most_pieces(options),
        .material = options->materials.at[0],
        .metrics = options->metrics,
        .n_threads = own.n_cores,
        .memory_limit = own.memory_limit,
    };
    einspul_error error;
    if (generate_plan(&generate, plan, &error) != EINSPUL_OK)
        return command_error(options, NULL, &error);
    fprintf(stderr, "%s memory (%s) and %s disk available\n",
            bytes_text(plan->memory_limit.n_bytes).text,
            memory_source_text(plan->memory_limit.source), bytes_text(plan->disk_available).text);
    return EXIT_OK;
}

static bool is_complete(const struct generate_plan *plan, const struct material *material)
{
    for (int i = 0; i < plan->n_materials; i++)
        if (material_equal(&plan->materials[i].material, material))
            return plan->materials[i].complete;
    return false;
}

/* Sets row->cannot, and adds the material's files to `n_bytes`; false if it cannot be generated. */
static bool check_row(const struct generate_plan *plan, struct row *row, uint64_t *n_bytes)
{
    *n_bytes += row->file_bytes;
    if (row->memory.least_bytes > plan->memory_limit.n_bytes)
        row->cannot = "memory";
    else if (*n_bytes > plan->disk_available)
        row->cannot = "disk";
    return row->cannot == NULL;
}

/* --- for make --------------------------------------------------------------------------------- */

/* Prints the value of a variable. `$` and `#` are special in make, and so is a backslash before a
 * `#` or at the end of a line; so `#` is written as a variable, and the line ends with an empty
 * one. */
static void print_value(const char *name, const char *text)
{
    printf("%s = ", name);
    for (; *text != '\0'; text++) {
        if (*text == '$')
            fputs("$$", stdout);
        else if (*text == '#')
            fputs("$(hash)", stdout);
        else
            putchar(*text);
    }
    puts("$()");
}

/* The memory of a process in a makefile: by default most of this machine's. */
static uint64_t process_memory(void)
{
    const uint64_t all = os_memory_bytes();
    if (own.memory_limit > 0)
        return own.memory_limit;
    return (all == UINT64_MAX ? (uint64_t)4 << 30 : all) / 10 * 9;
}

/* Targets are material names, not files, because an existing file may be damaged. */
static void print_rule(const struct row *row)
{
    const struct material_name name = material_name(&row->material);
    uint64_t n_bytes = row->memory.wanted_bytes;
    if (n_bytes > process_memory())
        n_bytes = process_memory();
    if (n_bytes < row->memory.least_bytes)
        n_bytes = row->memory.least_bytes;
    printf("\nall: %s\n.PHONY: %s\n%s:", name.text, name.text, name.text);
    for (const char *at = row->needs; *at != '\0'; at++)
        printf(at == row->needs ? " %c" : "%c", *at == ',' ? ' ' : *at);
    printf("\n\t$(MAKE_TABLE) $@ --threads %d --memory %.3f\n", row->n_cores,
           (double)n_bytes / 0x1p30 + 0.001);
}

/* Writes absolute paths of program and tables; refuses control characters, which a makefile cannot
 * express. */
static int print_head(const struct options *options)
{
    char program[PATH_SIZE];
    if (!system_program_path(program, sizeof program))
        strcpy(program, "einspul");
    char *tables = os_absolute(options->folders[0]);
    if (tables == NULL)
        return command_message(options, "%.200s: %s", options->folders[0], strerror(errno));
    const char *control = tables;
    while ((unsigned char)*control >= ' ' && *control != 0x7f)
        control++;
    if (*control != '\0') {
        command_message(options,
                        "%.200s: a path with a control character cannot be written to a makefile",
                        tables);
        free(tables);
        return EXIT_USAGE;
    }
    printf(
        "# Printed by einspul %s.\n"
        "# `make -j N -f FILE` runs N processes at once; repeat it to continue. No target is a\n"
        "# file: each process checks whether its table exists.\n"
        "# EINSPUL=… and TABLES=… on the command line replace these values; RUN=… precedes each\n"
        "# process, such as RUN='srun --exclusive -N1 -n1 -c%d' or RUN='ssh node2'.\n"
        "hash = \\#\n",
        einspul_version(), own.n_cores);
    print_value("EINSPUL", program);
    print_value("TABLES", tables);
    puts("RUN =");
    printf("quoted = '$(subst ','\\'',$(1))'\n"
           "MAKE_TABLE = $(RUN) $(call quoted,$(EINSPUL)) generate --rules %s --metric %s "
           "--tables $(call quoted,$(TABLES)) --only --material\n\n.PHONY: all\n",
           options->rules.name, metrics_words[options->metrics - METRICS_WDL]);
    free(tables);
    return EXIT_OK;
}

/* --- the command ------------------------------------------------------------------------------ */

/* Refuses options that exclude each other. */
static int refuse(const struct options *options)
{
    if (options->pieces == 0 && options->materials.n == 0)
        return command_message(options, "missing --pieces N or --material NAME");
    if (options->pieces != 0 && options->materials.n != 0)
        return command_message(options, "--pieces and --material cannot be used together");
    if (options->json && own.format == PLAN_AS_MAKE)
        return command_message(options, "--json and --format make cannot be used together");
    return EXIT_OK;
}

/* Prints the lines before the materials. */
static int print_start(const struct options *options)
{
    if (own.format == PLAN_AS_MAKE)
        return print_head(options);
    row_header(options->folders_given
                   ? "material\tleast-memory\twanted-memory\tdisk\tcore-seconds\t"
                     "cores\tneeds\trules\tmetric\tcannot"
                   : "material\tleast-memory\twanted-memory\tdisk\tcore-seconds\t"
                     "cores\tneeds\trules\tmetric");
    return EXIT_OK;
}

static int run(const struct options *options)
{
    struct material list[MAX_MATERIALS];
    struct generate_plan plan = {0};
    const bool examines = options->folders_given && own.format == PLAN_AS_TSV;
    uint64_t n_bytes = 0;
    int status = refuse(options);
    bool all_can = true;
    if (own.n_cores == 0)
        own.n_cores = threads_wanted();
    if (status == EXIT_OK && examines)
        status = examine_folder(options, &plan);
    if (status == EXIT_OK)
        status = print_start(options);
    if (status != EXIT_OK)
        return status;
    const int n = materials_planned(options, list);
    for (int i = 0; i < n && output_ok(); i++) {
        if (material_is_borrowed(&options->rules, &list[i]) || is_complete(&plan, &list[i]))
            continue;
        struct row row = row_of(options, &list[i]);
        if (examines)
            all_can = check_row(&plan, &row, &n_bytes) && all_can;
        if (own.format == PLAN_AS_MAKE)
            print_rule(&row);
        else
            print_row(options, &row);
    }
    return all_can ? EXIT_OK : EXIT_CHECK_FAILED;
}

const struct command command_plan = {
    .name = "plan",
    .group = COMMAND_BUILDS,
    .summary = "list the memory, time and dependencies of each table",
    .synopsis = "(--pieces N | --material NAME…) [OPTION…]",
    .about = "List the resources that 'einspul generate --only' needs for each material, in an\n"
             "order in which the materials can be generated.",
    .details = "Tables that a rule set shares with another are not listed, and must already\n"
               "exist. Give --cores and --memory if other machines will generate the tables.\n"
               "\n"
               "Output: a header, then one line per material, with the columns\n"
               "  material       the material\n"
               "  least-memory   the minimum memory, in bytes\n"
               "  wanted-memory  the most memory that it can use, in bytes\n"
               "  disk           the size of its files, in bytes\n"
               "  core-seconds   processor time, mostly within a factor of 1.5, on an Intel\n"
               "                 Xeon of 2023\n"
               "  cores          the number of cores that it keeps busy, at most --cores\n"
               "  needs          the materials that must be generated before it\n"
               "  rules, metric  the rule set and metric of the plan\n"
               "From a scheduler, request the memory that the process may use (its --memory, or\n"
               "a memory column of the plan), plus one sixteenth of it and 64 MiB.\n"
               "\n"
               "Only if --tables is on the command line, --format tsv looks into DIR. It then\n"
               "omits complete materials, and adds a column 'cannot': 'memory' if the material\n"
               "needs more memory than --memory allows (default: the free memory), 'disk' if\n"
               "DIR has too little space for it and the materials before it, otherwise '-'.\n"
               "The exit status is 3 if any material has 'memory' or 'disk'.\n"
               "\n"
               "--format make prints a makefile that generates the tables in DIR. The memory\n"
               "limit of each process is the smaller of wanted-memory and --memory, but never\n"
               "below least-memory. docs/cluster.md has recipes for Slurm and Snakemake.",
    .examples = "  einspul plan --pieces 5 --cores 16\n"
                "  einspul plan --material KMMvK --format make > tables.mk",
    .takes = TAKES_RULES | TAKES_FOLDER | TAKES_PIECES | TAKES_MATERIAL | TAKES_METRIC | TAKES_JSON,
    .own = own_options,
    .run = run,
};
