/* Whole files and folders. */
#ifndef EINSPUL_TESTS_SUPPORT_FILES_H
#define EINSPUL_TESTS_SUPPORT_FILES_H

#include <stddef.h>
#include <stdint.h>

/* All bytes of a file, in memory to be freed, with a zero behind them; and the other way round. */
uint8_t *read_whole(const char *path, size_t *n_bytes);
void write_whole(const char *path, const uint8_t *bytes, size_t n_bytes);

/* Changes one byte of a file in place. */
void write_byte(const char *path, size_t at, uint8_t byte);

/* Removes a folder with all that is in it. */
void remove_folder(const char *path);

#endif
