/* Start positions, perft, and the names that other programs use for a rule set. Thread-safe. */
#ifndef EINSPUL_CORE_PROGRAM_GAME_H
#define EINSPUL_CORE_PROGRAM_GAME_H

#include "core/moves.h"

/* Maps the name of a game to that of a rule set, ignoring case: a rule set's own name, a variant
 * key of lidraughts.org (`standard`, `frysk`, …), or the Hub protocol's `normal`. NULL for unknown
 * names. */
const char *rules_name_of_game(const char *name);

/* The first rule set with a PDN GameType; 0 if none has it. */
enum rules_id rules_of_game_type(int type);

/* True for the standard rule set of a game (frisian, international, english, brazilian), false for
 * its variants. */
bool rules_is_standard(const struct rules *rules);

/* The start position of the game, with a fresh rule state. */
struct state state_start(const struct rules *rules);

/* Counts the lines of `depth` moves from `state` (depth 0: 1). Errors of moves_generate. */
einspul_status moves_perft(const struct rules *rules, const struct state *state, int depth,
                           uint64_t *n_lines);

#endif
