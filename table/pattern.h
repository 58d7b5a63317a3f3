/* The values of one placement over all its king-run states as tables keep them. */
#ifndef EINSPUL_TABLE_PATTERN_H
#define EINSPUL_TABLE_PATTERN_H

#include "core/value.h"

/* Converts a pattern of `n` values of `from_bytes` bytes each, in the machine's order, to the
 * file's form with `to_bytes` bytes per value, in which all values must fit. */
void table_pattern(const void *values, int from_bytes, size_t n, int to_bytes, uint8_t *pattern);

/* The same without distances, a byte per value. */
void table_signs(const void *values, int from_bytes, size_t n, uint8_t *pattern);

#endif
