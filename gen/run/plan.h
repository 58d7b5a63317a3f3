/* What a run is asked to do, and its plan: what is there, what is to be made, what that takes. */
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

/* Where a run is, for a display. Reported from one thread at a time, a few times a second. */
struct generate_progress {
    struct material material; /* in work */
    int n_tables_done;        /* materials complete, those found complete included */
    int n_tables;             /* materials in all */
    uint64_t n_states_done;   /* in this run, those found in a file included */
    uint64_t n_states_found;  /* in a file of a run that was stopped, of those */
    uint64_t n_states;        /* to do in this run */
    double seconds;           /* since generate_run began */
    bool table_done;          /* `material` has just been completed */
    bool loading;             /* `material` is brought in, as another one needs it */
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
    _Atomic int *stop; /* set to anything but 0, by a signal's handler too, it ends the run with
                                 STOPPED; what is finished is kept. Or NULL */
    int pieces;        /* all materials of 2..pieces; 0: `material` and what it needs */
    struct material material; /* canonical */
    bool only;                /* `material` alone, from tables that are there; other processes
                                    may do the same in the folder (docs/method.md) */
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
    bool complete;        /* its files are there and sound: skipped */
    bool solved_again;    /* where its values are needed: its file leaves some out */
    unsigned to_write;    /* METRICS_… whose files are not there */
    unsigned damaged;     /* of those, the ones that were read and found wrong */
    int folder[2];        /* by metric - 1: where its file is: 0 for the root, 1.. for the others */
    uint64_t least_bytes; /* of memory: with less the run is refused */
    uint64_t wanted_bytes; /* to read nothing from disk again */
    uint64_t file_bytes;   /* of its files */
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

/* --- plan_make.c ------------------------------------------------------------------------------ */

/* Finds out what is complete, by headers and indexes, and what the rest needs. The folder is neither
 * changed nor locked: unless the caller has done that (folder_lock), the plan may be out of date. Does
 * not fail because something does not fit. A file counts as missing or damaged only if that is what
 * was found: what keeps it from being read is an error. So is an intact table of something else under
 * its name. With options->only what the material leads to must be there: NO_TABLE. Of a material that
 * is complete nothing else is looked at. BAD_ARGUMENT, IO, NO_MEMORY, WRONG_VERSION, WRONG_RULES,
 * WRONG_MATERIAL, NO_METRIC. */
einspul_status generate_plan(const struct generate_options *options, struct generate_plan *plan,
                             einspul_error *error);

/* Opens a material's table where the plan found it, in a folder or a pack. Errors as table_open. */
einspul_status plan_open(const struct generate_options *options, const struct generate_plan *plan,
                         int index, einspul_metric metric, struct table **table,
                         einspul_error *error);

/* --- generate.c ------------------------------------------------------------------------------- */

/* Carries a plan out, material by material; each file appears whole, by rename. Refuses with
 * NO_MEMORY or NO_SPACE what does not fit, before anything is written. What was complete before an
 * error stays, and is not written again. A file that the plan found damaged is made anew; a block
 * that is found damaged when it is read ends the run with the file's name. What is solved of a large
 * material is kept in a part, which the next run goes on from, and which is removed when the material
 * is complete. Same bytes for any number of threads. */
einspul_status generate_run(const struct generate_options *options,
                            const struct generate_plan *plan, einspul_error *error);

/* Locks the folder, which is made if need be, plans, and carries the plan out. options->planned is
 * told the plan once, before anything is refused for its size, or written. With options->only the
 * folder is shared with other processes that do the same, where locks work. LOCKED when another
 * process has it alone; else errors as generate_plan and generate_run. */
einspul_status generate_tables(const struct generate_options *options, einspul_error *error);

#endif
