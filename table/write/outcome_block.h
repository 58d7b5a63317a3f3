/* The content of a block of outcomes (docs/format.md, dictionary mode 3). */
#ifndef EINSPUL_TABLE_WRITE_OUTCOME_BLOCK_H
#define EINSPUL_TABLE_WRITE_OUTCOME_BLOCK_H

#include "table/write/pattern.h"
#include "table/write/table_write.h"

/* Writes the content for `n` placements; returns its size. Their patterns are those of `set`, by
 * their numbers or, if there is one rule state, their values. `content` has space for two bytes
 * more. */
size_t outcome_block_write(const struct bytes_set *set, const struct table_values *block,
                           const uint32_t *number, uint32_t n, const struct pattern_order *work,
                           uint8_t *content);

#endif
