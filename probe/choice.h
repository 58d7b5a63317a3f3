/* Chooses the move to play, for programs that play without a search. */
#ifndef EINSPUL_PROBE_CHOICE_H
#define EINSPUL_PROBE_CHOICE_H

#include "probe/probe.h"

#include <stdbool.h>

struct choice {
    size_t n_moves;          /* legal moves; 0: there is none, and nothing below counts */
    struct probed_move move; /* the one to play */
    bool known;              /* the tables have its outcome, and plies where they have distances */
    einspul_error unknown;   /* why they do not have that of some move; EINSPUL_OK: they have all */
};

/* Chooses among all legal moves of a position of a rule set. Wins come before draws, draws before
 * moves whose outcome is unknown, and those before losses; short wins and long losses first. The
 * order among moves of equal worth is that of einspul_probe_moves. `handle` may be
 * NULL; then no outcome is known. Errors as einspul_moves. */
einspul_status choose_move(einspul *handle, const char *rules, const einspul_position *position,
                           struct choice *choice, einspul_error *error);

#endif
