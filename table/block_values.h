/* Several values of a decoded block. */
#ifndef EINSPUL_TABLE_BLOCK_VALUES_H
#define EINSPUL_TABLE_BLOCK_VALUES_H

#include "table/table_block.h"

/* Copies the values of a place, by rule state. */
void block_values(const struct block *block, uint32_t place, int n_rule_states, value_t *values);

/* Copies the values of the `n` places from `place` on, if each has one. */
void block_copy_values(const struct block *block, uint32_t place, uint32_t n, value_t *values);

#endif
