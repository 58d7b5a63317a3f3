/* Output for people on a terminal: the board, and answers as sentences. Pipes get tab-separated
 * rows (print.h). */
#ifndef EINSPUL_CLI_BOARD_H
#define EINSPUL_CLI_BOARD_H

#include "cli/options.h"
#include "study/verdict.h"

/* True when standard output is a terminal and neither --tsv nor --json was given. */
bool board_is_wanted(const struct options *options);

/* The position: material and side to move, the board, king runs and clock. Colours unless NO_COLOR
 * is set or TERM is dumb; letters in place of pieces where the locale is not UTF-8. */
void board_show(const struct rules *rules, const struct state *state);

/* "White wins in 39 plies." */
void board_show_verdict(enum side side, einspul_outcome outcome, int plies);

/* "Without Article 18, White would win in 15 plies." */
void board_show_reason(const char *condition, enum side side, einspul_outcome outcome, int plies);

/* Prints a move with its value for the moving side, numbered if `ply` > 0. */
void board_show_move(int ply, const char *move, einspul_outcome outcome, int plies);

/* The board with W, D or L on the squares of a map. */
void board_show_map(const struct rules *rules, const struct state *state, int square,
                    const struct square_map *map);

#endif
