/* What solving and loading a material share: its frames are filled by threads, level by level, and
 * their values go to chunks (material_levels.c has the outline). */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_WORK_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_WORK_H

#include "gen/material/counting.h"
#include "gen/material/material_params.h"
#include "table/block_cursor.h"

/* What one thread works with, or several in a frame. */
struct worker {
    struct frame frame;
    void *seeders;
    void *solver;                    /* NULL when loading, or where it needs nothing */
    struct chunk_builder **builders; /* two for each thread inside; NULL without chunks */
    struct block_cursor *cursors;    /* by thread inside, side; when loading */
};

struct work {
    const struct material_params *params;
    bool loading;              /* from params->table, without solving */
    struct counters *counters; /* counts the loaded values instead of keeping them; or NULL */
    /* Fills the values of a worker's frame, whose classes and seeds are known. */
    einspul_status (*fill)(struct work *work, struct worker *worker, uint64_t number,
                           einspul_error *error);
    bool makes_chunks; /* the frames become chunks */
    const struct solver_ops *solver;
    struct frame_context context;
    struct solved *solved;
    struct worker *workers;
    int n_workers;
    int n_threads_per_frame;              /* threads of a frame */
    int twin_rule_state[MAX_RULE_STATES]; /* by rule state: the same with colours swapped */
    bool saves_part;                      /* chunks are written to a part */
    bool part_has_failed;                 /* or cannot be written for another reason */
    einspul_status status;                /* the first failure */
    einspul_error *error;
};

/* Sets up the members from `solver` on; the caller has set the others. Out of memory: sets status
 * and error, and returns false. */
bool work_prepare(struct work *work);

void work_release(struct work *work);

/* Notes a failure, if it is the first. Any thread. */
void work_fail(struct work *work, einspul_status status, const char *text);
bool work_failed(const struct work *work);

#endif
