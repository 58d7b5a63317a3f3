/* Reconstructs the game from the `pos` commands of a Hub client. `pos` carries only pieces and moves,
 * so the rule state (king runs and clocks) is carried over from one `pos` to the next. */
#ifndef EINSPUL_STUDY_HUB_GAME_H
#define EINSPUL_STUDY_HUB_GAME_H

#include "core/rules.h"

enum { HUB_POSITIONS = 512 }; /* the oldest ones are dropped */

struct hub_game {
    struct rules rules;
    einspul_position path[HUB_POSITIONS]; /* one move apart, the current one last */
    size_t n;                             /* 0: no position set */
    size_t base;                          /* index of the last `pos`, before its moves */
    int from, to;                         /* last move sent by the engine; 0: none */
    uint64_t captured;
    bool sends_runs; /* the client has sent king runs (`wolf`) at least once */
};

/* The arguments of a `pos`; absent ones are NULL. */
struct hub_pos {
    bool start;
    const char *squares; /* W or B, and a character for each square */
    const char *fen;
    const char *runs; /* "W16=3 B2=1": side, square of the king and count */
    const char *moves;
};

/* Starts a game of a rule set, in its start position. */
void hub_game_begin(struct hub_game *game, const struct rules *rules);

/* Returns the current position; NULL if none is set. */
const einspul_position *hub_game_position(const struct hub_game *game);

/* Executes a `pos`. A position given by squares gets its rule state from the game if it equals a
 * position of the game, or is one or two moves after one; otherwise its rule state is fresh. Returns
 * false with a message in `error`; then no position is set. `*ignored` is true if impossible runs
 * were given and dropped. */
bool hub_game_set(struct hub_game *game, const struct hub_pos *pos, bool *ignored,
                  einspul_error *error);

#endif
