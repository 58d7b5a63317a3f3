/* What a run is asked to do, and how it tells where it is. */
#ifndef EINSPUL_GEN_RUN_RUN_OPTIONS_H
#define EINSPUL_GEN_RUN_RUN_OPTIONS_H

#include "core/material.h"
#include "core/rules.h"
#include "gen/values/paths.h"

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
    bool check;               /* decode all blocks of the tables that are there */
    void (*planned)(const struct generate_plan *plan, void *context);          /* or NULL */
    void (*progress)(const struct generate_progress *progress, void *context); /* or NULL */
    void *context;
};

#endif
