/* Solved materials, where the seeds of larger materials and of frames with more steps to go are
 * looked up. Their values are in chunks (chunk.h), in memory or in a file (pager.h). */
#ifndef EINSPUL_GEN_VALUES_STORE_H
#define EINSPUL_GEN_VALUES_STORE_H

#include "core/program/index.h"
#include "core/rank.h"
#include "gen/values/frame_order.h"
#include "gen/values/pager.h"
#include "table/metric.h"

/* A material's values, captures included, by address: those of frame_order.h, followed by the same
 * for the second side to move. Where only one of two twins has a position (frame_order.h), the
 * second side is the other twin with White to move, indexed by that twin's kings. */
struct solved {
    struct shape shape;
    einspul_metric metric; /* of the values */
    struct frame_order order;
    int limit;             /* of moves of White's two kings; 0: none */
    uint64_t black_offset; /* added to addresses */
    struct pages *pages;
    _Atomic(struct chunk *) *chunks; /* those of the pages */
    _Atomic int *stop; /* when non-zero, the process ends: writing tables gives STOPPED; or NULL */
};

/* The pages come without chunks. `pager` may be NULL. On NO_MEMORY nothing is allocated. */
einspul_status solved_create(const struct rules *rules, const struct material *material,
                             einspul_metric metric, enum frame_order_kind kind, struct pager *pager,
                             struct solved **solved);
void solved_destroy(struct solved *solved); /* NULL is allowed */

/* The memory a solved material needs in addition to its chunks. */
uint64_t solved_bytes(const struct shape *shape);

/* Of symmetric material: the rank of a set flipped, for the other side. */
static inline uint32_t flipped_rank(const struct frame_order *order, uint32_t rank)
{
    return order
        ->flipped[order->class_start[order->steps[order->minor][rank]] + order->place[rank]];
}

/* The address of a frame's first placement, from the ranks of its men sets, or from the men. The
 * material must be canonical, and White to move if it is symmetric. */
static inline uint64_t solved_frame_address(const struct solved *solved, int side, uint32_t white,
                                            uint32_t black)
{
    const struct frame_order *order = &solved->order;
    uint64_t base = side == BLACK ? solved->black_offset : 0;
    if (order->twins) {
        const uint32_t flipped = flipped_rank(order, black);
        if (flipped < white) { /* its twin has the position */
            black = flipped_rank(order, white);
            white = flipped;
            base = solved->black_offset;
        }
    }
    return base + frame_order_address(order, white, black);
}

static inline uint64_t solved_address(const struct solved *solved, int side, const squares_t men[2])
{
    const int *offset = solved->shape.man_offset;
    if (solved->shape.n_frames == 1)
        return side == BLACK ? solved->black_offset : 0;
    return solved_frame_address(solved, side, set_rank(men[WHITE] >> offset[WHITE]),
                                set_rank(men[BLACK] >> offset[BLACK]));
}

/* The chunk of an address; NULL if it is not in memory. */
static inline const struct chunk *solved_cached_chunk(const struct solved *solved, uint64_t address)
{
    struct chunk *chunk =
        atomic_load_explicit(&solved->chunks[address >> PAGE_SHIFT], memory_order_acquire);
    if (chunk != NULL && !atomic_load_explicit(&chunk->used, memory_order_relaxed))
        atomic_store_explicit(&chunk->used, true, memory_order_relaxed);
    return chunk;
}

/* The chunk of an address, in memory or not; errors of pages_fetch. */
static inline einspul_status solved_fetch_chunk(const struct solved *solved,
                                                struct chunk_reader *reader, bool holding,
                                                uint64_t address, const struct chunk **chunk,
                                                einspul_error *error)
{
    *chunk = solved_cached_chunk(solved, address);
    return *chunk != NULL
               ? EINSPUL_OK
               : pages_fetch(solved->pages, reader, holding, address >> PAGE_SHIFT, chunk, error);
}

/* The values of an address in its chunk, by rule state, as they are, and as seen by moves that
 * enter the material (chunk->entry). */
static inline const value_t *chunk_values(const struct chunk *chunk, uint64_t address,
                                          int n_rule_states)
{
    return chunk->values +
           (size_t)chunk_number(chunk, address % PAGE_CAPACITY) * (size_t)n_rule_states;
}

static inline const value_t *chunk_entry(const struct chunk *chunk, uint64_t address,
                                         int n_rule_states)
{
    return chunk->entry_values +
           (size_t)chunk_number(chunk, address % PAGE_CAPACITY) * (size_t)n_rule_states;
}

/* The solved materials of a run, found by the pieces on the board. Immutable while seeds
 * are computed. */
struct store {
    const struct rules *rules;
    struct pager *pager; /* NULL: everything stays in memory */
    struct solved *by_counts[MAX_SET + 1][MAX_SET + 1][MAX_SET + 1][MAX_SET + 1];
};

/* Adds or (with NULL) removes a canonical material; the store does not own it. */
void store_set(struct store *store, const struct material *material, struct solved *solved);
struct solved *store_get(const struct store *store, const struct material *material);

/* Like store_get, but NO_TABLE, naming the material, if it is not in the store. */
einspul_status store_require(const struct store *store, const struct material *material,
                             const struct solved **solved, einspul_error *error);

/* The values of a placement, for the side to move. */
struct placement_values {
    const value_t *values;
    int stride;   /* the value of run r is number r * stride */
    bool flipped; /* run indices number the kings in reverse */
};

/* Finds the values of a placement. Both sides must have pieces, and the side not to move must have
 * no run. They are valid until the reader's next pause or look-up. Errors of store_require and
 * pages_fetch. */
einspul_status store_find(const struct store *store, struct chunk_reader *reader,
                          const struct placement *placement, struct placement_values *found,
                          einspul_error *error);

#endif
