/* Distances are the numbers of the block's patterns, which are sorted by content, so that equal blocks
 * have equal bytes. */
#include "table/write/distance_block.h"

#include "table/bytes.h"
#include "table/write/pattern.h"

/* Sorts the patterns and puts them; returns their size. */
static size_t put_patterns(struct bytes_set *set, const struct pattern_order *work,
                           uint8_t *content)
{
    static const uint8_t no_values[MAX_RULE_STATES] = {0};
    uint32_t number = 0;
    if (set->n == 0)
        bytes_set_add(set, no_values, &number);
    patterns_sort(set, work->order, work->rank);
    store_u32(content, set->n);
    patterns_write_planes(set, work->order, content + 4);
    return 4 + set->n * set->length;
}

/* Puts the ranks of the placements' patterns; returns their size. A don't-care repeats the stored
 * placement before it; those before the first, `first`, have its pattern. Branch-free: which
 * placements are stored is unpredictable. */
static size_t put_ranks(const struct bytes_set *set, const struct table_values *block,
                        const uint32_t *number, const uint32_t *rank, uint32_t first, uint32_t n,
                        uint8_t *content)
{
    const value_t *values = block->values;
    const bool wide = set->n > 256;
    uint32_t rank_of[UINT8_MAX + 1];
    for (uint32_t i = 0; values != NULL && i < set->n; i++)
        rank_of[set->values[i]] = rank[i];
    uint32_t last = values != NULL ? values[first] : number[first];
    for (uint32_t i = 0; i < n;) {
        const uint32_t end = n - i < 64 ? n : i + 64;
        for (uint64_t bits = block->stored[i / 64]; i < end; i++, bits >>= 1) {
            last ^= (last ^ (values != NULL ? values[i] : number[i])) & (0 - (uint32_t)(bits & 1));
            const uint32_t its_rank = values != NULL ? rank_of[last] : rank[last];
            content[i] = (uint8_t)its_rank;
            if (wide)
                content[n + i] = (uint8_t)(its_rank >> 8);
        }
    }
    return wide ? 2 * (size_t)n : n;
}

size_t distance_block_write(struct bytes_set *set, const struct table_values *block,
                            const uint32_t *number, uint32_t n, const struct pattern_order *work,
                            uint8_t *content)
{
    const size_t size = put_patterns(set, work, content);
    uint32_t first = 0; /* stored placement */
    while (first < n && (block->stored[first / 64] >> (first % 64) & 1) == 0)
        first++;
    if (first < n)
        return size + put_ranks(set, block, number, work->rank, first, n, content + size);
    memset(content + size, 0, n);
    return size + n;
}
