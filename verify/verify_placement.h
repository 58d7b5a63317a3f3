/* One placement of a table compared with its successors, which are probed. */
#ifndef EINSPUL_VERIFY_VERIFY_PLACEMENT_H
#define EINSPUL_VERIFY_VERIFY_PLACEMENT_H

#include "core/moves.h"
#include "core/program/index.h"
#include "core/program/materials.h"
#include "verify/verify.h"

enum { MAX_SIMPLE_MOVES = 128 };

/* The share of the time, for progress; the hash takes the rest. */
static const double VALUES_SHARE = 0.95;

/* A table that is being verified. */
struct verified {
    einspul *handle;
    const struct rules *rules;
    const struct table *table;
    const struct shape *shape;
    einspul_metric metric; /* to probe successors in */
    bool distances;        /* the table stores them */
    struct watch *watch;
    bool limited; /* its values are those without the limit of Article 18 */
};

/* Results so far. */
struct findings {
    struct verify_report report;
    uint64_t first_index; /* of report.first_fault: side, placement, rule state */
};

/* Scratch memory for the successors of a placement. */
struct successors {
    struct move_list moves; /* without a run of the side to move: all that can occur */
    struct move_list legal; /* with one of its runs */
    /* By move, count of the run of the side that made it, run of the other side. */
    value_t after[MAX_SIMPLE_MOVES][MAX_RUN_COUNT + 1][MAX_RUNS];
    bool known[MAX_SIMPLE_MOVES][MAX_RUN_COUNT + 1];
};

void successors_init(struct successors *work);
void successors_free(struct successors *work);

/* Probes the successor of a move, for every run of the other side. Errors of the prober. */
einspul_status probe_after(const struct verified *verified, const struct state *state,
                           const struct move *move, value_t values[MAX_RUNS], einspul_error *error);

/* Compares all rule states of a placement without captures with the values that its successors imply.
 * `index` is that of the placement, through both sides. Errors of the prober, NO_MEMORY. */
einspul_status verify_placement(const struct verified *verified, struct successors *work,
                                const struct placement *at, const value_t *stored_values,
                                uint64_t index, struct findings *findings, einspul_error *error);

/* Adds the findings of a part of the table; the first fault stays the one of lowest index. */
void findings_add(struct findings *all, const struct findings *part);

#endif
