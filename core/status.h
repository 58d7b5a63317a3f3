/* Statuses and error messages.
 *
 * The numbers are fixed: the public header repeats them, and programs may store them. They are
 * grouped by what the caller can do about them: bad input (10..), something is missing (20..), a
 * file is damaged or wrong (30..), resources or a bound on work are exhausted (40..). */
#ifndef EINSPUL_CORE_STATUS_H
#define EINSPUL_CORE_STATUS_H

#include "core/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

enum status {
    STATUS_OK = 0,
    STATUS_BAD_FEN = 10,
    STATUS_BAD_POSITION = 11,
    STATUS_BAD_RULES = 12,
    STATUS_BAD_MATERIAL = 13,
    STATUS_BAD_ARGUMENT = 14,
    STATUS_BAD_MOVE = 15,
    STATUS_NO_TABLE = 20,
    STATUS_NO_METRIC = 21,
    STATUS_NOT_CACHED = 22,
    STATUS_NO_FOLDER = 23,
    STATUS_ONLY_BOUNDS = 24,
    STATUS_IO = 30,
    STATUS_NOT_A_TABLE = 31,
    STATUS_WRONG_VERSION = 32,
    STATUS_WRONG_RULES = 33,
    STATUS_WRONG_MATERIAL = 34,
    STATUS_TRUNCATED = 35,
    STATUS_BAD_HEADER = 36,
    STATUS_BAD_BLOCK = 37,
    STATUS_CORRUPT = 38,
    STATUS_NO_MEMORY = 40,
    STATUS_NO_SPACE = 41,
    STATUS_LOCKED = 42,
    STATUS_TOO_LONG = 43,
    STATUS_TOO_COMPLEX = 44,
    STATUS_STOPPED = 45 /* generation was asked to stop */
};

enum { ERROR_TEXT_SIZE = 320 };

/* A status and one line that names the thing: the file, the block, the square, the material. */
struct error {
    enum status status;
    char text[ERROR_TEXT_SIZE];
};

/* Fills `error` (which may be NULL) and returns `status`, so that a caller can
 * `return error_set(error, STATUS_IO, "%s: …", path)`. The text is truncated if it does not fit;
 * control characters become question marks. */
PRINTF_LIKE(3, 4)
enum status error_set(struct error *error, enum status status, const char *format, ...);

/* The end of a path, as much as fits in a message. */
static inline const char *path_text(const char *path)
{
    const size_t length = strlen(path);
    return length > 180 ? path + length - 180 : path;
}

/* The status for the errno of a file operation: NO_SPACE or NO_MEMORY for a shortage, otherwise
 * IO. */
enum status status_of_errno(int reason);

/* Whether a file was read and is not a whole table. Every other status leaves that open: the file
 * could not be read, or is an intact table of another version, rule set or material. */
static inline bool status_is_damage(enum status status)
{
    return status == STATUS_NOT_A_TABLE || (status >= STATUS_TRUNCATED && status <= STATUS_CORRUPT);
}

/* Whether a file was read and is not the table that was asked for: damaged, or an intact table of
 * another version, rule set or material. */
static inline bool status_is_content(enum status status)
{
    return status >= STATUS_NOT_A_TABLE && status <= STATUS_CORRUPT;
}

/* The name of a status, as "BAD_FEN"; never NULL. */
const char *status_name(enum status status);

#endif
