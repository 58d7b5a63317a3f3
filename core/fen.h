/* Text forms: FEN with the rule state, and moves. */
#ifndef EINSPUL_CORE_FEN_H
#define EINSPUL_CORE_FEN_H

#include "core/moves.h"

/* Bytes that hold any FEN or move text written here, end byte included. */
enum { FEN_SIZE = 320, MOVE_TEXT_SIZE = 160 };

/* Reads `W:W28,K46:BK43`, either colour first, ranges, spaces and a final dot allowed, followed by
 * the optional rule state `:H<clock>:F<n>:+<black run>+<white run>:L<W|B><clock>`; the last one is
 * the limit of a side that had two kings against one, in K v K after a capture. The whole text must be used
 * and the state must be one the rules allow. BAD_FEN or BAD_POSITION says what and where. */
enum status fen_read(const struct rules *rules, const char *text, struct state *state,
                     struct error *error);

/* Writes the FEN: White first, squares ascending, no ranges, no dot; the rule state only when it is
 * not fresh. `text` has FEN_SIZE bytes. */
void fen_write(const struct rules *rules, const struct state *state, char text[FEN_SIZE]);

/* Writes a move of `list` as `32-28` or `28x39`, with the full path where from and to do not tell
 * the captures of the list apart. `text` has MOVE_TEXT_SIZE bytes. */
void move_write(const struct move_list *list, const struct move *move, char text[MOVE_TEXT_SIZE]);

/* Finds the move a text means among `list`: `32-28`, `28x39` or a path. NULL when there is none, or
 * more than one. */
const struct move *move_read(const struct move_list *list, const char *text);

#endif
