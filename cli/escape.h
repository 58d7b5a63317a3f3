/* Escapes text from outside before it is printed: FENs, paths and error texts may contain any byte.
 *
 * The output must keep its rows and columns, must not contain terminal control sequences, and with
 * --json must be valid JSON. Valid UTF-8 is kept, except control characters (including
 * U+0080..U+009F, which some terminals obey), line separators and bidirectional marks. */
#ifndef EINSPUL_CLI_ESCAPE_H
#define EINSPUL_CLI_ESCAPE_H

#include <stdio.h>

/* Escapes as `\\`, `\t`, `\n`, `\r`, and `\x1b` for every other byte that is not kept. */
void escape_text(FILE *stream, const char *text, size_t n_bytes);

/* Prints JSON; characters that are not kept can only be in its strings, and become `\u009B`. */
void escape_json(FILE *stream, const char *json);

#endif
