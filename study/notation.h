/* Signs and squares as people write them: dashes, blanks and quotes of any kind, and squares in
 * letters. a1 is White's lower left corner. Thread-safe. */
#ifndef EINSPUL_STUDY_NOTATION_H
#define EINSPUL_STUDY_NOTATION_H

#include "core/board.h"

#include <stddef.h>

enum notation { NOTATION_AS_GIVEN, NOTATION_NUMBERS, NOTATION_LETTERS };

/* Reads the sign at the beginning of a text of `n` bytes and returns its length; `*plain` is its
 * ASCII form: `-` for any dash, `x` for a multiplication sign, `"` for any quote, a space for other
 * blanks and the byte order mark, `.` for an ellipsis, `~` for the sign of a half. UTF-8 and
 * Latin-1 (Windows-1252) are read. An unknown sign is its first byte; 0 and '\0' at the end. */
size_t sign_read(const char *text, size_t n, char *plain);

/* Reads a square in letters, as `c3` or `J10`; returns its length, or 0 if there is none. */
size_t square_in_letters(const struct board *board, const char *text, size_t n, int *square);

/* Copies a move or a FEN whose squares are numbers; with letters, those of its pieces are replaced.
 * `size` bytes always hold a text that fits in two thirds of them. */
void notation_write(const struct board *board, enum notation notation, const char *text,
                    char *written, size_t size);

#endif
