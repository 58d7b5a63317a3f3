/* The square map: one piece of a position put on every square it could stand on, the rest as it is. */
#ifndef EINSPUL_STUDY_MAP_H
#define EINSPUL_STUDY_MAP_H

#include "probe/probe.h"

struct map_square {
    bool possible; /* empty, or where the piece stands; and it may stand there */
    struct state state;
    enum outcome outcome; /* for the side to move */
    int plies;            /* -1: a draw, or no distances */
    bool maybe;           /* a limit of quiet play may make it a draw */
};

struct map {
    struct map_square square[MAX_SQUARES];
};

/* Makes the map of the piece on `square`, which is 0..49. A king's run goes with it, and all else of
 * the rule state stays. BAD_POSITION where no piece stands; errors of probe_state. */
enum status map_piece(einspul *handle, const struct state *state, int square, struct map *map,
                      struct error *error);

/* The value of a state: with its distance, or where there are none the outcome alone. `*maybe`: that
 * outcome or a draw, as a limit of quiet play leaves open. ONLY_BOUNDS where either side may win. */
enum status map_value(einspul *handle, const struct state *state, enum outcome *outcome, int *plies,
                      bool *maybe, struct error *error);

#endif
