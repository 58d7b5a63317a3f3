/* What is behind an einspul handle: which files there are, and those opened so far. */
#ifndef EINSPUL_PROBE_HANDLE_H
#define EINSPUL_PROBE_HANDLE_H

#include "probe/cache.h"
#include "probe/probe.h"

#include <pthread.h>
#include <stdatomic.h>

/* An open table as probes need it. Never changes. */
struct opened {
    struct table *table;
    struct shape shape;
    uint64_t blocks_per_side;
    int place_bits; /* 2^place_bits placements a block */
    bool has_distances;
    struct cache_slot *slots; /* by block */
};

/* A file that was there when the handle was opened. */
struct source {
    char *path; /* NULL: no such file */
    uint64_t n_bytes;
    struct opened *_Atomic opened; /* set once, under open_lock; read without it */
};

struct einspul {
    struct rules rules;
    enum table_io io;
    struct cache *cache;
    pthread_mutex_t open_lock;
    int n_materials;
    struct material materials[MAX_MATERIALS]; /* all there could be, in generation order */
    struct source sources[MAX_MATERIALS][2];  /* by metric - 1 */
    uint8_t number[MAX_PIECES][MAX_PIECES][MAX_PIECES][MAX_PIECES]; /* of a canonical material:
                                                     White's men and kings, Black's men and kings */
};

/* The open table of a canonical material of at most MAX_PIECES pieces that serves `metric`:
 * METRIC_WDL is served by any file, METRIC_DTW by one with distances. Opens it if need be; with
 * `cached_only` NOT_CACHED instead. NO_TABLE, NO_METRIC, errors of table_open. Thread-safe. */
enum status handle_table(einspul *handle, const struct material *material, enum metric metric,
                         bool cached_only, const struct opened **opened, struct error *error);

/* Copies an internal error out; returns `status` as the public enum. */
einspul_status public_error(enum status status, const struct error *from, einspul_error *error);

#endif
