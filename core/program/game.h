/* The game played from its start, and what others call it. Thread-safe. */
#ifndef EINSPUL_CORE_PROGRAM_GAME_H
#define EINSPUL_CORE_PROGRAM_GAME_H

#include "core/moves.h"

/* The name of a rule set from what others call a game: that name, the key of a variant at
 * lidraughts.org (`standard`, `frysk`, …; capitals do not count), or `normal`, as the Hub protocol
 * has it. A game stands for the rule set that has its name. NULL for others. */
const char *rules_name_of_game(const char *name);

/* Whether a rule set is the one that a game stands for. */
bool rules_is_standard(const struct rules *rules);

/* The start position of the game, side and state fresh. */
struct state state_start(const struct rules *rules);

/* Counts the lines of `depth` moves from `state` (depth 0: 1). Errors of moves_generate. */
einspul_status moves_perft(const struct rules *rules, const struct state *state, int depth,
                           uint64_t *n_lines);

#endif
