/* What solving and loading a material share: its frames are filled by threads, level by level, and
 * their values go to chunks (material_levels.c has the outline). */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_WORK_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_WORK_H

#include "gen/material/material.h"
#include "table/block_cursor.h"

/* What one thread works with, or several in a frame. */
struct worker {
    struct frame frame;
    void *seeders;
    void *solver;              /* NULL when loading, or where it needs nothing */
    struct builder **builders; /* two for each thread inside; NULL where no chunks are made */
    struct block_cursor *at;   /* by thread inside, side; when loading */
};

struct work {
    const struct material_params *params;
    bool loading;              /* from params->table: nothing is solved */
    struct counters *counters; /* to count with instead of keeping what is loaded */
    /* Fills the values of a worker's frame, whose classes and seeds are known. */
    einspul_status (*fill)(struct work *work, struct worker *worker, uint64_t number,
                           einspul_error *error);
    bool keeps; /* chunks are made */
    const struct solver_type *solver;
    struct frame_context context;
    struct solved *solved;
    struct worker *workers;
    int n_workers;
    int n_inside;                   /* threads of a frame */
    int source_of[MAX_RULE_STATES]; /* by rule state: the same with colours swapped */
    bool keeps_part;                /* chunks are written to a part */
    bool part_is_full;              /* or cannot be written for another reason */
    einspul_status status;          /* the first failure */
    einspul_error *error;
};

/* --- material_work.c -------------------------------------------------------------------------- */

/* Sets up the members from `solver` on; the caller has set the others. Out of memory: sets status
 * and error, and returns false. */
bool work_prepare(struct work *work);

void work_release(struct work *work);

/* Notes a failure, if it is the first. Any thread. */
void work_fail(struct work *work, einspul_status status, const char *text);
bool work_failed(const struct work *work);

/* --- material_levels.c ------------------------------------------------------------------------ */

/* Fills all frames. The material is in the store meanwhile, because frames read those of earlier
 * levels; on success it stays there, owned by the caller, if `stay`. */
void work_run(struct work *work, bool stay);

/* --- material_chunks.c: a frame's values into chunks ------------------------------------------ */

/* Sets `source_of`: Black to move in a frame of symmetric material is White to move in its twin. */
void work_fill_source(struct work *work);

/* Enters placements first .. first + n - 1 of a frame, with `side` to move, from `place` of a chunk
 * on. NO_MEMORY. */
einspul_status work_put_frame(const struct work *work, struct builder *builder, uint32_t place,
                              const struct frame *frame, int side, uint64_t first, uint32_t n);

/* Makes a page's chunk, unless the file had it. NO_MEMORY; errors of pages_add. */
einspul_status work_finish_chunk(struct work *work, const struct builder *builder, int side,
                                 uint64_t page, einspul_error *error);

/* Makes the chunks of a worker's frame of several pages, of which the first is `page`. */
einspul_status work_finish_large_frame(struct work *work, struct worker *worker, uint64_t page,
                                       einspul_error *error);

#endif
