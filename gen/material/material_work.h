/* What the files that make a solved material share: material_job.c has the outline. */
#ifndef EINSPUL_GEN_MATERIAL_MATERIAL_WORK_H
#define EINSPUL_GEN_MATERIAL_MATERIAL_WORK_H

#include "gen/material/material_job.h"
#include "gen/material/stats_count.h"
#include "table/block_cursor.h"

/* A frame, and what makes its values, for values of one size. */
struct engine {
    const struct solver_functions *type; /* NULL: there is none (yet) */
    struct frame frame;
    void *seeders;
    void *solver;
};

/* What one thread works with, or several in a frame. A frame is solved with values of one byte; if
 * they cannot tell its distances, again with values of two. */
struct worker {
    struct engine narrow, wide;
    struct frame *frame;       /* of the one that made the values */
    struct builder **builders; /* two for each thread inside */
    struct block_cursor at[2]; /* by side, when loading */
};

struct work {
    const struct material_job *job;
    const struct table *table; /* to load from, or NULL to solve */
    struct counters *counters; /* to count with instead of keeping what is loaded; or NULL */
    struct frame_context context;
    struct frame_context wide_context; /* once a frame has needed it */
    struct solved *solved;
    struct worker *workers;
    int n_workers;
    int n_inside;               /* threads of a frame */
    int source[MAX_RUN_STATES]; /* by run state: the same with colours swapped */
    bool file_is_full;          /* or cannot be written for another reason */
    enum status status;         /* the first failure */
    struct error *error;
};

/* --- material_load.c: frames from a table ----------------------------------------------------- */

/* Fills the values of a worker's frame, whose classes and seeds are known; stored sides only. `number`
 * is the frame's, and the size of its values the table's. Errors of table_decode_block. */
enum status work_load_frame(struct work *work, struct worker *worker, uint64_t number,
                            struct error *error);

/* --- material_count.c: frames counted --------------------------------------------------------- */

/* Counts a worker's frame, whose classes and seeds are known. Errors of table_decode_block. */
enum status work_count_frame(struct work *work, struct worker *worker, uint64_t number,
                             struct error *error);

/* --- material_frame.c: one frame after the other ----------------------------------------------- */

/* Makes a worker's engine for values of one byte; for those of two it is made when a frame needs it.
 * NO_MEMORY. */
enum status work_start_engine(struct work *work, struct worker *worker);
void work_free_engines(struct worker *worker);

/* Fills the values of a frame, by its number: worker->frame has them. Or counts them. */
enum status work_fill_frame(struct work *work, struct worker *worker, uint64_t number,
                            struct error *error);

/* --- material_chunks.c: a frame's values into chunks ------------------------------------------ */

/* Sets `source`: Black to move in a frame of symmetric material is White to move in its twin. */
void work_fill_source(struct work *work);

/* Enters placements first .. first + n - 1 of a frame, with `side` to move, from `place` of a chunk
 * on. NO_MEMORY. */
enum status work_put_frame(const struct work *work, struct builder *builder, uint32_t place,
                           const struct frame *frame, int side, uint64_t first, uint32_t n);

/* Makes a page's chunk, unless the file had it. NO_MEMORY; errors of solved_enter. */
enum status work_finish_chunk(struct work *work, const struct builder *builder, int side,
                              uint64_t page, struct reader *reader, struct error *error);

/* The same for a worker's frame that is several pages, of which the first is `page`. */
enum status work_finish_large_frame(struct work *work, struct worker *worker, uint64_t page,
                                    struct error *error);

#endif
