/* Reads lines of any length and content from standard input, in bounded memory. Output is flushed
 * before waiting for input, so that a client that sends a line and waits gets its answer, and no
 * answers are lost if the program is then stopped. */
#ifndef EINSPUL_CLI_LINES_H
#define EINSPUL_CLI_LINES_H

#include "cli/options.h"

#include <stdbool.h>
#include <stddef.h>

enum {
    LINE_MOST = 65536,  /* bytes of a line before its line feed */
    LINE_BEGINNING = 64 /* bytes kept of a longer one */
};

/* To begin with, all zero. */
struct lines {
    size_t at, end; /* of the bytes that were read and are not used yet */
    char bytes[LINE_MOST];
    char line[LINE_MOST + 2];
};

enum line_result {
    LINE_READ,     /* a line */
    LINE_TOO_LONG, /* the beginning of a longer one, the rest of which is skipped */
    LINE_NO_MORE,  /* the end of the input */
    LINE_FAILED    /* see errno; the incomplete line is dropped */
};

/* The next line, ended by a zero byte instead of its line feed or CRLF, which *n_bytes does not
 * count. It may contain zero bytes, and is valid until the next call. A leading byte order mark is
 * dropped. */
enum line_result lines_next(struct lines *lines, char **line, size_t *n_bytes);

/* True if lines_next need not wait: a whole line was read already, or input has arrived or ended. */
bool lines_wait(const struct lines *lines);

/* Takes a position as it was given, or (`cut`) the beginning of a longer line; false: no more are to
 * follow. */
typedef bool position_taker(void *context, const char *text, size_t n_bytes, bool cut);

/* Gives what are the arguments of a command; for "-", and without arguments, the lines of standard
 * input that are neither blank nor begin with `#`. Ends early where nothing can be written. Returns
 * an exit status. */
int lines_positions(const struct options *options, position_taker *take, void *context);

#endif
