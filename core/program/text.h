/* Building strings and parsing numbers. Not part of the library. */
#ifndef EINSPUL_CORE_PROGRAM_TEXT_H
#define EINSPUL_CORE_PROGRAM_TEXT_H

#include "core/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Appends to a text in a buffer of `size` bytes, as printf does; truncates if it does not fit. */
PRINTF_LIKE(3, 4)
void text_append(char *text, size_t size, const char *format, ...);

/* The text after `word`, in lower case, if the text begins with it in any case; otherwise NULL. */
char *text_after(const char *text, const char *word);

/* Reads a decimal number from `min` to `max`; false for any other text. */
bool text_read_number(const char *text, uint64_t min, uint64_t max, uint64_t *number);

#endif
