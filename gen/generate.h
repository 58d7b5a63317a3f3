/* Making tables: what to do, how much it takes, doing it. */
#ifndef EINSPUL_GEN_GENERATE_H
#define EINSPUL_GEN_GENERATE_H

#include "core/material.h"
#include "gen/memory_limit.h"
#include "table/file.h"
#include "table/table_write.h"

enum solver_choice { SOLVER_FAST, SOLVER_PLAIN };

/* Sets of metrics. */
enum { METRICS_WDL = 1, METRICS_DTW = 2, METRICS_BOTH = 3 };

/* Of which materials what is solved so far is kept in a file, for a run that goes on. */
enum generate_parts { PARTS_OF_LARGE, PARTS_ALL, PARTS_NONE };

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
};

struct generate_plan;

struct generate_options {
    const struct rules *rules;
    const char *root;        /* tables go to <root>/<rules>/ */
    const char *const *more; /* further roots, whose tables are read; nothing is written there */
    int n_more;
    const char *scratch; /* folder for values that memory has no room for, and for what is kept of
                                 materials in work; NULL: that of the tables */
    _Atomic int *stop;   /* set to anything but 0, by a signal's handler too, it ends the run with
                                 STOPPED; what is finished is kept. Or NULL */
    bool is_job;         /* other processes may write into the folder too (job.h) */
    int pieces;          /* all materials of 2..pieces; 0: `material` and what it needs */
    struct material material; /* canonical */
    unsigned metrics;         /* METRICS_… */
    int n_threads;            /* 1.. */
    uint64_t memory_bytes;    /* to take at most; 0: what the system lets the process have */
    int zstd_level;           /* of the blocks */
    enum solver_choice solver;
    int byte_plies; /* the longest distance that values of one byte are used for; 0: as many as they
                       can tell. Less is for tests: what tables tell does not depend on it */
    enum generate_parts parts;
    bool check; /* decode tables that are on record as sound (checked.h), too */
    void (*planned)(const struct generate_plan *plan, void *context);          /* or NULL */
    void (*progress)(const struct generate_progress *progress, void *context); /* or NULL */
    void *context;
};

/* What a run is going to do. */
struct generate_plan {
    int n_materials;
    struct material materials[MAX_MATERIALS]; /* in the order they are solved */
    bool complete[MAX_MATERIALS];             /* its files are there and sound: skipped */
    unsigned to_write[MAX_MATERIALS];         /* METRICS_… whose files are not */
    unsigned damaged[MAX_MATERIALS];     /* of those, the ones that were read and found wrong */
    uint64_t identity[MAX_MATERIALS][2]; /* by metric - 1: of the file found sound; else 0 */
    bool decoded[MAX_MATERIALS][2];      /* by metric - 1: found sound now, not by the record */
    struct file_stamp stamp[MAX_MATERIALS][2]; /* of the file before that */
    int folder[MAX_MATERIALS]
              [2]; /* by metric - 1: where it is, 0 for the root, 1.. for the others */
    bool solved_again[MAX_MATERIALS];    /* where its values are needed: its file leaves some out */
    uint64_t least_bytes[MAX_MATERIALS]; /* of memory, to solve it at all */
    uint64_t wanted_bytes[MAX_MATERIALS]; /* to read nothing from disk again */
    uint64_t file_bytes[MAX_MATERIALS];   /* of its files */
    uint64_t n_states;                    /* of the materials to solve */
    uint64_t memory_bytes;                /* peak */
    uint64_t disk_bytes;                  /* files to be written, and values besides */
    uint64_t memory_available;            /* the limit it was held against, and which one that is */
    enum memory_source memory_source;
    uint64_t disk_available;
};

/* Finds out what is complete (headers and indexes read; blocks too, unless the file is on record
 * as sound) and what the rest needs. The folder is not touched, nor locked: unless the caller has
 * done that (folder_lock), the plan tells what was there a moment ago. Does not fail because
 * something does not fit. A file counts as missing or damaged only if that is what was found: what
 * keeps it from being read is an error. So is an intact table of something else under its name.
 * BAD_ARGUMENT, IO, NO_MEMORY, WRONG_VERSION, WRONG_RULES, WRONG_MATERIAL, NO_METRIC. */
enum status generate_plan(const struct generate_options *options, struct generate_plan *plan,
                          struct error *error);

/* Carries a plan out, material by material; each file appears whole, by rename. Refuses with
 * NO_MEMORY or NO_SPACE what does not fit, before anything is written. What was complete before an
 * error stays, and is not written again. A damaged file is made anew. What the plan or the run
 * found sound goes on record; a table whose blocks are damaged after all ends the run and is taken
 * out of the record, so that the next run makes it anew. Inside a large material, parts are kept
 * (<root>/<rules>/.<material>.part) and gone on from; they are removed with the material's
 * completion. Same bytes for any number of threads.
 *
 * The caller has held the folder's lock since before the plan was made. Where locks do nothing, a
 * table that is read and is not the one the plan was made with ends the run with LOCKED: another
 * process has replaced it. */
enum status generate_run(const struct generate_options *options, const struct generate_plan *plan,
                         struct error *error);

/* Locks the folder, which is made if need be, plans, and carries the plan out. options->planned is
 * told the plan once, before anything is refused for its size, or written. LOCKED when another
 * process writes into the folder; else errors as generate_plan and generate_run. */
enum status generate_tables(const struct generate_options *options, struct error *error);

/* Threads a run with `n_threads` has at once, at most: those that solve, and those that write. */
int generate_threads(int n_threads);

#endif
