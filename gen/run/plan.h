/* The options of a run, and its plan: which tables exist, which to generate, and at what cost. */
#ifndef EINSPUL_GEN_RUN_PLAN_H
#define EINSPUL_GEN_RUN_PLAN_H

#include "core/material.h"
#include "core/program/materials.h"
#include "core/rules.h"
#include "gen/run/limits.h"
#include "gen/values/paths.h"
#include "table/metric.h"

#include <stdatomic.h>

/* Sets of metrics. */
enum { METRICS_WDL = 1, METRICS_DTW = 2, METRICS_BOTH = 3 };

struct generate_plan;
struct generate_progress;
struct table;

struct generate_options {
    const struct rules *rules;
    const char *root;  /* tables go to <root>/<rules>/ */
    _Atomic int *stop; /* when set non-zero, also by a signal handler, ends the run with STOPPED;
                          finished work is kept. May be NULL */
    int pieces;        /* all materials of 2..pieces; 0: `material` and all it leads to */
    struct material material; /* canonical */
    bool single;              /* `material` alone, from existing tables; other processes may do the
                                 same in the folder (docs/method.md) */
    bool any_disk;            /* do not refuse tables that may not fit the disk */
    unsigned metrics;         /* METRICS_… */
    int n_threads;            /* 1.. */
    uint64_t memory_limit;    /* 0: that of the system */
    int zstd_level;           /* of the blocks */
    void (*planned)(const struct generate_plan *plan, void *context);          /* or NULL */
    void (*progress)(const struct generate_progress *progress, void *context); /* or NULL */
    void *context;
};

struct planned_material {
    struct material material;
    bool complete;         /* its files exist and are intact: nothing to do */
    bool solved_again;     /* its file omits values, so it is solved again where they are needed */
    unsigned to_write;     /* METRICS_… whose files are missing or damaged */
    unsigned damaged;      /* of those, the ones that were read and found wrong */
    uint64_t least_bytes;  /* memory below which the run is refused */
    uint64_t wanted_bytes; /* memory with which no chunk is read back from disk */
    uint64_t file_bytes;   /* of its files */
};

/* The work of a run. */
struct generate_plan {
    int n_materials;
    struct planned_material materials[MAX_MATERIALS]; /* in the order they are solved */
    uint64_t n_states;                                /* of the materials to solve */
    uint64_t memory_bytes;                            /* peak */
    uint64_t file_bytes;                              /* of the tables to be written */
    uint64_t disk_bytes;                              /* of these and temporary files */
    struct memory_limit memory_limit;
    uint64_t disk_available;
};

/* Begins a plan over materials that are in the order of material_list. */
void plan_begin(struct generate_plan *plan, const struct material *materials, int n);

/* The metric a material's values are computed in: a limited material and its successors have
 * distances even in a run for WDL tables. */
einspul_metric plan_metric(const struct rules *rules, const struct material *material,
                           unsigned metrics);

/* The metric of the tables a run reads values from. */
static inline einspul_metric plan_read_metric(const struct generate_options *options)
{
    return (options->metrics & METRICS_DTW) != 0 ? EINSPUL_DTW : EINSPUL_WDL;
}

/* True if solved parts of a material are written to a part file at once, so that an interrupted run
 * loses only the frames in progress: if it is generated alone, or takes more than a second. */
bool plan_saves_part(const struct generate_options *options, const struct material *material);

/* The first material after number `after` that is not complete and needs number `index`;
 * n_materials if none does. */
int plan_next_need(const struct generate_plan *plan, int index, int after);

/* Sets, per material of the plan, if material number `index` leads to it in one move. */
void plan_needs(const struct generate_plan *plan, int index, enum move_kinds kinds,
                bool needs[MAX_MATERIALS]);

/* Which successors must be in the store to load a complete material: by capture, or, if it is
 * solved again, by promotion too. */
enum move_kinds plan_succession(const struct generate_plan *plan, int index);

#endif
