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
    uint8_t clock;     /* plies of the count that placement_limit limits, at most MAX_CLOCK; 0 where
                          there is none, unless `limited` */
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

/* True when a king run can exist for `side`: the rules limit it and the side has men and kings. */
static inline bool placement_has_runs(const struct rules *rules, const struct placement *placement,
                                      enum side side)
{
    return rules->king_run_limit > 0 && placement->men[side] != 0 && placement->kings[side] != 0;
}

/* The plies in which a material must be won, by the numbers of men and kings; 0: any. Two kings
 * against one king under Article 18, or a lone king (struct rules). */
static inline int limit_of_counts(const struct rules *rules, const int men[2], const int kings[2])
{
    const int white = men[WHITE] + kings[WHITE];
    const int black = men[BLACK] + kings[BLACK];
    const enum side lone = white == 1 && (black > 1 || kings[WHITE] == 1) ? WHITE : BLACK;
    const int n_against = lone == WHITE ? black : white;
    if (men[lone] != 0 || kings[lone] != 1 || kings[side_other(lone)] == 0 ||
        n_against > MAX_AGAINST_KING || (men[side_other(lone)] != 0 && !rules->lone_king_men))
        return 0;
    return n_against == 2 && rules->two_kings_limit > 0 ? 2 * rules->two_kings_limit
                                                        : rules->lone_king_limit[n_against];
}

/* The same of a placement, the limit of quiet play included. */
static inline int placement_limit(const struct rules *rules, const struct placement *placement)
{
    const bool any_men = (placement->men[WHITE] | placement->men[BLACK]) != 0;
    if (any_men && !rules->lone_king_men)
        return rules->quiet_limit;
    const int men[2] = {bits_count(placement->men[WHITE]), bits_count(placement->men[BLACK])};
    const int kings[2] = {bits_count(placement->kings[WHITE]), bits_count(placement->kings[BLACK])};
    const int limit = limit_of_counts(rules, men, kings);
    return limit > 0 ? limit : rules->quiet_limit;
}

/* True when the clock counts: in limited material, and after a capture in 2K v 1K. */
static inline bool state_has_clock(const struct rules *rules, const struct state *state)
{
    return state->limited != 0 || placement_limit(rules, &state->at) > 0;
}

/* True when a limit other than Article 18 has been reached: the game is over, and drawn if it
 * had not ended before. */
static inline bool state_is_drawn(const struct rules *rules, const struct state *state)
{
    const int limit = rules->two_kings_limit > 0 ? 0 : placement_limit(rules, &state->at);
    return limit > 0 && state->clock >= limit;
}

/* The side whose wins the clock of Article 18 limits; the state has one. */
static inline enum side state_limited_side(const struct state *state)
{
    if (state->limited != 0)
        return state->limited == 1 + WHITE ? WHITE : BLACK;
    return bits_count(state->at.kings[WHITE]) == 2 ? WHITE : BLACK;
}

/* True when the side to move has a capture, and so must make one. */
bool placement_has_capture(const struct rules *rules, const struct placement *placement);

/* Rejects states that no legal game can reach: squares outside the board or used twice, men on
 * their promotion row, an empty side, unless it is to move after the capture of its last pieces, a
 * run on a square without an own king, above the limit, or of a side without men, a clock in
 * material without one. BAD_POSITION names the mistake and the square. */
einspul_status state_check(const struct rules *rules, const struct state *state,
                           einspul_error *error);

#endif
