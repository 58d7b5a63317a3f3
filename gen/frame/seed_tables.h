/* What the fast seeds look up, made once for a material. */
#ifndef EINSPUL_GEN_FRAME_SEED_TABLES_H
#define EINSPUL_GEN_FRAME_SEED_TABLES_H

#include "core/program/index.h"
#include "core/rank.h"
#include "core/rules.h"
#include "gen/frame/words.h"
#include "gen/values/allocation.h"

enum { N_PROMOTIONS = 5, N_KING_SUBSETS = 1 << MAX_SET };

struct seed_tables {
    /* Capturing piece, victim: what must be empty, as board->jump, for what that piece can do. */
    squares_t jump_of_king[MAX_SQUARES][MAX_SQUARES];
    squares_t jump_of_man[2][MAX_SQUARES][MAX_SQUARES]; /* by side */
    uint32_t *same[2];                                  /* by side: rank -> the same rank */
    uint32_t *promoted[2][N_PROMOTIONS]; /* by side, promotion square: rank of the set with it */
    uint32_t *promoted_flipped[2][N_PROMOTIONS]; /* the same flipped */
    /* by side, set of its kings that are left (bit i: the i-th is), flipped, run: the run then */
    uint8_t run_after[2][N_KING_SUBSETS][2][MAX_RUNS];
    cells_t cells; /* of the board */
};

/* `king_sets` lists the king sets of each side by rank. All memory is the allocation's; NULL where
 * there is none. */
struct seed_tables *seed_tables_create(const struct rules *rules, const struct shape *shape,
                                       squares_t *const king_sets[2],
                                       struct allocation *allocation);

/* Bytes seed_tables_create needs. */
uint64_t seed_tables_bytes(const struct shape *shape);

/* The k-th promotion square of a side. */
static inline int promotion_square(const struct board *board, int side, int k)
{
    return bits_first(board->promotion[side]) + k;
}

#endif
