/* Rates of whole runs by kind of material, and bytes a placement took in
 * the sets of 2 to 5 pieces. They are rough: a factor of two either way is to be expected. */
#include "gen/run/estimate.h"

#include "core/index.h"
#include "core/materials.h"
#include "gen/run/plan.h"

/* --- time ------------------------------------------------------------------------------------- */

/* Million states a second and core, by metric - 1: without kings; without king runs; with runs on
 * one side; with runs on both. */
static const double rates[4][2] = {{4, 4}, {13, 12}, {45, 36}, {100, 60}};

/* The rates are of Frisian draughts; where kings capture in four directions instead of eight, so
 * much of the time is taken. */
static const double FOUR_DIRECTIONS = 0.5;

/* Placements a second and core that are read back from a table, captures seeded again; and of a
 * material that promotions lead to the share of that time: its table is decoded whole, and a tenth
 * to a quarter of its captures seeded. */
static const double LOADING_RATE = 15e6;
static const double SHARE_AFTER_PROMOTION = 0.2;

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

static double solving_seconds(const struct rules *rules, const struct material *material,
                              unsigned metrics)
{
    struct shape shape;
    shape_init(&shape, rules, material);
    const int n_with_runs = (shape.n_runs[WHITE] > 1) + (shape.n_runs[BLACK] > 1);
    const int kind = material->kings[WHITE] + material->kings[BLACK] == 0 ? 0 : 1 + n_with_runs;
    const einspul_metric metric = plan_metric(rules, material, metrics);
    double seconds = (double)shape_states(&shape) / (rates[kind][metric - 1] * 1e6);
    for (int n = 4; kind == 1 && n < material_pieces(material); n++)
        seconds *= growth(material);
    return bits_count(rules->king_captures) <= 4 ? seconds * FOUR_DIRECTIONS : seconds;
}

static double loading_seconds(const struct rules *rules, const struct material *material)
{
    struct material needs[MAX_MATERIALS];
    const int n = material_successors(material, BY_CAPTURE_OR_PROMOTION, needs);
    double n_placements = 0;
    for (int i = 0; i < n; i++) {
        struct shape shape;
        shape_init(&shape, rules, &needs[i]);
        const bool promoted = material_pieces(&needs[i]) == material_pieces(material);
        n_placements += (double)(shape.n_placements * (uint64_t)shape.n_sides) *
                        (promoted ? SHARE_AFTER_PROMOTION : 1);
    }
    return n_placements / LOADING_RATE;
}

double estimate_core_seconds(const struct rules *rules, const struct material *material,
                             unsigned metrics)
{
    return solving_seconds(rules, material, metrics) + loading_seconds(rules, material);
}

/* Threads share the pages of a level, or of a large frame, and wait for each other at its end: with
 * two pages each, and ten seconds of work in all, that is little. */
int estimate_cores(const struct rules *rules, const struct material *material, unsigned metrics,
                   int most)
{
    const double seconds = estimate_core_seconds(rules, material, metrics);
    const int n_levels = 9 * (material->men[WHITE] + material->men[BLACK]) + 1;
    struct shape shape;
    shape_init(&shape, rules, material);
    const double n_pages = (double)shape.n_placements / PAGE_ROOM / n_levels;
    const double n = seconds / 10 < n_pages / 2 ? seconds / 10 : n_pages / 2;
    return n < 1 ? 1 : n < most ? (int)n : most;
}

/* --- bytes ------------------------------------------------------------------------------------ */

/* Few patterns where values have no distances, many where they have and there are many run
 * states. */
uint64_t estimate_value_bytes(const struct shape *shape, einspul_metric metric, uint64_t n)
{
    double per_placement = 1.0;
    if (shape->n_run_states > 1)
        per_placement = metric == EINSPUL_WDL ? 1.5 : 2.0 + 0.15 * shape->n_run_states;
    return (uint64_t)((double)n * per_placement);
}

/* Bytes of a placement grow with the run states, and differ between games. */
static uint64_t file_bytes(const struct rules *rules, const struct shape *shape,
                           einspul_metric metric)
{
    static const struct {
        int pdn_game_type;
        double per_placement[2][3]; /* by metric - 1; one run state, below 16, more */
    } games[] = {
        {40, {{0.050, 0.090, 0.22}, {0.210, 0.410, 1.2}}},
        {20, {{0.036, 0.090, 0.22}, {0.122, 0.410, 1.2}}},
        {21, {{0.025, 0.090, 0.22}, {0.380, 0.410, 1.2}}},
        {26, {{0.050, 0.090, 0.22}, {0.190, 0.410, 1.2}}},
    };
    const int column = shape->n_run_states == 1 ? 0 : shape->n_run_states < 16 ? 1 : 2;
    const uint64_t n_placements = shape_possible_placements(shape) * (uint64_t)shape->n_sides;
    double per_placement = 0.5;
    for (size_t i = 0; i < sizeof games / sizeof games[0]; i++)
        if (games[i].pdn_game_type == rules->pdn_game_type)
            per_placement = games[i].per_placement[metric - 1][column];
    return 512 + (uint64_t)((double)n_placements * per_placement);
}

uint64_t estimate_file_bytes(const struct rules *rules, const struct shape *shape, unsigned metrics)
{
    uint64_t n_bytes = 0;
    for (int metric = EINSPUL_WDL; metric <= EINSPUL_DTW; metric++)
        if ((metrics & (unsigned)metric) != 0)
            n_bytes += file_bytes(rules, shape, (einspul_metric)metric);
    return n_bytes;
}
