/* The values of all placements of small materials in memory, placements with a capture included, so that
 * the successors of a larger material's captures are read and not probed. */
#ifndef EINSPUL_VERIFY_RESOLVED_H
#define EINSPUL_VERIFY_RESOLVED_H

#include "core/material.h"
#include "core/moves.h"
#include "core/program/index.h"
#include "core/program/materials.h"
#include "core/value.h"
#include "core/watch.h"
#include "probe/position.h"

enum { N_MATERIAL_KEYS = 1 << 12 };

/* A material's values, by side to move, placement index and the index of runs (shape_rule_state).
 * Impossible placements have none. */
struct resolved {
    struct shape shape;
    int n_values;       /* of a placement */
    value_t *values[2]; /* of symmetric material only White's */
};

struct resolved_set {
    einspul *handle;
    const struct rules *rules;
    einspul_metric metric;
    struct watch *watch;
    value_t before[256]; /* a successor's value as the value of its move */
    int n;
    struct resolved list[MAX_MATERIALS];
    /* By the key of a material: 1 + its number in `list`, negative if it is there with colours
     * swapped; 0: not in memory. */
    int16_t number[N_MATERIAL_KEYS];
};

/* The share of the time, for progress. */
static const double RESOLVING_SHARE = 0.2;

/* Resolves the materials that captures in `material` can lead to, smallest first, as long as they fit in
 * `max_bytes`; others are probed. Errors of the prober, NO_MEMORY, STOPPED;
 * afterwards resolved_free. */
einspul_status resolved_init(struct resolved_set *set, einspul *handle,
                             const struct material *material, einspul_metric metric,
                             uint64_t max_bytes, int n_threads, struct watch *watch,
                             einspul_error *error);
void resolved_free(struct resolved_set *set);

/* The values of a placement whose side to move has a capture, by run of the other side, of which there
 * are `n_other`. Errors of the prober. */
einspul_status resolved_captures(const struct resolved_set *set, const struct placement *at,
                                 int n_other, value_t values[MAX_RUNS], einspul_error *error);

#endif
