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
    /* plies counted towards placement_limit, saturating at MAX_CLOCK; 0 if no limit applies and
     * `limited` is 0 */
    uint8_t clock;
    /* after a capture in 2K v 1K: 1 + the side that had two kings and is still bound by its
     * limit; otherwise 0 */
    uint8_t limited;
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

/* True if a king run can exist for `side`: the rules limit it and the side has men and kings. */
static inline bool placement_has_runs(const struct rules *rules, const struct placement *placement,
                                      enum side side)
{
    return rules->king_run_limit > 0 && placement->men[side] != 0 && placement->kings[side] != 0;
}

/* The number of plies in which a material must be won, or 0 if unlimited: 2K v 1K under Article 18,
 * or pieces against a lone king (struct rules). */
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

/* Like limit_of_counts, for a placement, and with the quiet-play limit. */
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

/* The number of plies after which a running clock draws the game; 0 if no clock is running. One
 * runs in limited material, and after a capture in 2K v 1K. */
static inline int state_limit(const struct rules *rules, const struct state *state)
{
    return state->limited != 0 ? 2 * rules->two_kings_limit : placement_limit(rules, &state->at);
}

/* True if a clock has reached its limit: the game is drawn, unless it had already ended. */
static inline bool state_is_drawn(const struct rules *rules, const struct state *state)
{
    const int limit = state_limit(rules, state);
    return limit > 0 && state->clock >= limit;
}

/* The side bound by Article 18's limit; its clock must be running (state_limit). */
static inline enum side state_limited_side(const struct state *state)
{
    if (state->limited != 0)
        return state->limited == 1 + WHITE ? WHITE : BLACK;
    return bits_count(state->at.kings[WHITE]) == 2 ? WHITE : BLACK;
}

/* True if the side to move has a capture, and so must make one. */
bool placement_has_capture(const struct rules *rules, const struct placement *placement);

/* The squares of a side where no piece of it may be: off the board, or with a man that is a king too
 * or would have been promoted. */
static inline squares_t wrong_squares(const struct board *board, const struct placement *placement,
                                      enum side side)
{
    const squares_t kings = placement->kings[side];
    return (placement_own(placement, side) & ~board->all) |
           (placement->men[side] & (kings | board->promotion[side]));
}

/* True if a side has no run, or one that a legal game can reach. */
static inline bool run_is_legal(const struct rules *rules, const struct state *state,
                                enum side side)
{
    const struct run run = state->run[side];
    return run.count == 0 ||
           (run.count <= rules->king_run_limit && run.square < rules->board.n_squares &&
            (state->at.kings[side] >> run.square & 1) != 0 && state->at.men[side] != 0);
}

/* True if state_check accepts a state without clock in which both sides have pieces; false for all
 * others. */
static inline bool state_is_simple(const struct rules *rules, const struct state *state)
{
    const struct board *board = &rules->board;
    const struct placement *at = &state->at;
    const squares_t white = placement_own(at, WHITE);
    const squares_t black = placement_own(at, BLACK);
    const squares_t wrong =
        (white & black) | wrong_squares(board, at, WHITE) | wrong_squares(board, at, BLACK);
    return wrong == 0 && white != 0 && black != 0 && (unsigned)at->side <= BLACK &&
           state->clock == 0 && state->limited == 0 && run_is_legal(rules, state, WHITE) &&
           run_is_legal(rules, state, BLACK);
}

/* Rejects states that no legal game can reach: squares outside the board or used twice, men on
 * their promotion row, a side without pieces, unless it is to move; a run on a square without a
 * king of that side, above the limit, or of a side without men; a clock where no limit applies. The
 * message of BAD_POSITION names the fault and the square. */
einspul_status state_check(const struct rules *rules, const struct state *state,
                           einspul_error *error);

#endif
