/* How fast tables are made: stage by stage on one thread, and as a whole on one and on more. */
#include "bench/arguments.h"
#include "bench/measure.h"
#include "bench/stages.h"

#include "gen/material/material_solve.h"
#include "gen/material/material_write.h"
#include "gen/run/plan.h"
#include "tests/support/solved.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_REPEATS = 15, SMALL_PIECES = 4, DRAW_VALUES = 256 };

static const char help[] =
    "bench_generate [OPTION…]\n"
    "\n"
    "Measures how fast tables are made and prints tables of figures, rates in million states a\n"
    "second and core. README.md tells what each column is.\n"
    "\n"
    "  --rules NAME      default: frisian\n"
    "  --pieces N        all materials of 2 to N pieces (default: 3)\n"
    "  --material NAME   this one instead, after all it leads to; may be given again\n"
    "  --metric wdl|dtw|both   default: both\n"
    "  --threads N       to compare with one thread (default: 2; 1: no comparison)\n"
    "  --level N         of zstd (default: 3)\n"
    "  --repeat N        of every measurement, the median counts (default: 3)\n"
    "  --frames N        stages on about N frames of a material, spread over its levels, more of\n"
    "                    them where they are small (default: all)\n"
    "  --plain           the plain seeds and solver on the same frames beside the fast ones\n"
    "  --waves-only      no wholes, no coding: seeds and waves of the materials. Of what they "
    "lead\n"
    "                    to, what has more than 4 pieces is taken as draws instead of solved\n"
    "  --full            with --waves-only: solve all they lead to\n"
    "  --json            a JSON object a row\n";

struct options {
    struct rules rules;
    int pieces;
    int n_wanted;
    struct material wanted[MAX_MATERIALS];
    unsigned metrics;
    int n_threads;
    int level;
    int n_repeats;
    uint64_t n_frames;
    bool plain, waves_only, full, json;
};

/* What is known of a material. Seconds of stages are those of all its frames. */
struct measured {
    struct material material;
    bool wanted;
    uint64_t n_stored; /* states in the table */
    uint64_t
        n_solved; /* states of the frames that are solved: more where a frame is its own twin */
    bool draws;   /* some of what it leads to was taken as draws */
    double solve[2][MOST_REPEATS]; /* one thread, more threads; wall time */
    double whole[2][MOST_REPEATS];
    double peak[2];
    double coding[2][MOST_REPEATS];          /* by metric - 1; time on processors */
    double stage[2][N_STAGES][MOST_REPEATS]; /* by metric - 1 */
    double plain[2][N_STAGES][MOST_REPEATS];
};

struct bench {
    struct options options;
    int n_materials;
    struct measured *materials; /* in the order they are solved */
    char folder[64];            /* for the files; removed at the end */
    einspul_error error;
};

/* --- materials -------------------------------------------------------------------------------- */

/* The materials to deal with: the wanted ones and all they lead to. */
static void list_materials(struct bench *bench)
{
    const struct options *options = &bench->options;
    struct material all[MAX_MATERIALS];
    struct material successors[MAX_MATERIALS];
    bool in[MAX_MATERIALS] = {false};
    int pieces = options->n_wanted > 0 ? 2 : options->pieces;

    for (int i = 0; i < options->n_wanted; i++)
        if (material_pieces(&options->wanted[i]) > pieces)
            pieces = material_pieces(&options->wanted[i]);
    const int n_all = material_list(2, pieces, all);
    bench->materials = calloc((size_t)n_all, sizeof *bench->materials);
    if (bench->materials == NULL)
        give_up_text("not enough memory");
    for (int i = n_all - 1; i >= 0; i--) {
        in[i] = in[i] || options->n_wanted == 0;
        for (int j = 0; j < options->n_wanted; j++)
            in[i] = in[i] || material_equal(&all[i], &options->wanted[j]);
        const int n = in[i] ? material_successors(&all[i], BY_CAPTURE_OR_PROMOTION, successors) : 0;
        for (int j = 0; j < n; j++)
            for (int k = 0; k < i; k++)
                in[k] = in[k] || material_equal(&all[k], &successors[j]);
    }
    for (int i = 0; i < n_all; i++) {
        struct measured *measured = &bench->materials[bench->n_materials];
        struct shape shape;
        if (!in[i])
            continue;
        bench->n_materials++;
        measured->material = all[i];
        measured->wanted = options->n_wanted == 0;
        for (int j = 0; j < options->n_wanted; j++)
            measured->wanted = measured->wanted || material_equal(&all[i], &options->wanted[j]);
        shape_init(&shape, &options->rules, &all[i]);
        measured->n_stored = shape_states(&shape);
    }
}

