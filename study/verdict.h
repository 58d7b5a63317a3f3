/* What is known of positions, and of one with a piece put on every square where it may stand.
 * Thread-safe. */
#ifndef EINSPUL_STUDY_VERDICT_H
#define EINSPUL_STUDY_VERDICT_H

#include "probe/probe.h"

/* What is known of a position, for the side to move. */
struct verdict {
    bool known;
    bool undecided; /* not known, as no table counts towards a limit of quiet play */
    einspul_outcome outcome;
    int plies; /* -1: a draw, or no distances */
    bool over; /* the side to move has no move, and has lost */
};

struct map_square {
    bool possible; /* empty, or where the piece stands; and it may stand there */
    struct state state;
    struct verdict verdict;
};

struct square_map {
    struct map_square square[MAX_SQUARES];
};

/* Makes the map of the piece on `square`, 0..49. A king keeps its run, and the rest of the rule
 * state is unchanged. BAD_POSITION if the square is empty; errors of einspul_probe. */
einspul_status map_piece(einspul *handle, const struct state *state, int square,
                         struct square_map *map, einspul_error *error);

/* The value of a state, with its distance if the tables have distances; not known after an error.
 * Errors of einspul_probe but UNDECIDED and NO_METRIC, which are answers here. */
einspul_status map_value(einspul *handle, const struct state *state, struct verdict *verdict,
                         einspul_error *error);

/* "win", "draw", "loss"; of a verdict also "undecided" and "unknown". */
const char *map_outcome_text(einspul_outcome outcome);
const char *map_verdict_text(const struct verdict *verdict);

/* What a limit leaves: moves of one side that must win in them, or plies until a draw. */
struct limit_left {
    int limit; /* 0: none applies */
    int left;  /* the next one included */
    bool of_side;
    enum side side;
};
struct limit_left state_limit_left(const struct rules *rules, const struct state *state);

#endif
