/* How the placements and king-run states of a material are numbered.
 *
 * A placement's index is  frame * n_king_sets + kings, where
 *   frame = rank(White's men) * n_men_sets[BLACK] + rank(Black's men),  men over the squares a man
 * of that side may stand on, kings = rank(White's kings) * n_king_sets[BLACK] + rank(Black's
 * kings), kings over all squares. Sets are ranked in the combinatorial number system: a set s0 < s1
 * < … has rank C(s0,1) + C(s1,2) + … . Indices whose pieces share a square are impossible
 * placements.
 *
 * A run state's index is  run(White) * n_runs[BLACK] + run(Black), where a run is 0 for none, else
 * 1 + 3 * (how many own kings stand on lower squares) + (count - 1). */
#ifndef EINSPUL_CORE_RANK_H
#define EINSPUL_CORE_RANK_H

#include "core/material.h"

enum { MAX_SET = 6, MAX_RUNS = 1 + 3 * MAX_SET, MAX_RUN_STATES = 169 };

/* The shape of a material's table. Read only after shape_init. */
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
    int n_run_states;        /* n_runs[WHITE] * n_runs[BLACK] */
};

void shape_init(struct shape *shape, const struct rules *rules, const struct material *material);

/* The number of placements for one side to move without impossible ones; and the same times the run
 * states, for all stored sides. */
uint64_t shape_possible_placements(const struct shape *shape);
uint64_t shape_states(const struct shape *shape);

/* Pascal's triangle, row n, column k. */
extern const uint32_t pascal[MAX_SQUARES + 1][MAX_SET + 1];

/* C(n, k) for n in 0..50 and k in 0..MAX_SET. */
static inline uint32_t choose(int n, int k)
{
    return pascal[n][k];
}

/* Rank of a set of at most MAX_SET squares, and its inverse. */
uint32_t set_rank(squares_t set);
squares_t set_unrank(uint32_t rank, int size);

/* The next larger set of as many squares; `set` is not empty. In order of rank. */
static inline squares_t set_next(squares_t set)
{
    const squares_t low = set & (0 - set);
    const squares_t ripple = set + low;
    return ripple | (((set ^ ripple) / low) >> 2);
}

/* Frame and placement index of a placement that has the shape's material. */
uint64_t shape_frame(const struct shape *shape, const struct placement *placement);
uint64_t shape_kings(const struct shape *shape, const struct placement *placement);
uint64_t shape_rank(const struct shape *shape, const struct placement *placement);

/* The placement of an index below n_placements, with `side` to move. False when it is impossible;
 * the squares are set all the same. */
bool shape_unrank(const struct shape *shape, uint64_t index, enum side side,
                  struct placement *placement);

/* The index of a side's run, and its inverse. `kings` are that side's kings. */
int run_index(squares_t kings, struct run run);
struct run run_from_index(squares_t kings, int index);

/* The index of a state's runs under the shape. */
int shape_run_index(const struct shape *shape, const struct state *state);

#endif