/* A material whose every value is a draw, to stand in for one that is not solved. */
static struct solved *solved_of_draws(const struct rules *rules, const struct material *material)
{
    struct solved *solved = NULL;
    uint8_t draws[DRAW_VALUES];
    einspul_error error;

    memset(draws, BYTE_DRAW, sizeof draws);
    if (solved_create(rules, material, EINSPUL_DTW, 1, LEVELS_AS_STORED, NULL, &solved) !=
            EINSPUL_OK ||
        solved_fill(solved, draws, &error) != EINSPUL_OK)
        give_up_text("not enough memory for a material of draws");
    return solved;
}

static void store_clear(const struct bench *bench, struct store *store)
{
    for (int i = 0; i < bench->n_materials; i++) {
        solved_destroy(store_get(store, &bench->materials[i].material));
        store_set(store, &bench->materials[i].material, NULL);
    }
}

/* --- wholes ----------------------------------------------------------------------------------- */

/* Writes a table and removes it; the seconds it took on processors. */
static double code(struct bench *bench, const struct solved *solved, struct tally *tally,
                   einspul_metric metric, int n_threads)
{
    const struct table_id id = {&bench->options.rules, solved->shape.material, metric};
    char path[sizeof bench->folder + 16];
    const double begin = seconds_process();

    snprintf(path, sizeof path, "%s/table", bench->folder);
    must(material_write_table(id, solved, tally, path, bench->options.level, n_threads,
                              &bench->error),
         &bench->error);
    const double seconds = seconds_process() - begin;
    unlink(path);
    return seconds;
}

static void solve(struct bench *bench, struct store *store, const struct material *material,
                  struct tally *tally, int n_threads)
{
    const struct options *options = &bench->options;
    const struct material_params params = {
        .store = store,
        .material = *material,
        .metric = plan_metric(&options->rules, material, options->metrics),
        .solver = &solver_fast,
        .n_threads = n_threads,
    };
    const struct material_extras extras = {.tally = tally};
    must(material_solve(&params, &extras, &bench->error), &bench->error);
}

/* Makes all materials into an empty store; `which` is 0 for one thread and 1 for more. */
static void make_all(struct bench *bench, struct store *store, int which, int repeat)
{
    const struct options *options = &bench->options;
    const int n_threads = which == 0 ? 1 : options->n_threads;

    for (int i = 0; i < bench->n_materials; i++) {
        struct measured *measured = &bench->materials[i];
        const double begin = seconds_wall();
        struct tally *tally = NULL;
        struct shape shape;
        shape_init(&shape, &options->rules, &measured->material);
        if (tally_create(&options->rules, &shape, options->metrics, 0, &tally) != EINSPUL_OK)
            give_up_text("not enough memory for patterns");
        solve(bench, store, &measured->material, tally, n_threads);
        measured->solve[which][repeat] = seconds_wall() - begin;
        const struct solved *solved = store_get(store, &measured->material);
        for (int metric = EINSPUL_DTW; metric >= EINSPUL_WDL; metric--) {
            if ((options->metrics & (unsigned)metric) == 0)
                continue;
            const double seconds = code(bench, solved, tally, (einspul_metric)metric, n_threads);
            if (which == 0)
                measured->coding[metric - 1][repeat] = seconds;
        }
        tally_free(tally);
        measured->whole[which][repeat] = seconds_wall() - begin;
        if (repeat == 0)
            measured->peak[which] = memory_peak();
    }
}

