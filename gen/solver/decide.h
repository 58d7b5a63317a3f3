/* Deciding states. */
#ifndef EINSPUL_GEN_SOLVER_DECIDE_H
#define EINSPUL_GEN_SOLVER_DECIDE_H

#include "gen/solver/word_state.h"

/* Records newly decided quiet states, `bits` of a word, and propagates them to the other side's
 * layout, at once or (with `pending`) later, by propagate_pending. `shared`: other threads do so as
 * well. */
void decide_states(struct solver *solver, int to_move, uint32_t strip, uint32_t others, int plane,
                   cells_t bits, value_t value, bool shared);

/* Propagates the states decided since the last call, as won or as lost. Threads share the batches,
 * and never write to the same word. */
void propagate_pending(struct solver *solver, int to_move, bool won);

#endif
