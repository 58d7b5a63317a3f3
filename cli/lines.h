/* Lines of standard input, of any size and content, in bounded memory. */
#ifndef EINSPUL_CLI_LINES_H
#define EINSPUL_CLI_LINES_H

#include <stdbool.h>
#include <stddef.h>

enum {
    LINE_MOST = 65536,  /* bytes of a line before its line feed */
    LINE_BEGINNING = 64 /* bytes kept of a longer one */
};

struct lines {
    void (*before)(void); /* called before the input is waited for; NULL: nothing */
    bool ended;           /* no more can be read */
    bool too_long;        /* within a line that is passed over */
    size_t begin;         /* of what is not used yet */
    size_t scanned;       /* from `begin` on, without a line end */
    size_t end;           /* of what was read */
    char room[2 * LINE_MOST + 8];
};

enum line_result {
    LINE_READ,     /* a line */
    LINE_TOO_LONG, /* the beginning of a longer one, the rest of which is passed over */
    LINE_NO_MORE,  /* the end of the input */
    LINE_FAILED    /* errno says why; what stood before in the same line is not given out */
};

void lines_begin(struct lines *lines, void (*before)(void));

/* The next line, ended by a zero byte in place of its line feed, or carriage return and line feed;
 * *n_bytes does not count them. It may hold zero bytes, and stays until the next call. A byte order
 * mark at its beginning is left out. */
enum line_result lines_next(struct lines *lines, char **line, size_t *n_bytes);

#endif
