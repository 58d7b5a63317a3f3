/* Whole files and folders. */
#ifndef EINSPUL_TESTS_SUPPORT_FILES_H
#define EINSPUL_TESTS_SUPPORT_FILES_H

#include <stddef.h>
#include <stdint.h>

/* read_whole: all bytes of a file with a zero after them, to be freed; write_whole: the reverse. */
uint8_t *read_whole(const char *path, size_t *n_bytes);
void write_whole(const char *path, const uint8_t *bytes, size_t n_bytes);

/* Changes one byte of a file in place. */
void write_byte(const char *path, size_t at, uint8_t byte);

/* Removes a folder with its content. */
void remove_folder(const char *path);

#endif
