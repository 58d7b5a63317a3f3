/* Error messages and status names. A message is one line, even if it quotes text of a caller or a
 * file. */
#include "core/status.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

einspul_status error_set(einspul_error *error, einspul_status status, const char *format, ...)
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

einspul_status status_of_errno(int reason)
{
#ifdef EDQUOT
    if (reason == EDQUOT)
        return EINSPUL_NO_SPACE;
#endif
    return reason == ENOSPC ? EINSPUL_NO_SPACE : reason == ENOMEM ? EINSPUL_NO_MEMORY : EINSPUL_IO;
}

const char *einspul_status_name(einspul_status status)
{
#define NAMED(name) [EINSPUL_##name] = #name
    static const char *const status_names[] = {
        NAMED(OK),          NAMED(BAD_FEN),        NAMED(BAD_POSITION),
        NAMED(BAD_RULES),   NAMED(BAD_MATERIAL),   NAMED(BAD_ARGUMENT),
        NAMED(BAD_MOVE),    NAMED(NO_TABLE),       NAMED(NO_METRIC),
        NAMED(NOT_CACHED),  NAMED(NO_FOLDER),      NAMED(UNDECIDED),
        NAMED(IO),          NAMED(NOT_A_TABLE),    NAMED(WRONG_VERSION),
        NAMED(WRONG_RULES), NAMED(WRONG_MATERIAL), NAMED(TRUNCATED),
        NAMED(BAD_HEADER),  NAMED(BAD_BLOCK),      NAMED(CORRUPT),
        NAMED(NO_MEMORY),   NAMED(NO_SPACE),       NAMED(LOCKED),
        NAMED(TOO_LONG),    NAMED(STOPPED),        NAMED(OLD_VERSION),
    };
#undef NAMED
    const size_t number = (size_t)status;
    return number < sizeof status_names / sizeof status_names[0] && status_names[number] != NULL
               ? status_names[number]
               : "UNKNOWN";
}
