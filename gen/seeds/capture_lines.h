/* The squares of one king that give a placement a capture. */
#ifndef EINSPUL_GEN_SEEDS_CAPTURE_LINES_H
#define EINSPUL_GEN_SEEDS_CAPTURE_LINES_H

#include "gen/seeds/seed_tables.h"

/* The stationary pieces, by side. */
struct stationary {
    cells_t men[2];
    cells_t kings[2];
};

/* The cells where one more king of `side` can capture a stationary piece (`side` to move), or be
 * captured by one (the other side to move). Captures among stationary pieces are not included.
 * `all` are the board's cells. */
cells_t capture_cells(const struct rules *rules, const struct stationary *stationary, cells_t all,
                      enum side side, enum side to_move);

/* The squares of the line's king that do not block a capture of `to_move` among the stationary
 * pieces `men` and `kings` (by side). */
squares_t stationary_captures(const struct seed_tables *tables, const squares_t men[2],
                              const squares_t kings[2], enum side to_move);

#endif
