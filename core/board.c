/* Computes the geometry tables of an 8x8 or 10x10 board: the neighbour of a square, the ray from
 * it, and for a piece and its victim the squares that must be empty.
 *
 * Code outside this file should use the tables rather than rows and columns. */
#include "core/board.h"

#include <string.h>

static int square_at(const struct board *board, int row, int column)
{
    if (row < 0 || column < 0 || row >= board->n_rows || column >= board->n_rows ||
        (row + column) % 2 == 0)
        return NO_SQUARE;
    return row * (board->n_rows / 2) + column / 2;
}

static void fill_lines(struct board *board)
{
    for (int from = 0; from < MAX_SQUARES; from++)
        for (int over = 0; over < MAX_SQUARES; over++)
            board->jump[from][over] = NO_JUMP;
    for (int direction = 0; direction < N_DIRECTIONS; direction++) {
        for (int from = 0; from < board->n_squares; from++) {
            squares_t between = 0;
            for (int over = board->next[direction][from]; over != NO_SQUARE;
                 over = board->next[direction][over]) {
                const int behind = board->next[direction][over];
                board->ray[direction][from] |= square_bit(over);
                board->direction[from][over] = (int8_t)direction;
                if (behind != NO_SQUARE)
                    board->jump[from][over] = between | square_bit(behind);
                between |= square_bit(over);
            }
        }
    }
}

void board_init(struct board *board, int n_rows)
{
    static const int row_step[N_DIRECTIONS] = {-1, -1, 1, 1, -2, 2, 0, 0};
    static const int column_step[N_DIRECTIONS] = {-1, 1, -1, 1, 0, 0, -2, 2};
    const int per_row = n_rows / 2;

    memset(board, 0, sizeof *board);
    board->n_rows = n_rows;
    board->n_squares = n_rows * per_row;
    board->all = square_bit(board->n_squares) - 1;
    board->promotion[WHITE] = square_bit(per_row) - 1;
    board->promotion[BLACK] = board->promotion[WHITE] << (board->n_squares - per_row);

    for (int direction = 0; direction < N_DIRECTIONS; direction++) {
        for (int square = 0; square < board->n_squares; square++) {
            const int row = square / per_row;
            const int column = 2 * (square % per_row) + (row % 2 == 0 ? 1 : 0);
            board->next[direction][square] = (int8_t)square_at(board, row + row_step[direction],
                                                               column + column_step[direction]);
        }
    }
    fill_lines(board);
}