/* Solves what is needed for the waves alone, or puts draws in its place. */
static void make_some(struct bench *bench, struct store *store)
{
    const struct options *options = &bench->options;

    for (int i = 0; i < bench->n_materials; i++) {
        struct measured *measured = &bench->materials[i];
        if (options->full || material_pieces(&measured->material) <= SMALL_PIECES) {
            solve(bench, store, &measured->material, NULL, options->n_threads);
            continue;
        }
        store_set(store, &measured->material,
                  solved_of_draws(&options->rules, &measured->material));
        /* Men move to more of the same, captures leave one piece less. */
        measured->draws = material_pieces(&measured->material) > SMALL_PIECES + 1 ||
                          measured->material.men[WHITE] + measured->material.men[BLACK] > 0;
    }
}

/* --- stages ----------------------------------------------------------------------------------- */

static void time_stages(struct bench *bench, const struct store *store, struct measured *measured,
                        einspul_metric metric, int repeat)
{
    const struct options *options = &bench->options;
    /* The smallest keep their distances in any run. */
    const einspul_metric kept = plan_metric(&options->rules, &measured->material, (unsigned)metric);

    for (int plain = 0; plain <= (options->plain ? 1 : 0); plain++) {
        struct stage_times times;
        must(stages_time(store, &measured->material, kept,
                         plain != 0 ? &solver_plain : &solver_fast, options->n_frames, &times,
                         &bench->error),
             &bench->error);
        measured->n_solved = times.n_states_in_all;
        const double factor = (double)times.n_states_in_all / (double)times.n_states;
        for (int stage = 0; stage < N_STAGES; stage++) {
            double *seconds = plain != 0 ? measured->plain[metric - 1][stage]
                                         : measured->stage[metric - 1][stage];
            seconds[repeat] = factor * times.seconds[stage];
        }
    }
}

/* --- figures ---------------------------------------------------------------------------------- */

static double rate(uint64_t n_states, double seconds)
{
    return (double)n_states / seconds * 1e-6;
}

static const char *metric_name(int metric)
{
    return metric == EINSPUL_WDL ? "wdl" : "dtw";
}

/* Seconds of one row: of a material, or summed. */
struct stage_row {
    uint64_t n_stored, n_solved;
    double stage[N_STAGES], plain[N_STAGES], coding;
};

static void stage_row_add(struct bench *bench, struct measured *measured, int metric,
                          struct stage_row *row)
{
    const size_t n = (size_t)bench->options.n_repeats;
    row->n_stored += measured->n_stored;
    row->n_solved += measured->n_solved;
    for (int stage = 0; stage < N_STAGES; stage++) {
        row->stage[stage] += at_fraction(measured->stage[metric - 1][stage], n, 0.5);
        row->plain[stage] += at_fraction(measured->plain[metric - 1][stage], n, 0.5);
    }
    row->coding += at_fraction(measured->coding[metric - 1], n, 0.5);
}

