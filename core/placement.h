/* Placements and states.
 *
 * A placement is men and kings of both sides on squares, and the side to move. A state adds what
 * the rules remember: the king run of each side and the 2K v 1K clock. */
#ifndef EINSPUL_CORE_PLACEMENT_H
#define EINSPUL_CORE_PLACEMENT_H

#include "core/rules.h"

struct placement {
    squares_t men[2];   /* by side */
    squares_t kings[2]; /* by side */
    enum side side;     /* to move */
};

/* A side's king run: `count` simple moves in a row by the king on `square`. */
struct run {
    uint8_t square; /* 0 when count is 0 */
    uint8_t count;  /* 0..king_run_limit */
};

enum { MAX_CLOCK = 255 };

struct state {
    struct placement at;
    struct run run[2]; /* by side */
    uint8_t clock;     /* plies since 2K v 1K arose, at most MAX_CLOCK; 0 in other material,
                          unless `limited` */
    uint8_t limited;   /* 1 + the side that had two kings, after a capture in 2K v 1K: its limit of
                          moves still counts. Else 0 */
};

static inline enum side side_other(enum side side)
{
    return side == WHITE ? BLACK : WHITE;
}

static inline squares_t placement_own(const struct placement *placement, enum side side)
{
    return placement->men[side] | placement->kings[side];
}

static inline squares_t placement_occupied(const struct placement *placement)
{
    return placement_own(placement, WHITE) | placement_own(placement, BLACK);
}

/* The same game seen from the other end: board turned by 180 degrees, colours swapped. */
struct placement placement_turn(const struct board *board, const struct placement *placement);
struct state state_turn(const struct board *board, const struct state *state);

/* True when a king run can exist for `side`: the rules limit it and the side has men and kings. */
static inline bool placement_has_runs(const struct rules *rules, const struct placement *placement,
                                      enum side side)
{
    return rules->king_run_limit > 0 && placement->men[side] != 0 && placement->kings[side] != 0;
}

/* True when the material is two kings against one king (either way) and nothing else, and the rules
 * limit it. */
static inline bool placement_has_clock(const struct rules *rules, const struct placement *placement)
{
    if ((placement->men[WHITE] | placement->men[BLACK]) != 0 || rules->two_kings_limit == 0)
        return false;
    const int white = squares_count(placement->kings[WHITE]);
    const int black = squares_count(placement->kings[BLACK]);
    return white + black == 3 && white > 0 && black > 0;
}

/* True when the clock counts: in 2K v 1K, and after a capture in it. */
static inline bool state_has_clock(const struct rules *rules, const struct state *state)
{
    return state->limited != 0 || placement_has_clock(rules, &state->at);
}

/* The side whose wins the clock limits; the state has one. */
static inline enum side state_limited_side(const struct state *state)
{
    if (state->limited != 0)
        return state->limited == 1 + WHITE ? WHITE : BLACK;
    return squares_count(state->at.kings[WHITE]) == 2 ? WHITE : BLACK;
}

/* The start position of the game, side and state fresh. */
struct state state_start(const struct rules *rules);

/* Checks what no legal game can show: squares outside the board or used twice, men on their
 * promotion row, an empty side, a run on a square without an own king, above the limit, or of a
 * side without men, a clock outside 2K v 1K and what it leads to. BAD_POSITION says what and where.
 * state_check_after also allows that the side to move has no pieces: a capture may have taken them
 * all. */
enum status state_check(const struct rules *rules, const struct state *state, struct error *error);
enum status state_check_after(const struct rules *rules, const struct state *state,
                              struct error *error);

#endif
