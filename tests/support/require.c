#include "tests/support/require.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void must_not_be(const char *file, int line, const char *format, ...)
{
    va_list arguments;
    fprintf(stderr, "%s:%d: ", file, line);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    abort();
}
