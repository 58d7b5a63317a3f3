/* Texts put together, and numbers that people type. For the programs; the library needs none of it. */
#ifndef EINSPUL_CORE_PROGRAM_TEXT_H
#define EINSPUL_CORE_PROGRAM_TEXT_H

#include "core/compiler.h"
#include "core/fen.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Appends to a text in a buffer of `size` bytes, as printf; what does not fit is cut off. */
PRINTF_LIKE(3, 4)
void text_append(char *text, size_t size, const char *format, ...);

/* Reads a text that is a whole number from `least` to `most`, and nothing else; false for
 * others. */
bool text_read_number(const char *text, uint64_t least, uint64_t most, uint64_t *number);

#endif
