/* Progress of a command that works for minutes, on standard error: continuously on a terminal,
 * otherwise a line a minute. */
#ifndef EINSPUL_CLI_PROGRESS_H
#define EINSPUL_CLI_PROGRESS_H

#include "core/compiler.h"

/* Reports, after `seconds` of work, that `done` of it (0 to 1) is done, of which `found` was done
 * before. The text says what is in progress. Ignored shortly after the last report. */
PRINTF_LIKE(4, 5)
void progress_show(double seconds, double done, double found, const char *format, ...);

/* Clears the line on a terminal, before other output. */
void progress_clear(void);

#endif
