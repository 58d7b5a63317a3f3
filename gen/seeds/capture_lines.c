/* For every direction one or two shift steps, as with the slides of words.h: a capture exists where
 * a capturing piece, an enemy and a free cell after it are in line, with only free cells between
 * for a flying king. The line's king is the capturing piece or the victim, and the other pieces are
 * stationary, so that all its squares are tested at once. */
#include "gen/seeds/capture_lines.h"

#include "core/compiler.h"

/* The stationary pieces, and the directions of captures. */
struct position {
    cells_t men, kings; /* pieces that may capture; none if the line's king captures */
    cells_t enemy;      /* pieces that may be captured; none if the line's king is captured */
    cells_t free;       /* cells without a piece */
    unsigned by_man, by_king;
    bool flying;
};

/* Captures in one direction: `step` in cells, towards a cell of `ends`; back, towards one of
 * `back_ends`. */
ALWAYS_INLINE cells_t line_cells(const struct position *at, enum direction direction, int step,
                                 cells_t ends, cells_t back_ends)
{
    const bool far = direction <= SOUTH_EAST;
    const cells_t free = at->free & ends;
    const cells_t free_back = at->free & back_ends;
    const cells_t before_free = cells_shifted(free, -step); /* cells with a free one after them */
    cells_t cells = 0;

    if ((at->by_man >> direction & 1) != 0)
        cells |= before_free & free & cells_shifted(at->men, step);
    if ((at->by_king >> direction & 1) == 0)
        return cells;
    const cells_t victims = at->enemy & before_free;
    if (at->flying)
        return cells | (before_free & cells_reached(at->kings, free, step, far)) |
               cells_reached(victims, free_back, -step, far);
    return cells | (before_free & free & cells_shifted(at->kings, step)) |
           (free_back & cells_shifted(victims, -step));
}

/* `row` is the number of squares per row, a constant at each call. A step east must not end on the
 * first cell of a row, nor a step west on the last. */
ALWAYS_INLINE cells_t board_cells(const struct position *at, int row, cells_t firsts, cells_t lasts)
{
    const cells_t all = ~(cells_t)0;
    return line_cells(at, NORTH_WEST, -row - 1, all, all) |
           line_cells(at, NORTH_EAST, -row, all, all) | line_cells(at, SOUTH_WEST, row, all, all) |
           line_cells(at, SOUTH_EAST, row + 1, all, all) |
           line_cells(at, NORTH, -2 * row - 1, all, all) |
           line_cells(at, SOUTH, 2 * row + 1, all, all) |
           line_cells(at, WEST, -1, ~lasts, ~firsts) | line_cells(at, EAST, 1, ~firsts, ~lasts);
}

cells_t capture_cells(const struct rules *rules, const struct stationary *stationary, cells_t all,
                      enum side side, enum side to_move)
{
    const bool captures = side == to_move;
    const struct position at = {
        .men = captures ? 0 : stationary->men[to_move],
        .kings = captures ? 0 : stationary->kings[to_move],
        .enemy = captures ? stationary->men[!side] | stationary->kings[!side] : 0,
        .free = all & ~(stationary->men[WHITE] | stationary->men[BLACK] | stationary->kings[WHITE] |
                        stationary->kings[BLACK]),
        .by_man = rules->man_captures[to_move],
        .by_king = rules->king_captures,
        .flying = rules->flying_kings,
    };
    return rules->board.n_rows == 10 ? board_cells(&at, 5, 0x2104208410821u, 0x21042084108210u)
                                     : board_cells(&at, 4, 0x88442211u, 0x442211088u);
}

squares_t stationary_captures(const struct seed_tables *tables, const squares_t men[2],
                              const squares_t kings[2], enum side to_move)
{
    const squares_t enemy = men[!to_move] | kings[!to_move];
    const squares_t taken = men[WHITE] | men[BLACK] | kings[WHITE] | kings[BLACK];
    squares_t squares = 0;

    for (int by_king = 0; by_king < 2; by_king++) {
        const squares_t(*jumps)[MAX_SQUARES] =
            by_king ? tables->jump_of_king : tables->jump_of_man[to_move];
        squares_t own = by_king ? kings[to_move] : men[to_move];
        for (; own != 0; own &= own - 1) {
            const squares_t *jump = jumps[bits_first(own)];
            for (squares_t left = enemy; left != 0; left &= left - 1) {
                const squares_t empty = jump[bits_first(left)];
                if ((taken & empty) == 0)
                    squares |= ~empty;
            }
        }
    }
    return squares;
}
