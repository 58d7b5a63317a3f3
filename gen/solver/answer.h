/* The values, or keys, of a solved frame. */
#ifndef EINSPUL_GEN_SOLVER_ANSWER_H
#define EINSPUL_GEN_SOLVER_ANSWER_H

#include "gen/solver/word_state.h"

/* Fills frame->value, or frame->key, from the seeds of captures and from what waves decided.
 * answer_scratch is the number of words it needs in scratch->buffer for keys. */
void answer_write(struct solver *solver);
size_t answer_scratch(const struct word_side *side);

#endif
