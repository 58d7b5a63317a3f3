/* Several values at once: a placement's pattern is looked up once. */
#include "table/block_values.h"

void block_values(const struct block *block, uint32_t place, int n_rule_states, value_t *values)
{
    const uint32_t n = block->n_placements;
    const uint32_t length = (uint32_t)n_rule_states;
    if (length > 1 && !block->is_outcome) {
        const size_t at = block_number(block, block->is_wide, place) * length;
        memcpy(values, block->data + ((size_t)n << block->is_wide) + at, length);
    } else if (length > 1 && code_at(block_codes(block, n, n_rule_states), place) == UNEVEN) {
        const uint8_t *pattern =
            block_uneven_pattern(block, n, block->is_wide, place, n_rule_states);
        for (uint32_t v = 0; v < length; v++)
            values[v] = code_value(code_at(pattern, v));
    } else {
        const value_t value = block_value(block, place, n_rule_states, 0);
        for (uint32_t v = 0; v < length; v++)
            values[v] = value;
    }
}

void block_copy_values(const struct block *block, uint32_t place, uint32_t n, value_t *values)
{
    if (!block->is_outcome) {
        memcpy(values, block->data + place, n);
        return;
    }
    const uint8_t *codes = block_codes(block, block->n_placements, 1);
    for (uint32_t i = 0; i < n; i++)
        values[i] = code_value(code_at(codes, place + i));
}
