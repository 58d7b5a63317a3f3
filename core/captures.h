/* The prober's capture generator. It needs only the resulting states, not the paths, so it is
 * several times faster than core/moves.h and allocates nothing, but it gives up where captures are
 * many. Thread-safe: all state is on the caller's stack. */
#ifndef EINSPUL_CORE_CAPTURES_H
#define EINSPUL_CORE_CAPTURES_H

#include "core/placement.h"

enum {
    CAPTURES_ROOM = 32,
    CAPTURES_MANY = -1 /* returned for more captures, or for more than a thousand paths */
};

struct capture {
    squares_t captured;
    uint8_t from;
    uint8_t to;
    bool by_king;
    bool promotes;
};

/* Lists the legal captures of a placement and returns their number, or CAPTURES_MANY. A capture
 * with several paths may appear more than once. A capture of all enemy pieces is returned alone: it
 * wins at once. */
int captures_list(const struct rules *rules, const struct placement *placement,
                  struct capture list[CAPTURES_ROOM]);

/* The state after a capture: pieces, side and king runs. The clock is always reset: under Article
 * 18 the caller applies the limit to raw values, which do not depend on it. Masks replace
 * unpredictable branches. */
static inline void state_after_capture(const struct state *state, const struct capture *capture,
                                       struct state *after)
{
    const enum side side = state->at.side;
    const enum side other = side_other(side);
    const squares_t left = ~(square_bit(capture->from) | capture->captured);
    const squares_t to = square_bit(capture->to);
    const squares_t to_king = to & (0 - (squares_t)(capture->by_king | capture->promotes));

    after->at.side = other;
    after->at.men[side] = (state->at.men[side] & left) | (to ^ to_king);
    after->at.kings[side] = (state->at.kings[side] & left) | to_king;
    after->at.men[other] = state->at.men[other] & left;
    after->at.kings[other] = state->at.kings[other] & left;
    /* The run of the side that captures ends; the opponent's continues unless its king or its side's last man was
     * captured. */
    const struct run run = state->run[other];
    const unsigned lasts =
        0 - (unsigned)((after->at.kings[other] >> run.square & 1) & (after->at.men[other] != 0));
    after->run[side] = (struct run){0};
    after->run[other] = (struct run){(uint8_t)(run.square & lasts), (uint8_t)(run.count & lasts)};
    /* Captures enter limited material with a clock of 0. */
    after->clock = 0;
    after->limited = 0;
}

#endif
