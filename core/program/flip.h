/* A position seen from the other side: the board rotated by 180 degrees, colours swapped.
 * Thread-safe. */
#ifndef EINSPUL_CORE_PROGRAM_FLIP_H
#define EINSPUL_CORE_PROGRAM_FLIP_H

#include "core/placement.h"

/* The set of squares on the rotated board. */
squares_t board_rotate(const struct board *board, squares_t squares);

/* The position from the other side: board rotated, colours swapped. */
struct placement placement_flip(const struct board *board, const struct placement *placement);
struct state state_flip(const struct board *board, const struct state *state);

#endif
