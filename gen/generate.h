/* Making tables: what to do, how much it takes, doing it. */
#ifndef EINSPUL_GEN_GENERATE_H
#define EINSPUL_GEN_GENERATE_H

#include "core/material.h"
#include "table/table_write.h"

enum solver_choice { SOLVER_FAST, SOLVER_PLAIN };

/* Sets of metrics. */
enum { METRICS_WDL = 1, METRICS_DTW = 2, METRICS_BOTH = 3 };

/* Where a run is, for a display. Reported from one thread at a time, a few times a second. */
struct generate_progress {
    struct material material; /* in work */
    int n_tables_done;        /* materials complete, those found complete included */
    int n_tables;             /* materials in all */
    uint64_t n_states_done;   /* in this run, those found in a checkpoint included */
    uint64_t n_states_found;  /* in a checkpoint, of those */
    uint64_t n_states;        /* to do in this run */
    double seconds;           /* since generate_run began */
    bool table_done;          /* `material` has just been completed */
};

struct generate_options {
    const struct rules *rules;
    const char *root;         /* tables go to <root>/<rules>/ */
    int pieces;               /* all materials of 2..pieces; 0: `material` and what it needs */
    struct material material; /* canonical */
    unsigned metrics;         /* METRICS_… */
    int n_threads;            /* 1.. */
    uint64_t memory_bytes;    /* refuse to plan above this; 0: what the machine has free */
    int level;                /* zstd level of the blocks */
    enum solver_choice solver;
    double checkpoint_seconds; /* between checkpoints inside a material, at least; 0: as many as
                                  cost little; negative: no checkpoints */
    void (*progress)(const struct generate_progress *progress, void *context); /* or NULL */
    void *context;
};

/* What a run is going to do. */
struct generate_plan {
    int n_materials;
    struct material materials[MAX_MATERIALS]; /* in the order they are solved */
    bool complete[MAX_MATERIALS];             /* its files are there and sound: skipped */
    bool solved_again[MAX_MATERIALS]; /* where its values are needed: its file leaves some out */
    /* By material to solve, other: held in memory meanwhile. Nothing that will be needed again is
     * let go of unless memory would not do; it is read back from its table then. */
    bool holds[MAX_MATERIALS][MAX_MATERIALS];
    uint64_t n_states;         /* of the materials to solve */
    uint64_t memory_bytes;     /* peak */
    uint64_t disk_bytes;       /* files to be written, the largest checkpoint */
    uint64_t memory_available; /* the limit it was held against */
    uint64_t disk_available;
};

/* Finds out what is complete (headers and all checksums read) and what the rest needs. The folder
 * is not touched. BAD_ARGUMENT, IO, NO_MEMORY. Does not fail because something does not fit. */
enum status generate_plan(const struct generate_options *options, struct generate_plan *plan,
                          struct error *error);

/* Carries a plan out, material by material; each file appears whole, by rename. Refuses with
 * NO_MEMORY or NO_SPACE what does not fit, before anything is written; LOCKED when another process
 * generates into the same folder. What was complete before an error stays. A damaged file is made
 * anew. Inside a large material, checkpoints are kept (<root>/<rules>/.<material>.part) and gone on
 * from; they are removed with the material's completion. Same bytes for any number of threads. */
enum status generate_run(const struct generate_options *options, const struct generate_plan *plan,
                         struct error *error);

/* Makes <root>/<rules> and locks it against other processes that write tables there, until `*lock`,
 * a file, is closed. LOCKED, IO, BAD_ARGUMENT (the path is too long). */
enum status generate_lock(const char *root, const struct rules *rules, int *lock,
                          struct error *error);

/* Path of a table file: <root>/<rules>/<material>.wdl or .dtw. `path` has `size` bytes;
 * BAD_ARGUMENT when they are too few. */
enum status generate_path(const char *root, const struct rules *rules,
                          const struct material *material, enum metric metric, char *path,
                          size_t size, struct error *error);

#endif
