/* Error messages and status names. A message is one line, even if it quotes text of a caller or a
 * file. */
#include "core/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

enum status error_set(struct error *error, enum status status, const char *format, ...)
{
    if (error != NULL) {
        va_list arguments;
        error->status = status;
        va_start(arguments, format);
        vsnprintf(error->text, sizeof error->text, format, arguments);
        va_end(arguments);
        for (char *at = error->text; *at != '\0'; at++)
            if ((unsigned char)*at < ' ' || *at == 0x7f)
                *at = '?'; /* quoted text may have them; the message stays one line */
    }
    return status;
}

enum status status_of_errno(int reason)
{
#ifdef EDQUOT
    if (reason == EDQUOT)
        return STATUS_NO_SPACE;
#endif
    return reason == ENOSPC ? STATUS_NO_SPACE : reason == ENOMEM ? STATUS_NO_MEMORY : STATUS_IO;
}

const char *status_name(enum status status)
{
    switch (status) {
    case STATUS_OK:
        return "OK";
    case STATUS_BAD_FEN:
        return "BAD_FEN";
    case STATUS_BAD_POSITION:
        return "BAD_POSITION";
    case STATUS_BAD_RULES:
        return "BAD_RULES";
    case STATUS_BAD_MATERIAL:
        return "BAD_MATERIAL";
    case STATUS_BAD_ARGUMENT:
        return "BAD_ARGUMENT";
    case STATUS_BAD_MOVE:
        return "BAD_MOVE";
    case STATUS_NO_TABLE:
        return "NO_TABLE";
    case STATUS_NO_METRIC:
        return "NO_METRIC";
    case STATUS_NOT_CACHED:
        return "NOT_CACHED";
    case STATUS_NO_FOLDER:
        return "NO_FOLDER";
    case STATUS_ONLY_BOUNDS:
        return "ONLY_BOUNDS";
    case STATUS_IO:
        return "IO";
    case STATUS_NOT_A_TABLE:
        return "NOT_A_TABLE";
    case STATUS_WRONG_VERSION:
        return "WRONG_VERSION";
    case STATUS_WRONG_RULES:
        return "WRONG_RULES";
    case STATUS_WRONG_MATERIAL:
        return "WRONG_MATERIAL";
    case STATUS_TRUNCATED:
        return "TRUNCATED";
    case STATUS_BAD_HEADER:
        return "BAD_HEADER";
    case STATUS_BAD_BLOCK:
        return "BAD_BLOCK";
    case STATUS_CORRUPT:
        return "CORRUPT";
    case STATUS_NO_MEMORY:
        return "NO_MEMORY";
    case STATUS_NO_SPACE:
        return "NO_SPACE";
    case STATUS_LOCKED:
        return "LOCKED";
    case STATUS_TOO_LONG:
        return "TOO_LONG";
    case STATUS_TOO_COMPLEX:
        return "TOO_COMPLEX";
    case STATUS_STOPPED:
        return "STOPPED";
    }
    return "UNKNOWN";
}
