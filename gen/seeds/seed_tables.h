/* Tables that the seeds look up, computed once per material. */
#ifndef EINSPUL_GEN_SEEDS_SEED_TABLES_H
#define EINSPUL_GEN_SEEDS_SEED_TABLES_H

#include "core/program/index.h"
#include "core/rank.h"
#include "core/rules.h"
#include "gen/frame/frame.h"
#include "gen/frame/words.h"

enum { N_PROMOTIONS = 5, N_KING_SUBSETS = 1 << MAX_SET };

struct seed_tables {
    /* [square of the capturing piece][of the victim]: like board->jump, but NO_JUMP for captures
     * that this kind of piece cannot make. */
    squares_t jump_of_king[MAX_SQUARES][MAX_SQUARES];
    squares_t jump_of_man[2][MAX_SQUARES][MAX_SQUARES]; /* by side */
    /* by side: the identity, for moves that keep the king set */
    uint32_t *same[2];
    uint32_t *promoted[2][N_PROMOTIONS]; /* by side, promotion square: rank of the set with it */
    /* by side, promotion square: rank of that set flipped */
    uint32_t *promoted_flipped[2][N_PROMOTIONS];
    /* the run index after a capture: [side][mask of its kings that are left][flipped][run index
     * before] */
    uint8_t run_after[2][N_KING_SUBSETS][2][MAX_RUNS];
    /* by side, in material without kings: [rank of its men's set][man][direction]: the rank after
     * that move, if it is one and does not promote */
    uint32_t *rank_after[2];
    cells_t cells; /* of the board */
};

/* Sets context->seed_tables; frame_context_free frees them. NO_MEMORY. */
einspul_status seed_tables_create(struct frame_context *context);

/* Bytes seed_tables_create needs. */
uint64_t seed_tables_bytes(const struct shape *shape);

/* The k-th promotion square of a side. */
static inline int promotion_square(const struct board *board, int side, int k)
{
    return bits_first(board->promotion[side]) + k;
}

#endif