static void print_stage_row(struct rows *rows, const char *name, int metric,
                            const struct stage_row *row)
{
    const double all = row->stage[STAGE_SEEDS] + row->stage[STAGE_WAVES] +
                       row->stage[STAGE_HANDOVER] + row->stage[STAGE_PATTERNS] + row->coding;
    rows_text(rows, "material", name);
    rows_text(rows, "metric", metric_name(metric));
    rows_count(rows, "states", row->n_solved);
    rows_real(rows, "seeds-M/s", rate(row->n_solved, row->stage[STAGE_SEEDS]), 1);
    rows_real(rows, "waves-M/s", rate(row->n_solved, row->stage[STAGE_WAVES]), 1);
    rows_real(rows, "handover-M/s", rate(row->n_solved, row->stage[STAGE_HANDOVER]), 1);
    rows_real(rows, "patterns-M/s", rate(row->n_solved, row->stage[STAGE_PATTERNS]), 1);
    rows_real(rows, "coding-M/s", rate(row->n_stored, row->coding), 1);
    rows_real(rows, "all-M/s", rate(row->n_solved, all), 1);
    rows_real(rows, "seeds-%", 100.0 * row->stage[STAGE_SEEDS] / all, 0);
    rows_real(rows, "waves-%", 100.0 * row->stage[STAGE_WAVES] / all, 0);
    rows_real(rows, "handover-%", 100.0 * row->stage[STAGE_HANDOVER] / all, 0);
    rows_real(rows, "patterns-%", 100.0 * row->stage[STAGE_PATTERNS] / all, 0);
    rows_real(rows, "coding-%", 100.0 * row->coding / all, 0);
    rows_end(rows);
}

static void print_plain_row(struct rows *rows, const char *name, int metric,
                            const struct stage_row *row)
{
    const double *fast = row->stage;
    const double *plain = row->plain;
    rows_text(rows, "material", name);
    rows_text(rows, "metric", metric_name(metric));
    rows_count(rows, "states", row->n_solved);
    rows_real(rows, "fast-seeds-M/s", rate(row->n_solved, fast[STAGE_SEEDS]), 1);
    rows_real(rows, "plain-seeds-M/s", rate(row->n_solved, plain[STAGE_SEEDS]), 2);
    rows_real(rows, "seeds-ratio", plain[STAGE_SEEDS] / fast[STAGE_SEEDS], 1);
    rows_real(rows, "fast-waves-M/s", rate(row->n_solved, fast[STAGE_WAVES]), 1);
    rows_real(rows, "plain-waves-M/s", rate(row->n_solved, plain[STAGE_WAVES]), 2);
    rows_real(rows, "waves-ratio", plain[STAGE_WAVES] / fast[STAGE_WAVES], 1);
    rows_end(rows);
}

static void print_waves_row(struct rows *rows, const char *name, int metric, bool draws,
                            const struct stage_row *row)
{
    rows_text(rows, "material", name);
    rows_text(rows, "metric", metric_name(metric));
    rows_count(rows, "states", row->n_solved);
    rows_text(rows, "leads-to", draws ? "draws" : "solved");
    rows_real(rows, "seeds-M/s", draws ? NAN : rate(row->n_solved, row->stage[STAGE_SEEDS]), 1);
    rows_real(rows, "waves-M/s", rate(row->n_solved, row->stage[STAGE_WAVES]), 1);
    rows_real(rows, "handover-M/s", rate(row->n_solved, row->stage[STAGE_HANDOVER]), 1);
    rows_end(rows);
}

enum row_kind { ROW_STAGES, ROW_PLAIN, ROW_WAVES };

static void print_rows(struct bench *bench, const char *title, enum row_kind kind)
{
    struct rows rows = {.title = title, .json = bench->options.json};
    char name[MATERIAL_NAME_SIZE];

    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++) {
        struct stage_row sum = {0};
        int n_rows = 0;
        if ((bench->options.metrics & (unsigned)metric) == 0)
            continue;
        for (int i = 0; i < bench->n_materials; i++) {
            struct measured *measured = &bench->materials[i];
            struct stage_row row = {0};
            if (!measured->wanted)
                continue;
            material_write(&measured->material, name);
            stage_row_add(bench, measured, metric, &row);
            stage_row_add(bench, measured, metric, &sum);
            n_rows++;
            if (kind == ROW_STAGES)
                print_stage_row(&rows, name, metric, &row);
            else if (kind == ROW_PLAIN)
                print_plain_row(&rows, name, metric, &row);
            else
                print_waves_row(&rows, name, metric, measured->draws, &row);
        }
        if (n_rows > 1 && kind == ROW_STAGES)
            print_stage_row(&rows, "sum", metric, &sum);
        else if (n_rows > 1 && kind == ROW_PLAIN)
            print_plain_row(&rows, "sum", metric, &sum);
    }
}

