/* Values of positions, and of a position with one piece moved to each square in turn (the square
 * map). Thread-safe. */
#ifndef EINSPUL_STUDY_VERDICT_H
#define EINSPUL_STUDY_VERDICT_H

#include "core/moves.h"
#include "probe/position.h"

/* The value of a position for the side to move, as far as it is known. */
struct verdict {
    bool known;
    bool undecided; /* unknown because tables do not count quiet moves */
    einspul_outcome outcome;
    int plies; /* -1: a draw, or no distances */
    bool over; /* the side to move has no move, and has lost */
};

struct map_square {
    bool possible; /* square is empty or the piece's own, and legal for the piece */
    struct state state;
    struct verdict verdict;
};

struct square_map {
    struct map_square square[MAX_SQUARES];
};

/* Computes the map of the piece on `square`, 0..49. A moved king keeps its run, and the rest of the rule
 * state is unchanged. BAD_POSITION if the square is empty; errors of einspul_probe. */
einspul_status square_map_of(einspul *handle, const struct state *state, int square,
                             struct square_map *map, einspul_error *error);

/* Probes a state, with distance if available. Errors of einspul_probe, except that UNDECIDED and
 * NO_METRIC are answers here. */
einspul_status verdict_of(einspul *handle, const struct state *state, struct verdict *verdict,
                          einspul_error *error);

/* "win", "draw", "loss"; of a verdict also "undecided" and "unknown". */
const char *outcome_text(einspul_outcome outcome);
const char *verdict_text(const struct verdict *verdict);

/* What remains of a limit: moves within which one side must win, or plies until a draw. */
struct limit_left {
    int limit; /* 0: none applies */
    int left;  /* the next one included */
    bool of_side;
    enum side side;
};
struct limit_left state_limit_left(const struct rules *rules, const struct state *state);

#endif
