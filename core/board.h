/* Board geometry: dark squares, directions, rays, jumps.
 *
 * Inside the program squares are numbered from 0: square s here is s+1 in draughts notation, and
 * bit s of a `squares_t`. Row by row from the top, so White's men move to lower numbers.
 *
 * Functions of core/ keep nothing between calls: any number of threads may call them, and share
 * what they only read (boards, rule sets, shapes). */
#ifndef EINSPUL_CORE_BOARD_H
#define EINSPUL_CORE_BOARD_H

#include "core/bits.h"

#include <stdbool.h>
#include <stdint.h>

enum { MAX_SQUARES = 50, NO_SQUARE = -1 };

/* A set of squares, bit s for square s; core/compiler.h counts them. */
typedef uint64_t squares_t;

/* Instead of the squares that must be empty for a capture: no such capture exists. The victim
 * occupies a square, so the mask test always fails. */
static const squares_t NO_JUMP = ~(squares_t)0;

enum side { WHITE = 0, BLACK = 1 };

/* A side in a message, and as a word among data. */
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

/* Sets of directions, bit d for direction d. */
enum { DIAGONALS = 0x0f, NORTH_DIAGONALS = 0x03, SOUTH_DIAGONALS = 0x0c, ALL_DIRECTIONS = 0xff };

struct board {
    int n_squares; /* 50 or 32 */
    int n_rows;    /* 10 or 8 */
    squares_t all;
    squares_t promotion[2];                   /* the row a side's men promote on */
    int8_t next[N_DIRECTIONS][MAX_SQUARES];   /* the neighbour, or NO_SQUARE */
    squares_t ray[N_DIRECTIONS][MAX_SQUARES]; /* all squares beyond, to the edge */

    /* For a capture, by the square of the capturing piece and that of its victim: the squares that
     * must be empty, those between and the one behind (NO_JUMP if the two share no line or there is
     * no square behind), and the direction. */
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
