/* Board geometry: dark squares, directions, rays, jumps.
 *
 * Internally squares are numbered from 0, row by row from the top: square s is s + 1 in draughts
 * notation and bit s of a squares_t. White's men move towards lower numbers.
 *
 * The layers of the library's core, each built on those before: board (geometry), rules (rule
 * sets), placement (pieces, states), moves and captures (the two move generators), rank (placements
 * to indices). Functions in core/ keep no state between calls, so they are thread-safe; read-only
 * data (boards, rule sets, shapes) may be shared between threads. */
#ifndef EINSPUL_CORE_BOARD_H
#define EINSPUL_CORE_BOARD_H

#include "core/bits.h"

#include <stdbool.h>
#include <stdint.h>

enum { MAX_SQUARES = 50, NO_SQUARE = -1 };

/* A set of squares, bit s for square s (core/bits.h). */
typedef uint64_t squares_t;

/* The mask of squares that must be empty where no such capture exists. All bits are set, so the
 * test always fails on an occupied square (the victim's) and needs no special case. */
static const squares_t NO_JUMP = ~(squares_t)0;

enum side { WHITE = 0, BLACK = 1 };

/* The name of a side: capitalised for messages, lower case for data. */
static inline const char *side_name(enum side side)
{
    return side == WHITE ? "White" : "Black";
}

static inline const char *side_word(enum side side)
{
    return side == WHITE ? "white" : "black";
}

/* The eight lines a piece can act along. A diagonal step is one square; an orthogonal step goes to
 * the next dark square of the row or column. */
enum direction {
    NORTH_WEST,
    NORTH_EAST,
    SOUTH_WEST,
    SOUTH_EAST,
    NORTH,
    SOUTH,
    WEST,
    EAST,
    N_DIRECTIONS
};

static inline int direction_opposite(int direction)
{
    return direction < NORTH ? SOUTH_EAST - direction : direction ^ 1;
}

/* Sets of directions, bit d for direction d. */
enum { DIAGONALS = 0x0f, NORTH_DIAGONALS = 0x03, SOUTH_DIAGONALS = 0x0c, ALL_DIRECTIONS = 0xff };

struct board {
    int n_squares; /* 50 or 32 */
    int n_rows;    /* 10 or 8 */
    squares_t all;
    squares_t promotion[2];                   /* the row a side's men promote on */
    int8_t next[N_DIRECTIONS][MAX_SQUARES];   /* the neighbour, or NO_SQUARE */
    squares_t ray[N_DIRECTIONS][MAX_SQUARES]; /* all squares in that direction, up to the edge */

    /* Captures, indexed by the squares of the capturing piece and its victim. jump: the squares
     * that must be empty, i.e. those between them and the one behind the victim (NO_JUMP if the two
     * share no line or no square is behind the victim). direction: that of the capture. */
    squares_t jump[MAX_SQUARES][MAX_SQUARES];
    int8_t direction[MAX_SQUARES][MAX_SQUARES];
};

/* Fills `board` for a board of `n_rows` rows (8 or 10). */
void board_init(struct board *board, int n_rows);

static inline squares_t square_bit(int square)
{
    return (squares_t)1 << square;
}

/* The squares a man of `side` may stand on. */
static inline squares_t board_man_squares(const struct board *board, enum side side)
{
    return board->all & ~board->promotion[side];
}

#endif
