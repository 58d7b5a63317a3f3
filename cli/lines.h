/* Reads lines of any length and content from standard input, in bounded memory. Output is flushed
 * before waiting for input, so that interactive clients get each answer before they send the next
 * line, and nothing is lost if the program is killed while waiting. */
#ifndef EINSPUL_CLI_LINES_H
#define EINSPUL_CLI_LINES_H

#include "cli/options.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    MAX_LINE = 65536, /* bytes of a line before its line feed */
    LINE_PREFIX = 64  /* bytes kept of a longer one */
};

/* Zero-initialize before first use. */
struct lines {
    size_t at, end; /* range of unread bytes in the buffer */
    char bytes[MAX_LINE];
    char line[MAX_LINE + 2];
};

enum line_result {
    LINE_READ,     /* a line */
    LINE_TOO_LONG, /* the start of a line longer than MAX_LINE; the rest is skipped */
    LINE_EOF,      /* the end of the input */
    LINE_FAILED    /* see errno; the incomplete line is dropped */
};

/* Returns the next line, NUL-terminated, without LF or CRLF; *n_bytes excludes the NUL. It may
 * contain NUL bytes, and is valid until the next call. A leading byte order mark is dropped. */
enum line_result lines_next(struct lines *lines, char **line, size_t *n_bytes);

/* True if lines_next would not block: a complete line is buffered, or input has arrived or ended. */
bool lines_wait(const struct lines *lines);

/* Callback for one position text, or for the start of an overlong line (`cut`). Returns false to
 * stop. */
typedef bool position_callback(void *context, const char *text, size_t n_bytes, bool cut);

/* Calls `callback` for each argument; for "-" or without arguments, for each line of standard input
 * that is neither blank nor begins with `#`. Stops early if standard output fails. Returns an exit
 * status. */
int for_each_position(const struct options *options, position_callback *callback, void *context);

#endif
