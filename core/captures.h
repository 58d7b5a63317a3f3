/* Captures without paths, for the prober, which only needs the resulting states: several times as
 * fast as core/moves.h. The quick search allocates no memory and follows every way to make a
 * capture; if there are too many, the thorough search follows each node once (core/visited.h).
 * Thread-safe: a search keeps its state on the stack of its caller. */
#ifndef EINSPUL_CORE_CAPTURES_H
#define EINSPUL_CORE_CAPTURES_H

#include "core/placement.h"

/* The work of a search is counted in steps: a complete capture is one, in the thorough search a
 * node is one too. */
enum {
    CAPTURES_ROOM = 32,
    CAPTURES_MANY = -1,          /* too many for the quick search */
    CAPTURE_QUICK_STEPS = 1000,  /* most steps of the quick search */
    CAPTURE_MOST_STEPS = 1 << 20 /* most steps of any search */
};

struct capture {
    squares_t captured;
    uint8_t from;
    uint8_t to;
    bool by_king;
    bool promotes;
};

/* Lists the legal captures of a placement and returns their number, or CAPTURES_MANY if they do not
 * fit into the list or take more than CAPTURE_QUICK_STEPS to find. A capture that can be made in
 * several ways may appear more than once. A capture of all enemy pieces appears alone, because
 * nothing can be better. Adds the steps of the search to `*n_steps`. */
int captures_list(const struct rules *rules, const struct placement *placement,
                  struct capture list[CAPTURES_ROOM], uint32_t *n_steps);

/* All captures of a placement. Must be zero before use; released with free(captures). */
struct capture_set {
    struct capture *captures;
    int n, room;
    uint32_t n_steps; /* of the search */
};

/* The same captures in the same order, each once. TOO_COMPLEX if that takes more than `most_steps`
 * or CAPTURE_MOST_STEPS steps; NO_MEMORY. `n_steps` is then the number of steps taken, and the set
 * must be released after an error too. */
einspul_status captures_all(const struct rules *rules, const struct placement *placement,
                            uint32_t most_steps, struct capture_set *set);

/* True when a capture ends the game: the enemy has no piece left. */
static inline bool capture_takes_all(const struct capture *capture,
                                     const struct placement *placement)
{
    return capture->captured == placement_own(placement, side_other(placement->side));
}

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
