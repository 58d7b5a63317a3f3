/* The value of a state in one byte, ordered as the side to move prefers it.
 *
 *   0..126     loss in 2v plies (0: no legal move)
 *   127        draw
 *   128..254   win in 2(254-v)+1 plies
 *   255        no value
 *
 * So a bigger byte is a better outcome, and one step back in the game is 254-v, with one more round
 * for a former win. A WDL table uses the bytes 0, 127 and 254 only. */
#ifndef EINSPUL_CORE_VALUE_H
#define EINSPUL_CORE_VALUE_H

#include "core/status.h"

#include <stdbool.h>
#include <stdint.h>

typedef uint8_t value_t;

enum {
    VALUE_LOST = 0, /* loss in 0 */
    VALUE_DRAW = 127,
    VALUE_LONGEST_WIN = 128, /* in 253 plies: a ply before it is a loss that no byte can tell */
    VALUE_WIN_IN_1 = 254,
    VALUE_NONE = 255,
    VALUE_MAX_PLIES = 252 /* the longest distance a table may hold */
};

enum outcome { OUTCOME_LOSS = -1, OUTCOME_DRAW = 0, OUTCOME_WIN = 1 };

static inline enum outcome value_outcome(value_t value)
{
    return value > VALUE_DRAW ? OUTCOME_WIN : value == VALUE_DRAW ? OUTCOME_DRAW : OUTCOME_LOSS;
}

/* Plies to the end of the game; -1 for a draw. */
static inline int value_plies(value_t value)
{
    if (value == VALUE_DRAW)
        return -1;
    return value < VALUE_DRAW ? 2 * value : 2 * (VALUE_WIN_IN_1 - value) + 1;
}

/* A win for odd plies, a loss for even ones, 0..VALUE_MAX_PLIES. */
static inline value_t value_from_plies(int plies)
{
    return (value_t)(plies % 2 != 0 ? VALUE_WIN_IN_1 - plies / 2 : plies / 2);
}

/* What a move is worth to the mover when the position after it is worth `after` to the opponent. */
static inline value_t value_before(value_t after)
{
    return (value_t)(VALUE_WIN_IN_1 - after + (after > VALUE_DRAW));
}

/* The error for a move after which the opponent has the longest win. */
static inline enum status value_too_long(struct error *error)
{
    return error_set(error, STATUS_TOO_LONG, "a loss in more than %d plies", VALUE_MAX_PLIES);
}

/* The value with its distance dropped: 0, 127 or 254. */
static inline value_t value_sign(value_t value)
{
    return value == VALUE_DRAW ? VALUE_DRAW : value > VALUE_DRAW ? VALUE_WIN_IN_1 : VALUE_LOST;
}

/* A 2K v 1K value under the limit of `limit` own moves for the two kings, `clock` plies after the
 * material arose: a win of the two kings that comes too late is a draw. `limit` 0: no limit. */
static inline value_t value_limited(value_t raw, int limit, int clock, bool two_kings_to_move)
{
    if (limit == 0)
        return raw;
    if (two_kings_to_move)
        return raw > VALUE_DRAW && value_plies(raw) > 2 * (limit - clock / 2) - 1 ? VALUE_DRAW
                                                                                  : raw;
    return raw < VALUE_DRAW && value_plies(raw) > 2 * (limit - (clock + 1) / 2) ? VALUE_DRAW : raw;
}

#endif
