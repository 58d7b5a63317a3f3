#include "gen/store.h"

#include <stdlib.h>
#include <string.h>

enum { NARROW_PATTERNS = 1 << 16, NARROW_RUN_STATES = 28 };

/* Outcomes alone make few patterns: 4698 in KKMvKM with 28 run states. */
static bool is_wide(const struct shape *shape, enum metric metric)
{
    return shape->n_run_states > (metric == METRIC_WDL ? NARROW_RUN_STATES : 1);
}

enum status solved_create(const struct rules *rules, const struct material *material,
                          enum metric metric, struct solved **result)
{
    struct solved *solved = calloc(1, sizeof *solved);
    *result = NULL;
    if (solved == NULL)
        return STATUS_NO_MEMORY;
    shape_init(&solved->shape, rules, material);
    const uint64_t n = solved->shape.n_placements;
    const bool wide = is_wide(&solved->shape, metric);
    for (int side = 0; side < solved->shape.n_sides; side++) {
        solved->low[side] = calloc(n, sizeof *solved->low[side]);
        solved->quiet[side] = calloc((n + 63) / 64, sizeof *solved->quiet[side]);
        if (wide)
            solved->high[side] = calloc(n, sizeof *solved->high[side]);
        if (solved->low[side] == NULL || solved->quiet[side] == NULL ||
            (wide && solved->high[side] == NULL) ||
            patterns_init(&solved->patterns[side], solved->shape.n_run_states) != STATUS_OK) {
            solved_destroy(solved);
            return STATUS_NO_MEMORY;
        }
    }
    *result = solved;
    return STATUS_OK;
}

void solved_destroy(struct solved *solved)
{
    if (solved == NULL)
        return;
    for (int side = 0; side < 2; side++) {
        patterns_free(&solved->patterns[side]);
        free(solved->entry[0][side]);
        free(solved->entry[1][side]);
        free(solved->low[side]);
        free(solved->high[side]);
        free(solved->quiet[side]);
    }
    free(solved);
}

uint32_t solved_max_patterns(const struct solved *solved)
{
    return solved->high[WHITE] == NULL ? NARROW_PATTERNS : MAX_PATTERNS;
}

uint64_t solved_bytes(const struct shape *shape, enum metric metric)
{
    const uint64_t per_side = shape->n_placements * (is_wide(shape, metric) ? 3 : 2) +
                              (shape->n_placements + 63) / 64 * 8;
    return per_side * (uint64_t)shape->n_sides;
}

enum status solved_set_entry(struct solved *solved, const struct rules *rules, enum metric metric)
{
    const bool limited = material_is_limited(rules, &solved->shape.material);
    for (int wanted = METRIC_WDL; wanted <= METRIC_DTW; wanted++) {
        if (!limited && (wanted == METRIC_DTW || metric == METRIC_WDL))
            continue;
        for (int side = 0; side < solved->shape.n_sides; side++) {
            const struct patterns *patterns = &solved->patterns[side];
            const size_t n_values = (size_t)patterns->n * (size_t)patterns->length;
            value_t *entry = malloc(n_values);
            if (entry == NULL)
                return STATUS_NO_MEMORY;
            solved->entry[wanted - 1][side] = entry;
            for (size_t i = 0; i < n_values; i++) {
                value_t value = patterns->values[i];
                if (limited) /* in canonical material White has the two kings */
                    value = value_limited(value, rules->two_kings_limit, 0, side == WHITE);
                entry[i] = wanted == METRIC_WDL ? value_sign(value) : value;
            }
        }
    }
    return STATUS_OK;
}

void store_set(struct store *store, const struct material *material, struct solved *solved)
{
    store->by_counts[material->men[WHITE]][material->kings[WHITE]][material->men[BLACK]]
                    [material->kings[BLACK]] = solved;
}

struct solved *store_get(const struct store *store, const struct material *material)
{
    return store->by_counts[material->men[WHITE]][material->kings[WHITE]][material->men[BLACK]]
                           [material->kings[BLACK]];
}

const value_t *store_find(const struct store *store, const struct placement *placement,
                          enum metric metric, int *stride, bool *turned)
{
    struct placement at = *placement;
    struct material material = material_of(placement);

    *turned = !material_is_canonical(&material) ||
              (material_is_symmetric(&material) && placement->side == BLACK);
    if (*turned) {
        at = placement_turn(&store->rules->board, placement);
        material = material_turn(&material);
    }
    const struct solved *solved = store_get(store, &material);
    if (solved == NULL)
        return NULL;
    *stride = at.side == WHITE ? solved->shape.n_runs[BLACK] : 1;
    const uint64_t index = shape_rank(&solved->shape, &at);
    const value_t *patterns = solved->entry[metric - 1][at.side];
    if (patterns == NULL)
        patterns = solved->patterns[at.side].values;
    return patterns +
           (size_t)solved_pattern(solved, (int)at.side, index) * (size_t)solved->shape.n_run_states;
}
