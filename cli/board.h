/* Output for people on a terminal: the board, and answers as sentences. Pipes get tab-separated
 * rows (print.h). */
#ifndef EINSPUL_CLI_BOARD_H
#define EINSPUL_CLI_BOARD_H

#include "cli/options.h"
#include "study/verdict.h"
#include "verify/proof.h"

/* True if standard output is a terminal and neither --tsv nor --json was given. */
bool board_is_wanted(const struct options *options);

/* Prints a position: side to move and material, the board, king runs and clock. Uses colours unless
 * NO_COLOR is set or TERM is dumb, and letters for pieces unless the locale is UTF-8. */
void board_show(const struct rules *rules, const struct state *state);

/* Prints the board alone. */
void board_show_squares(const struct rules *rules, const struct state *state);

/* "White wins in 39 plies (20 moves)." */
void board_show_verdict(enum side side, einspul_outcome outcome, int plies);

/* Like board_show_verdict, from proofs, which may leave the outcome partly open. */
void board_show_known(enum side side, const struct known_wins *known);

/* "Without Article 18, White would win in 15 plies." */
void board_show_reason(const char *condition, enum side side, einspul_outcome outcome, int plies);

/* Prints a move with its value for the moving side. */
void board_show_move(const char *move, einspul_outcome outcome, int plies);

/* Prints a move of a line, numbered as in a game; `ply` counts from 1. White's move begins a row. */
void board_show_line_move(int ply, enum side side, const char *move);

/* Prints the board with W, D or L on the squares of a map. */
void board_show_map(const struct rules *rules, const struct state *state, int square,
                    const struct square_map *map);

#endif
