/* Rates of whole runs by kind of material (bench/README.md, "Stages"), made those of this
 * machine by a short measurement. They are rough: a factor of two either way is to be expected. */
#include "gen/run/estimate.h"

#include "core/os_write.h"
#include "gen/material/material_solve.h"
#include "gen/run/plan.h"

/* Million states a second and core, by metric - 1: without kings; without king runs; with runs on
 * one side; with runs on both. */
static const double rates[4][2] = {{4, 4}, {13, 12}, {45, 36}, {100, 60}};

/* The rates are of Frisian draughts; where kings capture in four directions instead of eight, so
 * much of the time is taken (docs/cluster.md, "Six pieces of international draughts"). */
static const double FOUR_DIRECTIONS = 0.5;

/* Of that measurement on the machine of the rates. */
static const double REFERENCE_SECONDS = 0.023;

einspul_status estimate_speed(double *speed, einspul_error *error)
{
    static const char *const names[] = {"KvK", "KvM", "KKvK", "KKvM", "KMvK"};
    enum { N_NAMES = sizeof names / sizeof names[0] };
    struct rules rules;
    struct store store = {.rules = &rules};
    struct material materials[N_NAMES];
    int n = 0;
    einspul_status status = rules_by_name(&rules, "frisian", error);
    const uint64_t begin = os_thread_ns();
    for (; n < N_NAMES && status == EINSPUL_OK; n++) {
        status = material_read(names[n], &materials[n], error);
        const struct material_params params = {.store = &store,
                                               .material = materials[n],
                                               .metric = EINSPUL_DTW,
                                               .solver = &solver_fast,
                                               .n_threads = 1};
        if (status == EINSPUL_OK)
            status = material_solve(&params, NULL, error);
    }
    const double seconds = 1e-9 * (double)(os_thread_ns() - begin);
    for (int i = 0; i < n; i++)
        solved_destroy(store_get(&store, &materials[i]));
    *speed = seconds > 0 ? REFERENCE_SECONDS / seconds : 1;
    return status;
}

/* How much more a state of kings without runs takes with each piece beyond four, since more captures
 * are looked up. Measured: three kings a side; six kings against a king, and against a man. */
static double growth(const struct material *material)
{
    const int men = material->men[WHITE] + material->men[BLACK];
    for (int side = WHITE; side <= BLACK; side++)
        if (material->kings[side] + material->men[side] == 1 && material->men[!side] == 0)
            return 1.4;
    return men == 0 ? 2 : 1;
}

double estimate_seconds(const struct rules *rules, const struct material *material,
                        unsigned metrics, int n_threads, double speed)
{
    struct shape shape;
    shape_init(&shape, rules, material);
    const int n_with_runs = (shape.n_runs[WHITE] > 1) + (shape.n_runs[BLACK] > 1);
    const int kind = material->kings[WHITE] + material->kings[BLACK] == 0 ? 0 : 1 + n_with_runs;
    const einspul_metric metric = plan_metric(rules, material, metrics);
    double seconds = (double)shape_states(&shape) / (rates[kind][metric - 1] * 1e6);
    for (int n = 4; kind == 1 && n < material_pieces(material); n++)
        seconds *= growth(material);
    if (bits_count(rules->king_captures) <= 4)
        seconds *= FOUR_DIRECTIONS;
    return seconds / (speed * n_threads);
}
