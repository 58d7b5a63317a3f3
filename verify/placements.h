/* Visits the placements of a material in the order of their indices, without ranking each of them. */
#ifndef EINSPUL_VERIFY_PLACEMENTS_H
#define EINSPUL_VERIFY_PLACEMENTS_H

#include "core/program/index.h"

/* The pieces of an index, as sets and their ranks; those of men are by their own squares. */
struct placements {
    const struct shape *shape;
    uint64_t index;
    uint32_t men_rank[2];  /* by side */
    uint32_t king_rank[2]; /* by side */
    struct placement at;
};

/* Goes to an index, with `side` to move. */
static inline void placements_go(struct placements *all, const struct shape *shape, uint64_t index,
                                 enum side side)
{
    const uint64_t frame = index / shape->frame_size;
    const uint64_t kings = index % shape->frame_size;
    all->shape = shape;
    all->index = index;
    all->men_rank[WHITE] = (uint32_t)(frame / shape->n_men_sets[BLACK]);
    all->men_rank[BLACK] = (uint32_t)(frame % shape->n_men_sets[BLACK]);
    all->king_rank[WHITE] = (uint32_t)(kings / shape->n_king_sets[BLACK]);
    all->king_rank[BLACK] = (uint32_t)(kings % shape->n_king_sets[BLACK]);
    shape_unrank(shape, index, side, &all->at);
}

/* Goes to the next index, which must exist. */
static inline void placements_next(struct placements *all)
{
    const struct shape *shape = all->shape;
    struct placement *at = &all->at;
    all->index++;
    if (++all->king_rank[BLACK] < shape->n_king_sets[BLACK]) {
        at->kings[BLACK] = set_next(at->kings[BLACK]);
        return;
    }
    all->king_rank[BLACK] = 0;
    at->kings[BLACK] = set_unrank(0, shape->material.kings[BLACK]);
    if (++all->king_rank[WHITE] < shape->n_king_sets[WHITE]) {
        at->kings[WHITE] = set_next(at->kings[WHITE]);
        return;
    }
    all->king_rank[WHITE] = 0;
    at->kings[WHITE] = set_unrank(0, shape->material.kings[WHITE]);
    if (++all->men_rank[BLACK] < shape->n_men_sets[BLACK]) {
        const int offset = shape->man_offset[BLACK];
        at->men[BLACK] = set_next(at->men[BLACK] >> offset) << offset;
        return;
    }
    placements_go(all, shape, all->index, at->side);
}

/* True if no two pieces share a square. */
static inline bool placements_possible(const struct placements *all)
{
    const struct placement *at = &all->at;
    const squares_t white = at->men[WHITE] | at->kings[WHITE];
    const squares_t black = at->men[BLACK] | at->kings[BLACK];
    return ((at->men[WHITE] & at->kings[WHITE]) | (at->men[BLACK] & at->kings[BLACK]) |
            (white & black)) == 0;
}

#endif
