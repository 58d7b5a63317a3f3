/* Conversion between placements or rule states and their indices, for programs that enumerate a
 * material. The prober has a faster version (probe/probe.h). Arguments must be in range; they are
 * not checked. Thread-safe. */
#ifndef EINSPUL_CORE_PROGRAM_INDEX_H
#define EINSPUL_CORE_PROGRAM_INDEX_H

#include "core/rank.h"

enum { MAX_RUNS = 1 + MAX_RUN_COUNT * MAX_SET }; /* run indices of a side */

/* The number of possible placements for one side to move; and the number of states, rule states
 * included, of all stored sides. */
uint64_t shape_possible_placements(const struct shape *shape);
uint64_t shape_states(const struct shape *shape);

/* The number of moves that a man of `side` on `square` needs to promote. */
static inline int board_steps_to_go(const struct board *board, enum side side, int square)
{
    const int row = square / (board->n_rows / 2);
    return side == WHITE ? row : board->n_rows - 1 - row;
}

/* Rank of a set of at most MAX_SET squares. */
uint32_t set_rank(squares_t set);

/* The two parts of the index of a placement that has the shape's material: `frame` and `kings`. */
uint64_t shape_frame(const struct shape *shape, const struct placement *placement);
uint64_t shape_kings(const struct shape *shape, const struct placement *placement);

/* The placement of an index below n_placements, with `side` to move. False if it is impossible; its
 * squares are set even then. */
bool shape_unrank(const struct shape *shape, uint64_t index, enum side side,
                  struct placement *placement);

/* The number of values of a placement in which `side` must capture: one for each run of the other
 * side (capturing ends its own), or one for each clock. */
static inline int shape_capture_values(const struct shape *shape, int side)
{
    return shape->n_clocks > 1 ? shape->n_clocks : shape->n_runs[!side];
}

/* The number of run indices of a side with a man and `n_kings` kings. */
static inline int run_indices(int n_kings)
{
    return run_index_of(n_kings, 1);
}

/* The index of the same run on the rotated board, where the order of the kings is reversed. */
static inline int run_index_flipped(int index, int n_kings)
{
    return run_index_of(n_kings - 1 - run_king(index), run_count(index));
}

/* The run of an index; `kings` are that side's kings. */
struct run run_from_index(squares_t kings, int index);

/* Sets runs and clock of `state`, whose kings are in place, from a rule state's index. */
void shape_set_runs(const struct shape *shape, int rule_state, struct state *state);

#endif
