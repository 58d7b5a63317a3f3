/* Text of others on its way out: FENs, paths, error texts may hold any byte.
 *
 * What is printed must keep to its row and column, must not reach a terminal as a control sequence,
 * and with --json must be valid JSON. Valid UTF-8 passes, except control characters (also those of
 * U+0080..U+009F, which some terminals obey), line separators and marks of text direction. */
#ifndef EINSPUL_CLI_ESCAPE_H
#define EINSPUL_CLI_ESCAPE_H

#include <stdio.h>

/* `\\`, `\t`, `\n`, `\r`, and `\x1b` for every other byte of what does not pass. */
void escape_text(FILE *stream, const char *text, size_t n_bytes);

/* The same text as UTF-8, U+FFFD in the place of bytes that are none; ended by a zero byte that
 * *n_bytes does not count. In memory to be freed; NULL when there is none. */
char *escape_utf8(const char *text, size_t *n_bytes);

/* JSON, which is UTF-8: what does not pass can only stand in its strings, and becomes `\u009B`. */
void escape_json(FILE *stream, const char *json);

#endif
