/* Numbers are parsed by strtoull; the leading space and sign that it accepts are rejected. */
#include "core/program/text.h"
#include "core/characters.h"

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

char *text_after(const char *text, const char *word)
{
    for (; *word != '\0'; word++, text++)
        if (*word != (*text >= 'A' && *text <= 'Z' ? *text - 'A' + 'a' : *text))
            return NULL;
    return (char *)text;
}

bool text_read_number(const char *text, uint64_t min, uint64_t max, uint64_t *number)
{
    char *end = NULL;
    errno = 0;
    const unsigned long long value = strtoull(text, &end, 10);
    const bool fits =
        is_digit(text[0]) && *end == '\0' && errno == 0 && value >= min && value <= max;
    if (fits)
        *number = value;
    return fits;
}
