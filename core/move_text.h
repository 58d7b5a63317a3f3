/* Moves as text. */
#ifndef EINSPUL_CORE_MOVE_TEXT_H
#define EINSPUL_CORE_MOVE_TEXT_H

#include "core/moves.h"

/* Bytes that hold any text of a move written here, end byte included. */
enum { MOVE_TEXT_SIZE = 160 };

/* Writes a move of `list` as `32-28` or `28x39`, with the full path where from and to do not tell
 * the captures of the list apart. `text` has MOVE_TEXT_SIZE bytes. */
void move_write(const struct move_list *list, const struct move *move, char text[MOVE_TEXT_SIZE]);

/* Finds the move a text means among `list`: `32-28`, `28x39` or a path. NULL when there is none, or
 * more than one. */
const struct move *move_read(const struct move_list *list, const char *text);

#endif
