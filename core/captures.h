/* Captures without paths, for the prober, which only needs the resulting states: several times as
 * fast as core/moves.h, without memory of its own, but only where captures are few. Thread-safe: a
 * search keeps its state on the stack of its caller. */
#ifndef EINSPUL_CORE_CAPTURES_H
#define EINSPUL_CORE_CAPTURES_H

#include "core/placement.h"

enum {
    CAPTURES_ROOM = 32,
    CAPTURES_MANY = -1 /* more than that, or more than a thousand ways to make them */
};

struct capture {
    squares_t captured;
    uint8_t from;
    uint8_t to;
    bool by_king;
    bool promotes;
};

/* Lists the legal captures of a placement and returns their number, or CAPTURES_MANY. A capture that
 * can be made in several ways may appear more than once. A capture of all enemy pieces appears
 * alone, because nothing can be better. */
int captures_list(const struct rules *rules, const struct placement *placement,
                  struct capture list[CAPTURES_ROOM]);

/* The state after a capture: pieces, side and king runs. The clock is reset even if it should go
 * on, because values under the limit are computed from raw values. Masks replace branches that a
 * processor could not predict. */
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
    /* The mover's run ends; the opponent's continues unless its king or its side's last man was
     * captured. */
    const struct run run = state->run[other];
    const unsigned lasts =
        0 - (unsigned)((after->at.kings[other] >> run.square & 1) & (after->at.men[other] != 0));
    after->run[side] = (struct run){0};
    after->run[other] = (struct run){(uint8_t)(run.square & lasts), (uint8_t)(run.count & lasts)};
    /* Captures enter limited material with a fresh clock. */
    after->clock = 0;
    after->limited = 0;
}

#endif
