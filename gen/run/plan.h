/* The plan of a run, and what follows from it. */
#ifndef EINSPUL_GEN_RUN_PLAN_H
#define EINSPUL_GEN_RUN_PLAN_H

#include "core/materials.h"
#include "gen/run/memory_limit.h"
#include "gen/run/run_options.h"
#include "gen/solver/solve.h"
#include "table/file.h"

/* A table file of a material, of one metric. */
struct planned_file {
    int folder;        /* where it is: 0 for the root, 1.. for the others */
    uint64_t identity; /* of the file found sound; else 0 */
};

struct planned_material {
    struct material material;
    bool complete;                /* its files are there and sound: skipped */
    bool solved_again;            /* where its values are needed: its file leaves some out */
    unsigned to_write;            /* METRICS_… whose files are not there */
    unsigned damaged;             /* of those, the ones that were read and found wrong */
    struct planned_file files[2]; /* by metric - 1 */
    uint64_t least_bytes;         /* of memory, to solve it at all */
    uint64_t wanted_bytes;        /* to read nothing from disk again */
    uint64_t file_bytes;          /* of its files */
};

/* What a run is going to do. */
struct generate_plan {
    int n_materials;
    struct planned_material materials[MAX_MATERIALS]; /* in the order they are solved */
    uint64_t n_states;                                /* of the materials to solve */
    uint64_t memory_bytes;                            /* peak */
    uint64_t disk_bytes;                              /* files to be written, and values besides */
    uint64_t memory_available; /* the limit it was held against, and which one that is */
    enum memory_source memory_source;
    uint64_t disk_available;
};

/* Begins a plan over materials that are in the order of material_list. */
void plan_begin(struct generate_plan *plan, const struct material *materials, int n);

/* The metric a material's values are computed in: a limited material and what it leads to keep
 * their distances even in a run for WDL tables. */
einspul_metric plan_metric(const struct rules *rules, const struct material *material,
                           unsigned metrics);

/* The metric of the tables a run reads values from. */
static inline einspul_metric plan_read_metric(const struct generate_options *options)
{
    return (options->metrics & METRICS_DTW) != 0 ? EINSPUL_DTW : EINSPUL_WDL;
}

/* Whether what is solved of a material is written to a file at once, so that a run that is stopped
 * loses no more than the frames in work: where it is made alone, or takes more than a second. */
bool plan_keeps_part(const struct generate_options *options, const struct material *material);

/* The first material after number `after` that is not complete and needs number `index`;
 * n_materials if there is none. */
int plan_next_need(const struct generate_plan *plan, int index, int after);

/* Per material of the plan: whether material number `index` leads to it in one move. */
void plan_needs(const struct generate_plan *plan, int index, enum succession succession,
                bool needs[MAX_MATERIALS]);

/* The moves whose materials it takes to bring a complete material in. */
enum succession plan_succession(const struct generate_plan *plan, int index);

#endif
