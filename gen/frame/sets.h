/* Lists of all sets of squares of one size, in order of rank (core/rank.h): for loops over
 * placements that must not unrank each one. */
#ifndef EINSPUL_GEN_FRAME_SETS_H
#define EINSPUL_GEN_FRAME_SETS_H

#include "core/rank.h"

/* Fills sets[0] .. sets[n - 1] with the sets of `size` squares of rank 0 .. n - 1. The squares are
 * counted from `offset`, for men the lowest square they may stand on. */
void sets_list(squares_t *sets, uint32_t n, int size, int offset);

#endif
