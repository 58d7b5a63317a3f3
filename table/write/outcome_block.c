/* Outcomes are two bits for each placement; if they depend on the rule state, the number of a
 * pattern besides. A don't-care repeats the outcome before it, which compresses best and keeps
 * patterns for the placements that need them. Frequent patterns come first: a probe then finds them
 * near each other. */
#include "table/write/outcome_block.h"

#include "core/bits.h"
#include "table/table_block.h"

#include <stdlib.h>

static int compare_keys(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

/* Sorts the patterns: the most frequent first, those of equal frequency by content. */
static void sort_by_frequency(const struct bytes_set *set, const struct table_values *block,
                              const uint32_t *number, uint32_t n, const struct pattern_order *work)
{
    patterns_sort(set, work->order, work->rank);
    for (uint32_t i = 0; i < set->n; i++)
        work->keys[i] = (uint64_t)UINT32_MAX << 32 | i;
    for (uint32_t first = 0; first < n; first += 64)
        for (uint64_t left = block->stored[first / 64]; left != 0; left &= left - 1)
            work->keys[work->rank[number[first + (uint32_t)bits_first(left)]]] -= (uint64_t)1 << 32;
    qsort(work->keys, set->n, sizeof *work->keys, compare_keys);
    for (uint32_t i = 0; i < set->n; i++)
        work->rank[i] = work->order[work->keys[i] & UINT32_MAX];
    memcpy(work->order, work->rank, set->n * sizeof *work->order);
}

/* Sets the rank of each pattern to its code or, from UNEVEN on, to its place among the uneven ones,
 * which alone stay in the order; returns how many these are. */
static uint32_t rank_uneven(const struct bytes_set *set, const struct pattern_order *work)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < set->n; i++) {
        const uint32_t number = work->order[i];
        const uint8_t *values = set->values + number * set->length;
        if (memcmp(values, values + 1, set->length - 1) == 0) {
            work->rank[number] = value_code(values[0]);
        } else {
            work->rank[number] = UNEVEN + n;
            work->order[n++] = number;
        }
    }
    return n;
}

/* The code of a stored placement, or from UNEVEN on the rank of its pattern. */
static inline uint32_t rank_of(const struct table_values *block, const uint32_t *number,
                               const uint32_t *rank, uint32_t place)
{
    return block->values != NULL ? block->values[place] / VALUE_DRAW : rank[number[place]];
}

/* The code of the first stored placement that is even. */
static uint32_t first_code(const struct table_values *block, const uint32_t *number,
                           const uint32_t *rank, uint32_t n)
{
    for (uint32_t first = 0; first < n; first += 64) {
        for (uint64_t left = block->stored[first / 64]; left != 0; left &= left - 1) {
            const uint32_t code = rank_of(block, number, rank, first + (uint32_t)bits_first(left));
            if (code < UNEVEN)
                return code;
        }
    }
    return CODE_LOSS;
}

/* Puts the codes of `n` placements, four to a byte, and from `numbers` on those of the patterns of
 * uneven placements; returns the end. A don't-care repeats the last code that is even. Branch-free:
 * which placements are stored is unpredictable. */
static uint8_t *put_placements(const struct table_values *block, const uint32_t *number,
                               const uint32_t *rank, uint32_t n, bool is_wide, uint8_t *codes,
                               uint8_t *numbers)
{
    uint32_t last = first_code(block, number, rank, n);
    memset(codes, 0, code_bytes(n));
    for (uint32_t i = 0; i < n;) {
        const uint32_t end = n - i < 64 ? n : i + 64;
        for (uint64_t bits = block->stored[i / 64]; i < end; i++, bits >>= 1) {
            const uint32_t stored = 0 - (uint32_t)(bits & 1);
            const uint32_t own =
                block->values != NULL ? block->values[i] / VALUE_DRAW : rank[number[i] & stored];
            const uint32_t uneven = 0 - (uint32_t)(own >= UNEVEN);
            last ^= (last ^ own) & stored & ~uneven;
            const uint32_t code = last | (uneven & stored & UNEVEN);
            code_put(codes, i, code);
            if (block->values == NULL) {
                store_u16(numbers, (uint16_t)(own - UNEVEN));
                numbers += (stored & uneven & 1) << is_wide;
            }
        }
    }
    return numbers;
}

/* Puts the outcomes of a pattern by rule state. */
static void put_pattern(const uint8_t *values, uint32_t length, uint8_t *to)
{
    memset(to, 0, code_bytes(length));
    for (uint32_t v = 0; v < length; v++)
        code_put(to, v, value_code(values[v]));
}

size_t outcome_block_write(const struct bytes_set *set, const struct table_values *block,
                           const uint32_t *number, uint32_t n, const struct pattern_order *work,
                           uint8_t *content)
{
    const uint32_t length = (uint32_t)set->length;
    uint8_t *at = content + code_bytes(n);
    if (length == 1) {
        put_placements(block, number, work->rank, n, false, content, at);
        return code_bytes(n);
    }
    work->rank[0] = CODE_LOSS; /* if there are no patterns */
    sort_by_frequency(set, block, number, n, work);
    const uint32_t n_uneven = rank_uneven(set, work);
    store_u16(at, (uint16_t)n_uneven);
    at += 2;
    for (uint32_t i = 0; i < n_uneven; i++, at += code_bytes(length))
        put_pattern(set->values + work->order[i] * set->length, length, at);
    at = put_placements(block, number, work->rank, n, n_uneven > 256, content, at);
    return (size_t)(at - content);
}
