/* Formats paths, and reports the ones that are too long. */
#include "gen/values/paths.h"

#include <stdarg.h>
#include <stdio.h>

einspul_status path_make(const char *root, char path[PATHS_SIZE], einspul_error *error,
                         const char *format, ...)
{
    va_list arguments;
    if (*root == '\0')
        return error_set(error, EINSPUL_BAD_ARGUMENT, "--tables: empty path");
    va_start(arguments, format);
    const int n = vsnprintf(path, PATHS_SIZE, format, arguments);
    va_end(arguments);
    if (n < 0 || n >= PATHS_SIZE)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "the path %.200s… is too long", root);
    return EINSPUL_OK;
}
