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

/* The state after one of them: pieces, side, king runs and clock. */
struct state state_after_capture(const struct state *state, const struct capture *capture);

#endif
