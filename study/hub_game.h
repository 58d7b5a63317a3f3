/* The game as a client of the Hub protocol tells it: the positions played so far, with their rule
 * state. The protocol's `pos` has pieces and moves only, so king runs and clocks are brought forward
 * from one `pos` to the next. */
#ifndef EINSPUL_STUDY_HUB_GAME_H
#define EINSPUL_STUDY_HUB_GAME_H

#include "core/rules.h"

enum { HUB_POSITIONS = 512 }; /* older ones are forgotten */

struct hub_game {
    struct rules rules;
    einspul_position path[HUB_POSITIONS]; /* one move apart, the current one last */
    size_t n;                             /* 0: no position is set */
    size_t base;                          /* the one that the last `pos` gave, before its moves */
    int from, to;                         /* the move that was answered last; 0: none */
    uint64_t captured;
    bool tells_runs; /* the client gives king runs itself, or has done so */
};

/* What a `pos` says; the texts are NULL where it does not. */
struct hub_pos {
    bool start;
    const char *squares; /* W or B, and a character for each square */
    const char *fen;
    const char *runs; /* "W16=3 B2=1": side, square of the king and count */
    const char *moves;
};

/* Begins a game of a rule set, in its first position. */
void hub_game_begin(struct hub_game *game, const struct rules *rules);

/* The current position; NULL: none is set. */
const einspul_position *hub_game_position(const struct hub_game *game);

/* Takes a `pos`. The state of a position given by squares is that of the game so far where it
 * follows from it: it is the same position again, an earlier one, or one or two moves further.
 * Otherwise it is fresh. False with a message in `error`; then no position is set. `*ignored` says
 * whether runs were given that cannot be. */
bool hub_game_set(struct hub_game *game, const struct hub_pos *pos, bool *ignored,
                  einspul_error *error);

#endif
