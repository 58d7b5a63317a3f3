/* Compares move lists, as sorted text, and states. */
#ifndef EINSPUL_TESTS_SUPPORT_MOVES_TEXT_H
#define EINSPUL_TESTS_SUPPORT_MOVES_TEXT_H

#include "core/fen.h"
#include "core/program/random.h"
#include "tests/support/parse.h"

#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool state_equal(const struct state *a, const struct state *b);

/* The move with the board rotated; the path is unchanged. */
struct move move_flip(const struct board *board, const struct move *move);

/* Asserts that the legal moves of a position are exactly these, also with the board rotated:
 * `32-28`, `27x2/8.34.38` with the captured squares ascending, and `=K` after a promotion. */
void expect_moves(const struct rules *rules, const char *fen, const char *moves);

#endif
