/* Numbers that people type. */
#ifndef EINSPUL_CORE_NUMBER_H
#define EINSPUL_CORE_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/* Reads a text that is a whole number from `least` to `most`, and nothing else; false for
 * others. */
bool text_number(const char *text, uint64_t least, uint64_t most, uint64_t *number);

#endif
