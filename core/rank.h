/* How the placements and rule states of a material are numbered.
 *
 * A placement's index is
 *
 *   frame * frame_size + kings
 *   frame = rank(White's men)   * n_men_sets[BLACK]  + rank(Black's men)
 *   kings = rank(White's kings) * n_king_sets[BLACK] + rank(Black's kings)
 *
 * Men are ranked over the squares a man of that side may stand on, kings over all squares. Sets are
 * ranked in the combinatorial number system: a set s0 < s1 < … has rank C(s0,1) + C(s1,2) + … .
 * Indices whose pieces share a square are impossible placements.
 *
 * A rule state's index is
 *
 *   run(White) * n_runs[BLACK] + run(Black)
 *   run = 0 for none, else 3 * (own kings on lower squares) + count,  count 1..3
 *
 * or, in material that is stored with its clock, the clock.
 *
 * Nothing here fails: arguments must be in range, and are not checked, as ranks are computed for
 * every probe. Thread-safe. */
#ifndef EINSPUL_CORE_RANK_H
#define EINSPUL_CORE_RANK_H

#include "core/material.h"

enum { MAX_SET = 7, MAX_RULE_STATES = 169 };

/* The shape of a material's table. Immutable after shape_init. */
struct shape {
    struct material material;
    int n_squares;
    int man_offset[2];       /* lowest square a man of that side may stand on */
    uint32_t n_men_sets[2];  /* by side */
    uint32_t n_king_sets[2]; /* by side */
    uint64_t n_frames;       /* n_men_sets[WHITE] * n_men_sets[BLACK], impossible ones included */
    uint64_t frame_size;     /* placements in a frame, impossible ones included */
    uint64_t n_placements;   /* n_frames * frame_size, for one side to move */
    int n_sides;             /* sides to move that are stored: 1 for symmetric material, else 2 */
    int n_runs[2];           /* run indices of a side; 1 where there is no run */
    int n_clocks;            /* clocks that have values of their own; 1 without a clock */
    int n_rule_states; /* n_runs[WHITE] * n_runs[BLACK] * n_clocks: a clock or runs, not both */
};

void shape_init(struct shape *shape, const struct rules *rules, const struct material *material);

/* Pascal's triangle, row n, column k. */
extern const uint32_t pascal[MAX_SQUARES + 1][MAX_SET + 1];

/* C(n, k) for n in 0..50 and k in 0..MAX_SET. */
static inline uint32_t choose(int n, int k)
{
    return pascal[n][k];
}

/* The set of `size` squares, at most MAX_SET, with a rank. */
squares_t set_unrank(uint32_t rank, int size);

/* The next set of the same size in rank order (Gosper's hack, HAKMEM item 175); `set` must not be
 * empty. */
static inline squares_t set_next(squares_t set)
{
    const squares_t low = set & (0 - set);
    const squares_t ripple = set + low;
    return ripple | ((set ^ ripple) >> bits_first(set) >> 2);
}

/* The run index of the king-th king (from 0, by square) with a run of `count`; 0 if `count` is
 * 0. */
static inline int run_index_of(int king, int count)
{
    return count == 0 ? 0 : MAX_RUN_COUNT * king + count;
}

/* The inverse of run_index_of; king 0 and count 0 for index 0. */
static inline int run_king(int index)
{
    return index == 0 ? 0 : (index - 1) / MAX_RUN_COUNT;
}

static inline int run_count(int index)
{
    return index == 0 ? 0 : (index - 1) % MAX_RUN_COUNT + 1;
}

/* The index of a rule state from the run index of each side, and its inverse; for material without
 * a clock. */
static inline int shape_rule_state(const struct shape *shape, int white, int black)
{
    return white * shape->n_runs[BLACK] + black;
}

static inline int shape_run(const struct shape *shape, enum side side, int rule_state)
{
    return side == WHITE ? rule_state / shape->n_runs[BLACK] : rule_state % shape->n_runs[BLACK];
}

#endif
