/* Text from outside, which may be no UTF-8, with signs and squares as people write them: dashes,
 * blanks and quotes of any kind, and squares in letters. a1 is White's lower left corner.
 * Thread-safe. */
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

/* The column of a square, from 0 for `a`. */
int square_column(const struct board *board, int square);

/* Copies a move or a FEN whose squares are numbers; with letters, those of its pieces are replaced.
 * `size` bytes always hold a text that fits in two thirds of them. */
void notation_write(const struct board *board, enum notation notation, const char *text,
                    char *written, size_t size);

/* The character at `at`, and in *n_bytes how long it is; NO_CHARACTER, one byte long, where there
 * is none. `n_left` is 1 or more. */
enum { NO_CHARACTER = -1 };
int32_t utf8_decode(const char *at, size_t n_left, size_t *n_bytes);

/* The text as valid UTF-8, with U+FFFD in place of invalid bytes; ended by a zero byte that
 * *n_bytes does not count. In memory to be freed; NULL without memory. */
char *utf8_valid(const char *text, size_t *n_bytes);

/* The same of UTF-16, without its byte order mark. */
char *utf8_of_utf16(const char *text, bool low_first, size_t *n_bytes);

#endif
