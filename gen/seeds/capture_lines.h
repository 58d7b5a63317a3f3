/* Which squares of one king make a placement with a capture: found for all squares of that king at
 * once, while the other pieces stand still. */
#ifndef EINSPUL_GEN_SEEDS_CAPTURE_LINES_H
#define EINSPUL_GEN_SEEDS_CAPTURE_LINES_H

#include "core/rules.h"
#include "gen/frame/seed_tables.h"
#include "gen/frame/words.h"

/* The pieces that stand still, by side. */
struct still {
    cells_t men[2];
    cells_t kings[2];
};

/* The cells where one more king of `side` can capture a piece that stands still (`side` to move),
 * or be captured by one (the other side to move). Captures among the pieces that stand still are
 * not looked for. `all` are the board's cells. */
cells_t capture_cells(const struct rules *rules, const struct still *still, cells_t all,
                      enum side side, enum side to_move);

/* Squares of one more king that leave `to_move` a capture among the pieces that stand still: these
 * men, and these kings. By side. */
squares_t still_captures(const struct seed_tables *tables, const squares_t men[2],
                         const squares_t kings[2], enum side to_move);

#endif
