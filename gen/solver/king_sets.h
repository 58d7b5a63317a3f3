/* Work on all king sets of a side. */
#ifndef EINSPUL_GEN_SOLVER_KING_SETS_H
#define EINSPUL_GEN_SOLVER_KING_SETS_H

#include "gen/solver/word_state.h"

/* Processes the placements with one king set of a side; `buffer` is scratch memory. */
typedef void set_function(struct solver *solver, int to_move, uint32_t set, cells_t *buffer);

/* Runs `work` for `n` sets on all threads; with one thread, without the overhead of a parallel
 * region. If the run is to stop, the remaining sets are skipped. */
void for_king_sets(struct solver *solver, int to_move, uint32_t n, set_function *work);

/* ORs into `to`, the words of a king set, the states of `from` as seen with each of the other kings
 * designated. `from` and `to` may be the same. */
void words_cross(const struct layout *own, const cells_t *from, cells_t *to);

#endif
