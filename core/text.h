/* Characters and numbers in text, whatever the locale of the calling program. */
#ifndef EINSPUL_CORE_TEXT_H
#define EINSPUL_CORE_TEXT_H

#include "core/compiler.h"

#include <stdbool.h>
#include <stddef.h>

/* Appends to a text in a buffer of `size` bytes, as printf; what does not fit is cut off. */
PRINTF_LIKE(3, 4)
void text_append(char *text, size_t size, const char *format, ...);

/* Of a byte, or -1 for the end of the input. */
static inline bool is_space(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static inline bool is_digit(int c)
{
    return c >= '0' && c <= '9';
}

/* Writes 0..999 in decimal, without an end byte; returns a pointer to the position after it. For
 * squares, run counts and clocks: sprintf would take most of the time of programs that write many
 * FENs and move texts per second. */
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
