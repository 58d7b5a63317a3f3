/* The value of a state as a byte, ordered as the side to move prefers it. Tables hold the same
 * bytes.
 *
 *   0 .. VALUE_DRAW - 1                 loss in 2v plies (0: no legal move)
 *   VALUE_DRAW                          draw
 *   VALUE_DRAW + 1 .. VALUE_WIN_IN_1    win in 2(VALUE_WIN_IN_1 - v) + 1 plies
 *   VALUE_NONE                          no value
 *
 * So a larger number is a better outcome. One ply earlier, seen by the other side, value v becomes
 * VALUE_WIN_IN_1 - v, plus 1 if v is a win: a win in 2n - 1 plies is a loss in 2n. Without
 * distances only 0, VALUE_DRAW and VALUE_WIN_IN_1 occur.
 *
 * The longest win takes 253 plies; a loss in 254, one ply earlier, does not fit in the byte. No
 * table needs it: the generator refuses a material in which a state is lost in more than
 * MAX_LOSS_PLIES. So a state from which every move leads to the longest win has more pieces than
 * any table; its distance is capped at MAX_LOSS_PLIES. */
#ifndef EINSPUL_CORE_VALUE_H
#define EINSPUL_CORE_VALUE_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint8_t value_t;

enum {
    VALUE_LOST = 0, /* loss in 0 */
    VALUE_DRAW = 127,
    VALUE_LONGEST_WIN = 128,
    VALUE_WIN_IN_1 = 254,
    VALUE_NONE = 255
};

static inline einspul_outcome value_outcome(value_t value)
{
    return value > VALUE_DRAW ? EINSPUL_WIN : value == VALUE_DRAW ? EINSPUL_DRAW : EINSPUL_LOSS;
}

/* Plies to the end of the game; -1 for a draw. */
static inline int value_plies(value_t value)
{
    if (value == VALUE_DRAW)
        return -1;
    return value < VALUE_DRAW ? 2 * value : 2 * (VALUE_WIN_IN_1 - value) + 1;
}

/* The value of a move for the side that makes it, if the position after it has the value `after`
 * for the opponent. */
static inline value_t value_before(value_t after)
{
    return (value_t)(VALUE_WIN_IN_1 - after + (after > VALUE_LONGEST_WIN));
}

/* The value with its distance dropped. */
static inline value_t value_without_distance(value_t value)
{
    return value == VALUE_DRAW ? VALUE_DRAW : value > VALUE_DRAW ? VALUE_WIN_IN_1 : VALUE_LOST;
}

/* Applies Article 18, which draws the game after `limit` moves of each side, to a value `clock` plies
 * after 2K v 1K arose: a win of either side that ends later is a draw. `limit` 0: no limit. */
static inline value_t value_limited(value_t raw, int limit, int clock)
{
    return limit == 0 || raw == VALUE_DRAW || clock + value_plies(raw) <= 2 * limit ? raw
                                                                                    : VALUE_DRAW;
}

#endif
