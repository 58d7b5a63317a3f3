/* The values of one placement over all its king-run states as tables keep them. */
#ifndef EINSPUL_TABLE_WRITE_PATTERN_H
#define EINSPUL_TABLE_WRITE_PATTERN_H

#include "core/value.h"

#include <stddef.h>

/* Copies a pattern of `n` values without their distances. */
void table_signs(const value_t *values, size_t n, value_t *pattern);

#endif
