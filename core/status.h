/* Error messages, and the classification of statuses. */
#ifndef EINSPUL_CORE_STATUS_H
#define EINSPUL_CORE_STATUS_H

#include "core/compiler.h"
#include "einspul.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

/* Fills `error` (which may be NULL) and returns `status`, so that a caller can
 * `return error_set(error, EINSPUL_IO, "%s: …", path)`. The text is truncated if it does not fit;
 * control characters become question marks. */
PRINTF_LIKE(3, 4)
einspul_status error_set(einspul_error *error, einspul_status status, const char *format, ...);

/* The end of a path, as much as fits in a message. */
static inline const char *path_tail(const char *path)
{
    const size_t length = strlen(path);
    return length > 180 ? path + length - 180 : path;
}

/* The status for the errno of a file operation: NO_SPACE or NO_MEMORY for a shortage, otherwise
 * IO. */
einspul_status status_of_errno(int reason);

/* True if a file was read and is not the requested table: damaged, or an intact table of another
 * version, rule set or material. */
static inline bool status_is_wrong_content(einspul_status status)
{
    return status >= EINSPUL_NOT_A_TABLE && status <= EINSPUL_OLD_VERSION;
}

#endif
