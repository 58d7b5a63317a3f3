#include "cli/progress.h"

#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include "cli/print.h"
#include "cli/system.h"

static const double TERMINAL_SECONDS = 0.2;
static const double LOG_SECONDS = 60;

static bool line_open; /* the terminal line is unfinished */

void progress_show(double seconds, double done, double found, const char *format, ...)
{
    static double reported; /* in seconds */
    const bool terminal = system_is_terminal(stderr);
    char text[160];
    va_list arguments;
    if (seconds < reported) /* of other work */
        reported = 0;
    if (seconds - reported < (terminal ? TERMINAL_SECONDS : LOG_SECONDS))
        return;
    reported = seconds;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    if (!terminal) {
        fprintf(stderr, "%.0f %%, %s, %s, CPU time %s\n", 100.0 * done, text,
                seconds_text(seconds).text, seconds_text((double)clock() / CLOCKS_PER_SEC).text);
        return;
    }
    struct short_text left = {"?"};
    if (done > found)
        left = seconds_text(seconds * (1 - done) / (done - found));
    fprintf(stderr, "\r\033[K%3.0f %%  %s, about %s left", 100.0 * done, text, left.text);
    fflush(stderr);
    line_open = true;
}

void progress_clear(void)
{
    if (line_open)
        fputs("\r\033[K", stderr);
    line_open = false;
}
