/* The board turned by 180 degrees, with colours swapped. Thread-safe. */
#ifndef EINSPUL_CORE_TURN_H
#define EINSPUL_CORE_TURN_H

#include "core/placement.h"

/* The set with the board turned by 180 degrees. */
squares_t board_turn(const struct board *board, squares_t squares);

/* The same position from the other side: board turned by 180 degrees, colours swapped. */
struct placement placement_turn(const struct board *board, const struct placement *placement);
struct state state_turn(const struct board *board, const struct state *state);

#endif
