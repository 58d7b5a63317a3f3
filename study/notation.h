/* Reads text in unknown encodings: typographic dashes, blanks and quotes, and algebraic squares (a1
 * is the lower left corner seen from White). Thread-safe. */
#ifndef EINSPUL_STUDY_NOTATION_H
#define EINSPUL_STUDY_NOTATION_H

#include "core/board.h"

#include <stddef.h>

enum notation { NOTATION_AS_GIVEN, NOTATION_NUMBERS, NOTATION_LETTERS };

/* Decodes the first character of a text of `n` bytes and returns its length; `*plain` is its ASCII
 * form: `-` for any dash, `x` for a multiplication sign, `"` for any quote, a space for other
 * blanks and the byte order mark, `.` for an ellipsis, `~` for a half. UTF-8 and Latin-1
 * (Windows-1252) are read. Unknown characters yield their first byte; at the end it returns 0 and
 * stores '\0'. */
size_t char_read(const char *text, size_t n, char *plain);

/* Reads a square in letters, such as `c3` or `J10`; returns its length, or 0 if the text begins
 * with none. */
size_t square_in_letters(const struct board *board, const char *text, size_t n, int *square);

/* The column of a square, from 0 for `a`. */
int square_column(const struct board *board, int square);

/* Copies a move or a FEN whose squares are numbers; with letters, those of its pieces are replaced.
 * A text of up to two thirds of `size` always fits. */
void notation_write(const struct board *board, enum notation notation, const char *text,
                    char *written, size_t size);

#endif
