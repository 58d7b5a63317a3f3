/* Squares as the bits of a word, laid out so that every diagonal step is a constant shift.
 *
 * Each pair of rows takes its squares and one ghost bit, which is not a square: on 10x10 a row has
 * 5 squares and a diagonal step is a shift by 5 or 6, on 8x8 it is 4 or 5. A bit of a word is
 * called a cell. Ghost cells are never in a set of empty cells, so nothing slides round the
 * edge. */
#ifndef EINSPUL_GEN_FRAME_WORDS_H
#define EINSPUL_GEN_FRAME_WORDS_H

#include "core/board.h"

#include <stddef.h>

/* A set of cells. */
typedef uint64_t cells_t;

enum { WORD_CELLS = 64 };

static inline int cell_of_square(const struct board *board, int square)
{
    const int per_row = board->n_rows / 2;
    return square + square / (2 * per_row);
}

static inline cells_t cells_of_squares(const struct board *board, squares_t squares)
{
    const int pair = board->n_rows; /* squares in two rows */
    const squares_t mask = square_bit(pair) - 1;
    cells_t cells = 0;
    for (int i = 0; i < board->n_rows / 2; i++)
        cells |= ((squares >> (i * pair)) & mask) << (i * (pair + 1));
    return cells;
}

static inline squares_t squares_of_cells(const struct board *board, cells_t cells)
{
    const int pair = board->n_rows;
    const cells_t mask = square_bit(pair) - 1;
    squares_t squares = 0;
    for (int i = 0; i < board->n_rows / 2; i++)
        squares |= ((cells >> (i * (pair + 1))) & mask) << (i * pair);
    return squares;
}

static inline cells_t cells_shifted(cells_t cells, int step)
{
    return step > 0 ? cells << step : cells >> -step;
}

/* The empty cells reached from `from` in up to nine steps of `step` cells (the longest diagonal),
 * or up to four if not `far`, over empty cells only: a Kogge-Stone fill, as in chess programs, in
 * five rounds. */
static inline cells_t cells_reached(cells_t from, cells_t empty, int step, bool far)
{
    const cells_t two = empty & cells_shifted(empty, step);
    cells_t reach = from;
    reach |= empty & cells_shifted(reach, step);
    reach |= two & cells_shifted(reach, 2 * step);
    if (far) {
        const cells_t four = two & cells_shifted(two, 2 * step);
        reach |= four & cells_shifted(reach, 4 * step);
        reach |= empty & cells_shifted(reach, step);
    }
    return empty & cells_shifted(reach, step);
}

/* For each of `n` words: the cells from which a king reaches a cell of `to` by one simple move.
 * `empty` holds the cells without another piece; `to` lies within it, and so do the results. */
void words_slide_back(const struct board *board, bool flying, size_t n, const cells_t *empty,
                      const cells_t *to, cells_t *from);

#endif
