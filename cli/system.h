/* Operating system services beyond core/os.h and core/program/os_write.h: standard
 * streams and start-up. Implemented in system_posix.c and system_windows.c. */
#ifndef EINSPUL_CLI_SYSTEM_H
#define EINSPUL_CLI_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Call first. Ensures that the standard streams are valid descriptors, arguments are UTF-8, idle
 * threads do not spin, and the stack is large enough and backed by memory. May re-execute the
 * program. False on failure. */
bool system_begin(int *argc, char ***argv);

/* Installs a handler for SIGTERM and SIGINT; a second SIGINT kills the program. */
void system_on_stop(void (*handler)(int signal));

bool system_is_terminal(FILE *stream);

/* Reads available bytes of standard input, and waits if there are none: bytes read, 0 at the end,
 * -1 and errno, which is EINTR after a stop (system_on_stop). */
int64_t system_read_input(void *bytes, size_t n_bytes);

/* True if system_read_input would not wait. On Windows only known of pipes; else false. */
bool system_input_waits(void);

/* fopen(path, "r"). */
FILE *system_open_text(const char *path);

/* The path of the program's file. False if the buffer is too small or it cannot be determined. */
bool system_program_path(char *path, size_t size);

#endif
