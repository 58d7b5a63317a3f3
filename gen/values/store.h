/* Solved materials, where the seeds of larger materials and of frames with more steps to go are
 * looked up. Their values are in chunks (chunk.h), in memory or in a file (pager.h). */
#ifndef EINSPUL_GEN_VALUES_STORE_H
#define EINSPUL_GEN_VALUES_STORE_H

#include "core/program/index.h"
#include "core/rank.h"
#include "gen/values/levels.h"
#include "gen/values/pager.h"
#include "table/metric.h"

/* A material's values, captures included, by address: those of levels.h, followed by the same for
 * the second side to move. Where only one of two twins has a position (levels.h), the second side
 * is the other twin with White to move, indexed by that twin's kings. */
struct solved {
    struct shape shape;
    einspul_metric metric; /* of the values */
    struct levels levels;
    int limit;            /* of moves of White's two kings; 0: none */
    uint64_t second_side; /* added to addresses */
    struct pages *pages;
    _Atomic(struct chunk *) *chunks; /* those of the pages */
    _Atomic int *stop; /* when non-zero, writing its tables ends with STOPPED; may be NULL */
};

/* The pages come without chunks. `pager` may be NULL. On NO_MEMORY nothing is allocated. */
einspul_status solved_create(const struct rules *rules, const struct material *material,
                             einspul_metric metric, enum levels_kind kind, struct pager *pager,
                             struct solved **solved);
void solved_destroy(struct solved *solved); /* NULL is allowed */

/* The memory a solved material needs in addition to its chunks. */
uint64_t solved_bytes(const struct shape *shape);

/* Of symmetric material: the rank of a set flipped, for the other side. */
static inline uint32_t flipped_rank(const struct levels *levels, uint32_t rank)
{
    return levels
        ->flipped[levels->class_start[levels->steps[levels->minor][rank]] + levels->place[rank]];
}

/* The address of a frame's first placement, from the ranks of its men sets, or from the men. The
 * material must be canonical, and White to move if it is symmetric. */
static inline uint64_t solved_frame_address(const struct solved *solved, int side, uint32_t white,
                                            uint32_t black)
{
    const struct levels *levels = &solved->levels;
    uint64_t base = side == BLACK ? solved->second_side : 0;
    if (levels->twins) {
        const uint32_t flipped = flipped_rank(levels, black);
        if (flipped < white) { /* its twin has the position */
            black = flipped_rank(levels, white);
            white = flipped;
            base = solved->second_side;
        }
    }
    return base + levels_address(levels, white, black);
}

static inline uint64_t solved_address(const struct solved *solved, int side, const squares_t men[2])
{
    const int *offset = solved->shape.man_offset;
    if (solved->shape.n_frames == 1)
        return side == BLACK ? solved->second_side : 0;
    return solved_frame_address(solved, side, set_rank(men[WHITE] >> offset[WHITE]),
                                set_rank(men[BLACK] >> offset[BLACK]));
}

/* The chunk of an address; NULL if it is not in memory. */
static inline const struct chunk *solved_chunk(const struct solved *solved, uint64_t address)
{
    struct chunk *chunk =
        atomic_load_explicit(&solved->chunks[address >> PAGE_SHIFT], memory_order_acquire);
    if (chunk != NULL && !atomic_load_explicit(&chunk->used, memory_order_relaxed))
        atomic_store_explicit(&chunk->used, true, memory_order_relaxed);
    return chunk;
}

/* The chunk of an address, in memory or not; errors of pages_fetch. */
static inline einspul_status solved_get(const struct solved *solved, struct reader *reader,
                                        bool holding, uint64_t address, const struct chunk **chunk,
                                        einspul_error *error)
{
    *chunk = solved_chunk(solved, address);
    return *chunk != NULL
               ? EINSPUL_OK
               : pages_fetch(solved->pages, reader, holding, address >> PAGE_SHIFT, chunk, error);
}

/* The values of an address in its chunk, by rule state, as they are, and as seen by moves that enter
 * the material (chunk->entry). */
static inline const value_t *chunk_values(const struct chunk *chunk, uint64_t address,
                                          int n_rule_states)
{
    return chunk->values + (size_t)chunk_number(chunk, address % PAGE_ROOM) * (size_t)n_rule_states;
}

static inline const value_t *chunk_entry(const struct chunk *chunk, uint64_t address,
                                         int n_rule_states)
{
    return chunk->entry + (size_t)chunk_number(chunk, address % PAGE_ROOM) * (size_t)n_rule_states;
}

/* The solved materials of a run, found by the pieces on the board. Immutable while seeds are
 * made. */
struct store {
    const struct rules *rules;
    struct pager *pager; /* NULL: everything stays in memory */
    struct solved *by_counts[MAX_SET + 1][MAX_SET + 1][MAX_SET + 1][MAX_SET + 1];
};

/* Adds or (with NULL) removes a canonical material; the store does not own it. */
void store_set(struct store *store, const struct material *material, struct solved *solved);
struct solved *store_get(const struct store *store, const struct material *material);

/* Like store_get, but NO_TABLE, naming the material, if it is not in the store. */
einspul_status store_need(const struct store *store, const struct material *material,
                          const struct solved **solved, einspul_error *error);

/* The values of a placement, for the side to move. */
struct placement_values {
    const value_t *values;
    int stride;   /* the value of run r is number r * stride */
    bool flipped; /* run indices number the kings in reverse */
};

/* Finds the values of a placement. Both sides must have pieces, and the side not to move must have
 * no run. They are valid until the reader's next pause or look-up. Errors of store_need and
 * pages_fetch. */
einspul_status store_find(const struct store *store, struct reader *reader,
                          const struct placement *placement, struct placement_values *found,
                          einspul_error *error);

#endif
