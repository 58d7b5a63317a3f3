/* The arrays of one side to move. */
#ifndef EINSPUL_GEN_SOLVER_WORD_SIDE_H
#define EINSPUL_GEN_SOLVER_WORD_SIDE_H

#include "gen/solver/word_state.h"

/* Sets the counts from the layouts of both sides; the arrays stay as they are. */
void word_side_init(struct word_side *side, const struct layout *own, const struct layout *other,
                    bool has_men);

/* Allocates the arrays. */
void word_side_allocate(struct word_side *side, bool distances, bool large,
                        struct allocation *allocation);

/* Resets all arrays, and the frame's values where these are written as states are decided, for
 * solver->frame: every quiet state is open. */
void word_side_start(struct solver *solver, int to_move);

#endif
