/* Reads into a fixed buffer one byte longer than the longest line and skips the excess, so that
 * input cannot exhaust memory. */
#include "cli/lines.h"

#include <errno.h>
#include <string.h>

#include "cli/print.h"
#include "cli/system.h"

static const char byte_order_mark[] = "\xef\xbb\xbf";

/* Returns the line without its line end and byte order mark. */
static enum line_result finish_line(char *text, size_t length, char **line, size_t *n_bytes)
{
    const bool too_long = length > MAX_LINE;
    if (too_long)
        length = LINE_PREFIX;
    while (length > 0 && text[length - 1] == '\r')
        length--;
    text[length] = '\0';
    const size_t n_mark =
        strncmp(text, byte_order_mark, strlen(byte_order_mark)) == 0 ? strlen(byte_order_mark) : 0;
    *line = text + n_mark;
    *n_bytes = length - n_mark;
    return too_long ? LINE_TOO_LONG : LINE_READ;
}

enum line_result lines_next(struct lines *lines, char **line, size_t *n_bytes)
{
    size_t length = 0;
    for (bool begun = false;; begun = true) {
        if (lines->at == lines->end) {
            output_flush();
            const int64_t n = system_read_input(lines->bytes, sizeof lines->bytes);
            lines->at = 0;
            lines->end = n > 0 ? (size_t)n : 0;
            if (n < 0)
                return LINE_FAILED;
            if (n == 0)
                return begun ? finish_line(lines->line, length, line, n_bytes) : LINE_EOF;
        }
        const char *from = lines->bytes + lines->at;
        const size_t n_left = lines->end - lines->at;
        const char *feed = memchr(from, '\n', n_left);
        const size_t n = feed != NULL ? (size_t)(feed - from) : n_left;
        const size_t room = MAX_LINE + 1 - length;
        memcpy(lines->line + length, from, n < room ? n : room);
        length += n < room ? n : room;
        lines->at += n + (feed != NULL);
        if (feed != NULL)
            return finish_line(lines->line, length, line, n_bytes);
    }
}

bool lines_wait(const struct lines *lines)
{
    return memchr(lines->bytes + lines->at, '\n', lines->end - lines->at) != NULL ||
           system_input_waits();
}

/* Passes on the lines of standard input; `*continues` becomes false when the callback stops. */
static int read_stream(const struct options *options, position_callback *callback, void *context,
                       bool *continues)
{
    static struct lines lines; /* static: too large for the stack */
    enum line_result result = LINE_READ;
    while (*continues && result != LINE_EOF && output_ok()) {
        char *line = NULL;
        size_t n_bytes = 0;
        result = lines_next(&lines, &line, &n_bytes);
        if (result == LINE_FAILED && errno != EINTR)
            command_message(options, "cannot read standard input: %s", strerror(errno));
        if (result == LINE_FAILED)
            return EXIT_FAILED;
        if (result == LINE_TOO_LONG ||
            (result == LINE_READ && strspn(line, " \t") < n_bytes && *line != '#'))
            *continues = callback(context, line, n_bytes, result == LINE_TOO_LONG);
    }
    return EXIT_OK;
}

int for_each_position(const struct options *options, position_callback *callback, void *context)
{
    bool continues = true;
    int status = EXIT_OK;
    if (options->n_arguments == 0)
        return read_stream(options, callback, context, &continues);
    for (int i = 0; i < options->n_arguments && continues && output_ok(); i++) {
        const char *text = options->arguments[i];
        if (strcmp(text, "-") != 0)
            continues = callback(context, text, strlen(text), false);
        else if (read_stream(options, callback, context, &continues) != EXIT_OK)
            status = EXIT_FAILED;
    }
    return status;
}
