/* Decoding the blocks of a table. */
#ifndef EINSPUL_TABLE_TABLE_BLOCK_H
#define EINSPUL_TABLE_TABLE_BLOCK_H

#include "table/bytes.h"
#include "table/table_read.h"

/* A decoded block: for each placement a number of 2^shift bits, then the patterns that the numbers
 * select: the values of a placement, one per rule state. Without distances patterns 0 to 2 are those
 * with one outcome in all rule states, loss, draw and win, so most outcomes take 2 or 4 bits and no
 * look at the patterns. With distances and one rule state numbers are values, and there are no
 * patterns. */
struct block {
    uint32_t n_placements;
    bool is_partial; /* more placements follow, which were not decoded */
    uint8_t shift;   /* 1 to 4 */
    uint32_t n_patterns;
    size_t n_bytes; /* of the whole decoded block in memory */
    uint8_t data[];
};

enum { N_EVEN_PATTERNS = 3 }; /* with one outcome */

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

/* The offset of the patterns in `data`. */
static inline size_t block_patterns_at(uint32_t n, unsigned shift)
{
    return (((size_t)n << shift) + 7) / 8;
}

/* Where the number of a place is, and that number; `shift` is the block's. */
static inline const uint8_t *block_number_at(const struct block *block, unsigned shift,
                                             uint32_t place)
{
    return block->data + ((size_t)place << shift) / 8;
}

static inline uint32_t block_number(const struct block *block, unsigned shift, uint32_t place)
{
    const uint8_t *at = block_number_at(block, shift, place);
    const unsigned bit = place << shift & 7;
    return shift == 4 ? load_u16(at) : (uint32_t)at[0] >> bit & ((1u << (1 << shift)) - 1);
}

/* The values of a place within a block, by rule state. */
static inline const value_t *block_values(const struct block *block, uint32_t place,
                                          int n_rule_states)
{
    return block->n_patterns == 0
               ? block->data + place
               : block->data + block_patterns_at(block->n_placements, block->shift) +
                     (size_t)block_number(block, block->shift, place) * (size_t)n_rule_states;
}

#endif
