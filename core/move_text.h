/* Moves as text. */
#ifndef EINSPUL_CORE_MOVE_TEXT_H
#define EINSPUL_CORE_MOVE_TEXT_H

#include "core/moves.h"

/* The size of a buffer for any move text, end byte included. */
enum { MOVE_TEXT_SIZE = 160 };

/* Writes a move of `list` as `32-28` or `28x39`, or with the full path if another capture of the
 * list has the same from and to. `text` has MOVE_TEXT_SIZE bytes. */
void move_write(const struct move_list *list, const struct move *move, char text[MOVE_TEXT_SIZE]);

/* Finds the move of `list` with the given text: `32-28`, `28x39` or a path. NULL if there is no
 * such move, or more than one. */
const struct move *move_read(const struct move_list *list, const char *text);

#endif
