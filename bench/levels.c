/* What threads find to do in a level, and how many cores that keeps busy at most: counted, not
 * measured. A level begins when the one before it is done, and its tasks (gen/values/levels.h) are
 * taken as equally long, so T tasks on n threads take as long as ceil(T / n). */
#include "bench/arguments.h"
#include "bench/measure.h"

#include "gen/values/levels.h"

#include <math.h>

static const char help[] =
    "bench_levels [OPTION…]\n"
    "\n"
    "Counts the tasks that threads share in each level, and the share of 16 and 64 threads they\n"
    "keep busy. README.md tells what each column is.\n"
    "\n"
    "  --rules NAME      default: frisian\n"
    "  --pieces N        materials of N pieces (default: 6)\n"
    "  --json            a JSON object a row\n";

enum { N_WIDTHS = 2 };
static const int widths[N_WIDTHS] = {16, 64};

/* Of a material, or of all. States are of frames, both sides to move. */
struct figures {
    uint64_t n_tasks, n_levels;
    double n_states;
    double solvable[N_WIDTHS]; /* states that so many threads could solve in the time */
};

static void count_level(const struct levels *levels, const struct shape *shape, int level,
                        struct figures *figures)
{
    const uint64_t n_tasks = levels_tasks(levels, level);
    const double n_states =
        2.0 * (double)levels->n_frames[level] * (double)levels->frame_size * shape->n_run_states;
    if (n_tasks == 0)
        return;
    figures->n_levels++;
    figures->n_tasks += n_tasks;
    figures->n_states += n_states;
    for (int i = 0; i < N_WIDTHS; i++) {
        const double rounds = ceil((double)n_tasks / widths[i]);
        figures->solvable[i] += n_states * rounds * widths[i] / (double)n_tasks;
    }
}

static struct figures count_material(const struct rules *rules, const struct material *material)
{
    struct figures figures = {0};
    struct levels levels;
    struct shape shape;
    shape_init(&shape, rules, material);
    if (levels_create(&levels, rules, &shape, LEVELS_TO_SOLVE) != EINSPUL_OK)
        give_up_text("not enough memory");
    for (int level = 0; level < levels.n_levels; level++)
        count_level(&levels, &shape, level, &figures);
    levels_free(&levels);
    return figures;
}

static void print_figures(struct rows *rows, const char *name, const struct figures *figures)
{
    rows_text(rows, "material", name);
    rows_real(rows, "G-states", figures->n_states / 1e9, 2);
    rows_count(rows, "levels", figures->n_levels);
    rows_count(rows, "tasks", figures->n_tasks);
    rows_real(rows, "busy-16-%", 100 * figures->n_states / figures->solvable[0], 0);
    rows_real(rows, "busy-64-%", 100 * figures->n_states / figures->solvable[1], 0);
    rows_end(rows);
}

static void add_figures(struct figures *sum, const struct figures *figures)
{
    sum->n_levels += figures->n_levels;
    sum->n_tasks += figures->n_tasks;
    sum->n_states += figures->n_states;
    for (int i = 0; i < N_WIDTHS; i++)
        sum->solvable[i] += figures->solvable[i];
}

int main(int argc, char **argv)
{
    struct rules rules;
    int pieces = 6;
    struct rows rows = {.title = "levels"};
    struct figures sum = {0};
    einspul_error error;
    const struct argument known[] = {
        {"--rules", ARGUMENT_RULES, &rules, 0, 0, NULL},
        {"--pieces", ARGUMENT_INT, &pieces, 2, MAX_PIECES, NULL},
        {"--json", ARGUMENT_FLAG, &rows.json, 0, 0, NULL},
    };
    must(rules_by_name(&rules, "frisian", &error), &error);
    if (!arguments_read(argc, argv, help, known, sizeof known / sizeof known[0]))
        return 0;
    struct material materials[MAX_MATERIALS];
    const int n = material_list(pieces, pieces, materials);
    for (int i = 0; i < n; i++) {
        char name[MATERIAL_NAME_SIZE];
        material_write(&materials[i], name);
        const struct figures figures = count_material(&rules, &materials[i]);
        /* A frame of kings alone is a single task, with all threads inside it. */
        if (figures.n_tasks == 1)
            continue;
        print_figures(&rows, name, &figures);
        add_figures(&sum, &figures);
    }
    print_figures(&rows, "all", &sum);
    return 0;
}
