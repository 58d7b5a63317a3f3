/* The options of a run, and its plan: which tables exist, which are to be made, and what that
 * costs. */
#ifndef EINSPUL_GEN_RUN_PLAN_H
#define EINSPUL_GEN_RUN_PLAN_H

#include "core/material.h"
#include "core/program/materials.h"
#include "core/rules.h"
#include "gen/run/limits.h"
#include "gen/values/paths.h"
#include "table/metric.h"
#include "table/read_file.h"

#include <stdatomic.h>

/* Sets of metrics. */
enum { METRICS_WDL = 1, METRICS_DTW = 2, METRICS_BOTH = 3 };

/* The progress of a run, for display. Reported from one thread at a time, a few times a second. */
struct generate_progress {
    struct material material; /* in work */
    int n_tables_done;        /* materials complete, those found complete included */
    int n_tables;             /* materials in all */
    uint64_t n_states_done;   /* in this run, those found in a file included */
    uint64_t n_states_found;  /* of these, found in part files of interrupted runs */
    uint64_t n_states;        /* to do in this run */
    double seconds;           /* since generate_run began */
    bool table_done;          /* `material` has just been completed */
    bool loading;             /* `material` is loaded because another one needs it */
};

struct generate_plan;
struct pack;
struct table;

struct generate_options {
    const struct rules *rules;
    const char *root;          /* tables go to <root>/<rules>/ */
    const char *const *more;   /* further roots, whose tables are read; nothing is written there */
    struct pack *const *packs; /* those of them that are packs, open; NULL: folders */
    int n_more;
    _Atomic int *stop; /* when set non-zero, also by a signal handler, ends the run with STOPPED;
                          finished work is kept. May be NULL */
    int pieces;        /* all materials of 2..pieces; 0: `material` and what it needs */
    struct material material; /* canonical */
    bool only;                /* `material` alone, from existing tables; other processes may do the
                                 same in the folder (docs/method.md) */
    unsigned metrics;         /* METRICS_… */
    int n_threads;            /* 1.. */
    uint64_t memory_bytes;    /* to take at most; 0: what the system lets the process have */
    int zstd_level;           /* of the blocks */
    void (*planned)(const struct generate_plan *plan, void *context);          /* or NULL */
    void (*progress)(const struct generate_progress *progress, void *context); /* or NULL */
    void *context;
};

struct planned_material {
    struct material material;
    bool complete;        /* its files exist and are intact: nothing to do */
    bool solved_again;    /* its file omits values, so it is solved again where they are needed */
    unsigned to_write;    /* METRICS_… whose files are missing or damaged */
    unsigned damaged;     /* of those, the ones that were read and found wrong */
    int folder[2];        /* by metric - 1: where its file is: 0 for the root, 1.. for the others */
    uint64_t least_bytes; /* memory below which the run is refused */
    uint64_t wanted_bytes; /* memory with which no chunk is read back from disk */
    uint64_t file_bytes;   /* of its files */
};

/* The work of a run. */
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
bool plan_keeps_part(const struct generate_options *options, const struct material *material);

/* The first material after number `after` that is not complete and needs number `index`;
 * n_materials if none does. */
int plan_next_need(const struct generate_plan *plan, int index, int after);

/* Sets, per material of the plan, if material number `index` leads to it in one move. */
void plan_needs(const struct generate_plan *plan, int index, enum move_kinds succession,
                bool needs[MAX_MATERIALS]);

/* Which successors must be in the store to load a complete material: by capture, or, if it is
 * solved again, by promotion too. */
enum move_kinds plan_succession(const struct generate_plan *plan, int index);

/* --- plan_make.c ------------------------------------------------------------------------------ */

/* Finds out what is complete, by headers and indexes, and what the rest needs. The folder is
 * neither changed nor locked: unless the caller has done that (folder_lock), the plan may be out of
 * date. A plan that does not fit memory or disk is not an error here. A file counts as missing or
 * damaged only if it was found to be; a failure to read it is an error, and so is an intact table
 * of something else under its name. With options->only the tables of the material's successors must
 * exist: NO_TABLE. If that material is complete, nothing else is examined. BAD_ARGUMENT, IO,
 * NO_MEMORY, WRONG_VERSION, WRONG_RULES, WRONG_MATERIAL, NO_METRIC. */
einspul_status generate_plan(const struct generate_options *options, struct generate_plan *plan,
                             einspul_error *error);

/* Opens a material's table where the plan found it, in a folder or a pack. Errors as table_open. */
einspul_status plan_open(const struct generate_options *options, const struct generate_plan *plan,
                         int index, einspul_metric metric, struct table **table,
                         einspul_error *error);

/* --- generate.c ------------------------------------------------------------------------------- */

/* Carries a plan out, material by material; each file appears whole, by rename. A plan that does
 * not fit is refused with NO_MEMORY or NO_SPACE before anything is written. Tables completed before
 * an error remain, and are not written again. A file that the plan found damaged is regenerated; a
 * damaged block found later ends the run with an error that names the file. Solved parts of a large
 * material are kept in a part file, from which the next run resumes, and which is removed when the
 * material is complete. The bytes do not depend on the number of threads. */
einspul_status generate_run(const struct generate_options *options,
                            const struct generate_plan *plan, einspul_error *error);

/* Locks the folder, which is created if necessary, plans, and carries the plan out.
 * options->planned is called with the plan once, before anything is refused for its size, or
 * written. With options->only the lock is shared with other processes that do the same, if locks
 * work. LOCKED when another process has it alone; else errors as generate_plan and generate_run. */
einspul_status generate_tables(const struct generate_options *options, einspul_error *error);

#endif
