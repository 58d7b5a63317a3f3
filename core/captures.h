/* Captures for those who only want to know what they lead to: no paths, no memory to be had, and
 * several times as fast as core/moves.h, which lists them for people. */
#ifndef EINSPUL_CORE_CAPTURES_H
#define EINSPUL_CORE_CAPTURES_H

#include "core/placement.h"

enum { CAPTURES_ROOM = 32 };

struct capture {
    squares_t captured;
    uint8_t from;
    uint8_t to;
    bool by_king;
    bool promotes;
};

/* The legal captures of a placement: those numbered `first` .. `first` + CAPTURES_ROOM - 1. Returns
 * how many there are, 0 if none; if that is more, call again with a higher `first`. A capture may
 * appear more than once when it can be made in several ways. Where one takes all the enemy's
 * pieces, it appears alone, as nothing can be better. */
int captures_list(const struct rules *rules, const struct placement *placement, int first,
                  struct capture list[CAPTURES_ROOM]);

/* True when a capture ends the game: the enemy has no piece left. */
static inline bool capture_takes_all(const struct capture *capture,
                                     const struct placement *placement)
{
    return capture->captured == placement_own(placement, side_other(placement->side));
}

/* The state after one of them: pieces, side and king runs; a clock that runs on is left out, as
 * whoever asks for values under a limit asks for raw ones first. Masks in place of branches, which
 * no processor could foresee. */
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
    /* The mover's run ends; the opponent's lasts, unless its king or its side's last man is
     * gone. */
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