static void print_whole_row(const struct bench *bench, struct rows *rows, const char *name,
                            uint64_t n_states, const double solve_seconds[2],
                            const double whole_seconds[2], const double peak[2])
{
    const int n_threads = bench->options.n_threads;
    rows_text(rows, "material", name);
    rows_count(rows, "states", n_states);
    rows_real(rows, "solve-1-s", solve_seconds[0], 3);
    rows_real(rows, "whole-1-s", whole_seconds[0], 3);
    rows_real(rows, "whole-1-M/s", rate(n_states, whole_seconds[0]), 1);
    rows_real(rows, "peak-1-MiB", peak[0], 1);
    if (n_threads > 1) {
        rows_count(rows, "threads", (uint64_t)n_threads);
        rows_real(rows, "solve-s", solve_seconds[1], 3);
        rows_real(rows, "whole-s", whole_seconds[1], 3);
        rows_real(rows, "whole-M/s", rate(n_states, whole_seconds[1]) / n_threads, 1);
        rows_real(rows, "peak-MiB", peak[1], 1);
        rows_real(rows, "solve-scaling", solve_seconds[0] / solve_seconds[1], 2);
        rows_real(rows, "whole-scaling", whole_seconds[0] / whole_seconds[1], 2);
    }
    rows_end(rows);
}

static void print_wholes(struct bench *bench)
{
    struct rows rows = {.title = "whole", .json = bench->options.json};
    const size_t n = (size_t)bench->options.n_repeats;
    double sum_solve[2] = {0, 0};
    double sum_whole[2] = {0, 0};
    double peak[2] = {0, 0};
    uint64_t n_states = 0;

    for (int i = 0; i < bench->n_materials; i++) {
        struct measured *measured = &bench->materials[i];
        char name[MATERIAL_NAME_SIZE];
        double solve_seconds[2];
        double whole_seconds[2];
        for (int which = 0; which < 2; which++) {
            solve_seconds[which] = at_fraction(measured->solve[which], n, 0.5);
            whole_seconds[which] = at_fraction(measured->whole[which], n, 0.5);
            sum_solve[which] += solve_seconds[which];
            sum_whole[which] += whole_seconds[which];
            peak[which] = measured->peak[which];
        }
        n_states += measured->n_stored;
        material_write(&measured->material, name);
        print_whole_row(bench, &rows, name, measured->n_stored, solve_seconds, whole_seconds,
                        measured->peak);
    }
    if (bench->n_materials > 1)
        print_whole_row(bench, &rows, "sum", n_states, sum_solve, sum_whole, peak);
}

static void print_run(const struct options *options)
{
    static const char *const names[] = {"", "wdl", "dtw", "both"};
    struct rows rows = {.title = "run", .json = options->json};
    rows_text(&rows, "rules", options->rules.name);
    rows_text(&rows, "metric", names[options->metrics]);
    rows_count(&rows, "threads", (uint64_t)options->n_threads);
    rows_count(&rows, "level", (uint64_t)options->level);
    rows_count(&rows, "repeats", (uint64_t)options->n_repeats);
    rows_count(&rows, "frames", options->n_frames);
    rows_end(&rows);
}

/* --- the program ------------------------------------------------------------------------------ */

static void read_material(void *to, const char *text)
{
    struct options *options = to;
    einspul_error error;
    struct material material;
    must(material_read(text, &material, &error), &error);
    if (!material_is_canonical(&material))
        material = material_turn(&material);
    if (options->n_wanted == MAX_MATERIALS)
        give_up_text("too many materials");
    options->wanted[options->n_wanted++] = material;
}

