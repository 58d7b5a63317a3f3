/* Captures for those who only want to know what they lead to: no paths, and several times as fast
 * as core/moves.h, which lists them for people. The quick search asks for no memory and follows
 * every way; where there are too many of them, the other one follows each node once
 * (core/visited.h). */
#ifndef EINSPUL_CORE_CAPTURES_H
#define EINSPUL_CORE_CAPTURES_H

#include "core/placement.h"

/* A step is a complete capture, or in the thorough search also a node. */
enum {
    CAPTURES_ROOM = 32,
    CAPTURES_MANY = -1,          /* too many for the quick search */
    CAPTURE_QUICK_STEPS = 1000,  /* that the quick search does */
    CAPTURE_MOST_STEPS = 1 << 20 /* and any search */
};

struct capture {
    squares_t captured;
    uint8_t from;
    uint8_t to;
    bool by_king;
    bool promotes;
};

/* The legal captures of a placement. Returns how many there are, 0 if none; CAPTURES_MANY where
 * they do not fit into the list, or take too long to find. A capture may appear more than once
 * when it can be made in several ways. Where one takes all the enemy's pieces, it appears alone,
 * as nothing can be better. Adds the steps of the search to `*n_steps`. */
int captures_list(const struct rules *rules, const struct placement *placement,
                  struct capture list[CAPTURES_ROOM], uint32_t *n_steps);

/* The captures of a placement, however many; all zero before. Released with free(captures). */
struct capture_set {
    struct capture *captures;
    int n, room;
    uint32_t n_steps; /* of the search */
};

/* The same captures in the same order, each once. TOO_COMPLEX when that takes more than
 * `most_steps` or CAPTURE_MOST_STEPS, NO_MEMORY; `n_steps` tells how many it took, and what is in
 * the set is to be released in any case. */
enum status captures_all(const struct rules *rules, const struct placement *placement,
                         uint32_t most_steps, struct capture_set *set);

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
