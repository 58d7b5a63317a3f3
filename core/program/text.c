/* A number is read by the C library; what that lets pass is refused. */
#include "core/program/text.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_append(char *text, size_t size, const char *format, ...)
{
    const size_t length = strlen(text);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text + length, size - length, format, arguments);
    va_end(arguments);
}

bool text_read_number(const char *text, uint64_t least, uint64_t most, uint64_t *number)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    const bool fits =
        is_digit(text[0]) && *end == '\0' && errno == 0 && value >= least && value <= most;
    if (fits)
        *number = value;
    return fits;
}