static void read_metrics(void *to, const char *text)
{
    unsigned *metrics = to;
    const bool both = strcmp(text, "both") == 0;
    *metrics = both ? METRICS_BOTH : strcmp(text, "wdl") == 0 ? METRICS_WDL : METRICS_DTW;
    if (*metrics == METRICS_DTW && strcmp(text, "dtw") != 0)
        give_up_text("--metric: wdl, dtw or both is wanted");
}

/* False when the program is done after --help. */
static bool read_options(struct options *options, int argc, char **argv)
{
    const struct argument known[] = {
        {"--rules", ARGUMENT_RULES, &options->rules, 0, 0, NULL},
        {"--pieces", ARGUMENT_INT, &options->pieces, 2, MAX_PIECES, NULL},
        {"--material", ARGUMENT_OTHER, options, 0, 0, read_material},
        {"--metric", ARGUMENT_OTHER, &options->metrics, 0, 0, read_metrics},
        {"--threads", ARGUMENT_INT, &options->n_threads, 1, 1024, NULL},
        {"--level", ARGUMENT_INT, &options->level, 1, 22, NULL},
        {"--repeat", ARGUMENT_INT, &options->n_repeats, 1, MOST_REPEATS, NULL},
        {"--frames", ARGUMENT_COUNT, &options->n_frames, 0, UINT32_MAX, NULL},
        {"--plain", ARGUMENT_FLAG, &options->plain, 0, 0, NULL},
        {"--waves-only", ARGUMENT_FLAG, &options->waves_only, 0, 0, NULL},
        {"--full", ARGUMENT_FLAG, &options->full, 0, 0, NULL},
        {"--json", ARGUMENT_FLAG, &options->json, 0, 0, NULL},
    };
    einspul_error error;
    *options = (struct options){
        .pieces = 3, .metrics = METRICS_BOTH, .n_threads = 2, .level = 3, .n_repeats = 3};
    must(rules_by_name(&options->rules, "frisian", &error), &error);
    return arguments_read(argc, argv, help, known, sizeof known / sizeof known[0]);
}

static void make_folder(struct bench *bench)
{
    const char *place = getenv("TMPDIR");
    if (place == NULL || strlen(place) > 32)
        place = "/tmp";
    snprintf(bench->folder, sizeof bench->folder, "%s/einspul-bench-XXXXXX", place);
    if (mkdtemp(bench->folder) == NULL)
        give_up_text("cannot make a folder for temporary files");
}

static void run(struct bench *bench)
{
    const struct options *options = &bench->options;
    struct store store = {.rules = &options->rules};

    list_materials(bench);
    print_run(options);
    if (options->waves_only) {
        make_some(bench, &store);
    } else {
        make_folder(bench);
        for (int repeat = 0; repeat < options->n_repeats; repeat++) {
            for (int which = 0; which < (options->n_threads > 1 ? 2 : 1); which++) {
                store_clear(bench, &store);
                make_all(bench, &store, which, repeat);
            }
        }
        rmdir(bench->folder);
        print_wholes(bench);
    }
    for (int repeat = 0; repeat < options->n_repeats; repeat++)
        for (int i = 0; i < bench->n_materials; i++)
            for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++)
                if (bench->materials[i].wanted && (options->metrics & (unsigned)metric) != 0)
                    time_stages(bench, &store, &bench->materials[i], (einspul_metric)metric,
                                repeat);
    print_rows(bench, options->waves_only ? "waves" : "stages",
               options->waves_only ? ROW_WAVES : ROW_STAGES);
    if (options->plain)
        print_rows(bench, "fast-and-plain", ROW_PLAIN);
    store_clear(bench, &store);
    free(bench->materials);
}

int main(int argc, char **argv)
{
    static struct bench bench;
    if (read_options(&bench.options, argc, argv))
        run(&bench);
    return 0;
}
