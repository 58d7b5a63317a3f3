/* Decoding the blocks of a table. */
#ifndef EINSPUL_TABLE_TABLE_BLOCK_H
#define EINSPUL_TABLE_TABLE_BLOCK_H

#include "core/bits.h"
#include "table/bytes.h"
#include "table/table_read.h"

/* A decoded block.
 *
 * Outcomes: the content of a block of dictionary mode 3 (docs/format.md), preceded, if there are
 * several rule states, by the numbers of uneven placements before each COUNTED ones, in two bytes.
 * Distances: the number of its pattern for each placement, then the patterns, as values by rule
 * state; with one rule state numbers are values, and there are no patterns. */
struct block {
    uint32_t n_placements;
    bool is_partial; /* more placements follow, which were not decoded */
    bool is_outcome;
    bool is_wide;   /* numbers of patterns have two bytes */
    size_t n_bytes; /* of the whole decoded block in memory */
    uint8_t data[];
};

/* Codes have two bits. In a pattern UNEVEN is a rule state without a value. */
enum { CODE_LOSS, CODE_DRAW, CODE_WIN, UNEVEN, COUNTED = 64 };

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

static inline unsigned value_code(value_t value)
{
    return value == VALUE_NONE ? (unsigned)UNEVEN : (unsigned)value / VALUE_DRAW;
}

static inline value_t code_value(unsigned code)
{
    return (value_t)(code == UNEVEN ? VALUE_NONE : code * VALUE_DRAW);
}

static inline unsigned code_at(const uint8_t *codes, uint32_t i)
{
    return (unsigned)codes[i / 4] >> 2 * (i % 4) & 3u;
}

/* Puts a code where the bits are 0. */
static inline void code_put(uint8_t *codes, uint32_t i, unsigned code)
{
    codes[i / 4] |= (uint8_t)(code << 2 * (i % 4));
}

/* A bit for each uneven one of 32 codes. */
static inline uint64_t uneven_codes(uint64_t codes)
{
    return codes & codes >> 1 & 0x5555555555555555u;
}

static inline size_t code_bytes(uint32_t n)
{
    return ((size_t)n + 3) / 4;
}

/* The codes of a block of `n` placements, and the patterns after them, preceded by their number. */
static inline const uint8_t *block_codes(const struct block *block, uint32_t n, int n_rule_states)
{
    return block->data + (n_rule_states == 1 ? 0 : ((size_t)n + COUNTED - 1) / COUNTED * 2);
}

static inline const uint8_t *block_patterns(const uint8_t *codes, uint32_t n)
{
    return codes + code_bytes(n) + 2;
}

/* The pattern of an uneven placement in a block of `n` placements. */
static inline const uint8_t *block_uneven_pattern(const struct block *block, uint32_t n,
                                                  bool is_wide, uint32_t place, int n_rule_states)
{
    const size_t size = code_bytes((uint32_t)n_rule_states);
    const uint8_t *codes = block_codes(block, n, n_rule_states);
    const uint8_t *patterns = block_patterns(codes, n);
    const uint8_t *numbers = patterns + load_u16(patterns - 2) * size;
    const uint8_t *counted = codes + place / COUNTED * (COUNTED / 4);
    const bool second = place % COUNTED >= 32;
    const uint64_t before = second ? uneven_codes(load_u64(counted)) << 1 : 0;
    const uint64_t own =
        uneven_codes(load_u64(counted + 8 * second)) & (((uint64_t)1 << 2 * (place % 32)) - 1);
    const size_t i = load_u16(block->data + place / COUNTED * 2) + (size_t)bits_count(before | own);
    return patterns + size * (is_wide ? load_u16(numbers + 2 * i) : numbers[i]);
}

/* The number of a placement's pattern in a block of distances. */
static inline size_t block_number(const struct block *block, bool is_wide, uint32_t place)
{
    return is_wide ? load_u16(block->data + 2 * (size_t)place) : block->data[place];
}

/* A value in a block whose `n_placements` is `n`. Its header is not read: it is elsewhere in
 * memory. */
static inline value_t block_read(const struct block *block, uint32_t n, bool is_outcome,
                                 bool is_wide, uint32_t place, int n_rule_states,
                                 uint32_t rule_state)
{
    if (is_outcome) {
        unsigned code = code_at(block_codes(block, n, n_rule_states), place);
        if (code == UNEVEN)
            code =
                code_at(block_uneven_pattern(block, n, is_wide, place, n_rule_states), rule_state);
        return code_value(code);
    }
    const size_t number = block_number(block, is_wide, place);
    return n_rule_states == 1
               ? (value_t)number
               : block->data[((size_t)n << is_wide) + number * (size_t)n_rule_states + rule_state];
}

/* The value of a place in a rule state. */
static inline value_t block_value(const struct block *block, uint32_t place, int n_rule_states,
                                  uint32_t rule_state)
{
    return block_read(block, block->n_placements, block->is_outcome, block->is_wide, place,
                      n_rule_states, rule_state);
}

#endif
