/* What the program asks of the operating system beyond core/os.h and core/os_write.h: its standard
 * streams, its start. Two forms: system_posix.c and system_windows.c. */
#ifndef EINSPUL_CLI_SYSTEM_H
#define EINSPUL_CLI_SYSTEM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* Called before anything else: standard streams that can be used or fail, arguments in the
 * program's own encoding, threads that wait for work without keeping a processor from other
 * programs, room for a stack. May begin the program anew. False where the streams cannot be held or
 * there is no such room. */
bool system_begin(int *argc, char ***argv);

/* Calls a function at the first SIGTERM or SIGINT, whatever the program does then, instead of
 * ending it; the next one ends it. */
void system_on_stop(void (*handler)(int signal));

bool system_is_terminal(FILE *stream);

/* Reads what there is of standard input, waiting for it if need be: bytes read, 0 at the end, -1
 * and errno. */
int64_t system_read_input(void *bytes, size_t n_bytes);

/* fopen(path, "r"). */
FILE *system_open_text(const char *path);

/* The path as it is from any folder, and that of the program's file. False where there is no room
 * for it, or the system does not tell. */
bool system_whole_path(const char *path, char *whole, size_t size);
bool system_program_path(char *path, size_t size);

#endif
