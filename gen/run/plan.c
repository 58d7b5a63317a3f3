/* The parts of a plan that need no file access. */
#include "gen/run/plan.h"

#include "core/program/index.h"
#include "core/program/materials.h"

#include <string.h>

enum { MIN_PART_STATES = 100000000 };

void plan_begin(struct generate_plan *plan, const struct material *materials, int n)
{
    memset(plan, 0, sizeof *plan);
    plan->n_materials = n;
    for (int i = 0; i < n; i++)
        plan->materials[i].material = materials[i];
}

einspul_metric plan_metric(const struct rules *rules, const struct material *material,
                           unsigned metrics)
{
    const bool distances =
        (metrics & METRICS_DTW) != 0 || table_always_has_distances(rules, material);
    return distances ? EINSPUL_DTW : EINSPUL_WDL;
}

bool plan_saves_part(const struct generate_options *options, const struct material *material)
{
    struct shape shape;
    shape_init(&shape, options->rules, material);
    return options->single || shape_states(&shape) > MIN_PART_STATES;
}

void plan_needs(const struct generate_plan *plan, int index, enum move_kinds kinds,
                bool needs[MAX_MATERIALS])
{
    struct material list[MAX_MATERIALS];
    const int n = material_successors(&plan->materials[index].material, kinds, list);
    for (int i = 0; i < plan->n_materials; i++)
        needs[i] = material_position_in(list, n, &plan->materials[i].material) < n;
}

enum move_kinds plan_succession(const struct generate_plan *plan, int index)
{
    return plan->materials[index].solved_again ? CAPTURES_AND_PROMOTIONS : CAPTURES;
}

int plan_next_need(const struct generate_plan *plan, int index, int after)
{
    bool needs[MAX_MATERIALS];
    int later = after + 1;
    for (; later < plan->n_materials; later++) {
        if (plan->materials[later].complete)
            continue;
        plan_needs(plan, later, CAPTURES_AND_PROMOTIONS, needs);
        if (needs[index])
            break;
    }
    return later;
}
