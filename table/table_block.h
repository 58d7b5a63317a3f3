/* Decoding the blocks of a table. */
#ifndef EINSPUL_TABLE_TABLE_BLOCK_H
#define EINSPUL_TABLE_TABLE_BLOCK_H

#include "table/table_read.h"

/* A decoded block. If a placement has one value, `data` holds the values by placement index within
 * the block. If it has one per rule state, these form a pattern: `data` then holds each placement's
 * pattern number (below n_patterns; one or two bytes, see block_is_wide), followed by the patterns
 * themselves. */
struct block {
    uint32_t n_placements;
    bool is_partial;     /* more placements follow, which were not decoded */
    uint32_t n_patterns; /* 0: values */
    size_t n_bytes;      /* of the whole decoded block in memory */
    uint8_t data[];
};

/* Reads, checks and decodes a block; release it with free(). With a model, it ends with the row of
 * place `last`; UINT32_MAX for all of it. BAD_BLOCK and CORRUPT name file and block; IO,
 * NO_MEMORY. */
einspul_status table_decode_block(const struct table *table, uint64_t number, uint32_t last,
                                  struct block **block, einspul_error *error);

/* The second half of table_decode_block: decodes a block from its `size` bytes, without a checksum.
 * Any bytes give a block or an error. CORRUPT, NO_MEMORY. */
einspul_status table_block_from_bytes(const struct table *table, uint64_t number, uint32_t last,
                                      const uint8_t *bytes, size_t size, struct block **block,
                                      einspul_error *error);

/* True if pattern numbers have two bytes, in the machine's order. */
static inline bool block_is_wide(const struct block *block)
{
    return block->n_patterns > 256;
}

/* The offset of the patterns in `data`. */
static inline size_t block_patterns_at(uint32_t n, bool wide)
{
    return (size_t)n << wide;
}

/* The pattern number at a place within a block. */
static inline uint32_t block_pattern(const struct block *block, bool wide, uint32_t place)
{
    uint16_t number;
    if (!wide)
        return block->data[place];
    memcpy(&number, block->data + (size_t)2 * place, sizeof number);
    return number;
}

/* The values of a place within a block, by rule state. */
static inline const value_t *block_values(const struct block *block, uint32_t place,
                                          int n_rule_states)
{
    if (n_rule_states == 1)
        return block->data + place;
    const bool wide = block_is_wide(block);
    return block->data + block_patterns_at(block->n_placements, wide) +
           (size_t)block_pattern(block, wide, place) * (size_t)n_rule_states;
}

#endif
