/* Reads into a buffer of two lines' room and gives lines out in place. Bytes move to the front only
 * when less than half of the buffer is left behind them, and each byte is looked at once for a line
 * end, so the time is linear however the input arrives. A line that does not fit is given out once,
 * by its beginning, and then passed over: memory that depended on the input could run out. */
#include "cli/lines.h"

#include <string.h>

#include "cli/print.h"
#include "cli/system.h"

static const char byte_order_mark[] = "\xef\xbb\xbf";

/* Adds bytes to the buffer, which has room; false after an error. */
static bool fill(struct lines *lines)
{
    output_flush();
    const int64_t n =
        system_read_input(lines->room + lines->end, sizeof lines->room - 1 - lines->end);
    lines->ended = n <= 0;
    if (n > 0)
        lines->end += (size_t)n;
    return n >= 0;
}

/* Moves what is left to the front where a line may not fit behind it. */
static void make_room(struct lines *lines)
{
    if (lines->begin <= LINE_MOST)
        return;
    memmove(lines->room, lines->room + lines->begin, lines->end - lines->begin);
    lines->end -= lines->begin;
    lines->begin = 0;
}

/* Gives out `length` bytes from `begin` on, without their line end, and passes over `n_used`. */
static void give(struct lines *lines, size_t length, size_t n_used, char **line, size_t *n_bytes)
{
    char *text = lines->room + lines->begin;
    while (length > 0 && text[length - 1] == '\r')
        length--;
    text[length] = '\0';
    lines->begin += n_used;
    lines->scanned = 0;
    if (strncmp(text, byte_order_mark, strlen(byte_order_mark)) == 0) {
        text += strlen(byte_order_mark);
        length -= strlen(byte_order_mark);
    }
    *line = text;
    *n_bytes = length;
}

enum line_result lines_next(struct lines *lines, char **line, size_t *n_bytes)
{
    for (;;) {
        const char *text = lines->room + lines->begin;
        const size_t n_left = lines->end - lines->begin;
        const char *feed = memchr(text + lines->scanned, '\n', n_left - lines->scanned);
        const size_t length = feed != NULL ? (size_t)(feed - text) : n_left;
        const size_t n_used = length + (feed != NULL);

        if (lines->too_long) {
            lines->too_long = feed == NULL;
            lines->begin += n_used;
            lines->scanned = 0;
            if (feed != NULL)
                continue;
        } else if (length > LINE_MOST) {
            lines->too_long = feed == NULL;
            give(lines, LINE_BEGINNING, n_used, line, n_bytes);
            return LINE_TOO_LONG;
        } else if (feed != NULL || (lines->ended && n_left > 0)) {
            give(lines, length, n_used, line, n_bytes);
            return LINE_READ;
        }
        if (lines->ended)
            return LINE_NO_MORE;
        lines->scanned = lines->end - lines->begin;
        make_room(lines);
        if (!fill(lines)) {
            lines->begin = lines->end = lines->scanned = 0;
            return LINE_FAILED;
        }
    }
}
