/* Character classes independent of the locale, and small numbers as text. */
#ifndef EINSPUL_CORE_CHARACTERS_H
#define EINSPUL_CORE_CHARACTERS_H

#include <stdbool.h>

/* `c` is a byte, or -1 at the end of the input. */
static inline bool is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* Writes 0..999 in decimal without a terminating NUL; returns the end. Used for squares, run counts
 * and clocks, where sprintf would dominate the time of writing FENs and moves. */
static inline char *number_write(char *text, int number)
{
    if (number >= 100)
        *text++ = (char)('0' + number / 100);
    if (number >= 10)
        *text++ = (char)('0' + number / 10 % 10);
    *text++ = (char)('0' + number % 10);
    return text;
}

#endif
