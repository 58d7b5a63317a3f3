/* The size of a table as plain zstd would make it: what compression is measured against. */
#include "bench/baseline.h"

#include "core/pattern_set.h"
#include "table/walk.h"

#include <stdlib.h>
#include <zstd.h>

enum { LEVEL = 19, MOST_PATTERNS = 1 << 24 };

static const uint32_t not_stored = UINT32_MAX;

struct numbers {
    uint64_t n; /* placements of all sides */
    uint32_t *number;
    struct pattern_set set;
    uint64_t *count;        /* by pattern */
    uint32_t *order, *rank; /* by pattern, room for them */
    uint32_t *known;        /* by pattern of the block at hand: its number, or not_stored */
};

static void numbers_free(struct numbers *numbers)
{
    free(numbers->number);
    free(numbers->count);
    free(numbers->order);
    free(numbers->rank);
    free(numbers->known);
    pattern_set_free(&numbers->set);
}

static bool numbers_init(struct numbers *numbers, const struct table *table)
{
    const struct shape *shape = table_shape(table);
    const uint64_t n_stored =
        table_header(table)->n_stored[WHITE] + table_header(table)->n_stored[BLACK];
    const uint32_t n_patterns = n_stored < MOST_PATTERNS ? (uint32_t)n_stored + 1 : MOST_PATTERNS;
    *numbers = (struct numbers){.n = (uint64_t)shape->n_sides * shape->n_placements};
    numbers->number = malloc(numbers->n * sizeof *numbers->number);
    numbers->count = calloc(n_patterns, sizeof *numbers->count);
    numbers->order = malloc(n_patterns * sizeof *numbers->order);
    numbers->rank = malloc(n_patterns * sizeof *numbers->rank);
    numbers->known = malloc(65536 * sizeof *numbers->known);
    return numbers->number != NULL && numbers->count != NULL && numbers->order != NULL &&
           numbers->rank != NULL && numbers->known != NULL &&
           pattern_set_init(&numbers->set, (size_t)shape->n_run_states, 256, n_patterns) ==
               EINSPUL_OK;
}

/* Numbers the stored placements of a block in the order of appearance. False when there are too
 * many patterns. */
static bool number_block(struct numbers *numbers, const struct walk_plan *plan, uint64_t first,
                         const struct block *block, uint32_t *number)
{
    const bool wide = block_is_wide(block);
    struct walk walk;
    for (uint32_t i = 0; i < block->n_placements; i++)
        number[i] = not_stored;
    for (uint32_t i = 0; i < block->n_patterns; i++)
        numbers->known[i] = not_stored;
    walk_begin(&walk, plan, first, block->n_placements);
    while (walk_row(&walk)) {
        for (squares_t left = walk.quiet; left != 0; left &= left - 1) {
            const uint32_t place = walk.place + (uint32_t)(squares_first(left) - walk.first);
            const uint32_t pattern = block_pattern(block, wide, place);
            uint32_t *known = &numbers->known[pattern];
            if (*known == not_stored &&
                pattern_set_add(&numbers->set, block->patterns + pattern * numbers->set.length,
                                known) != EINSPUL_OK)
                return false;
            number[place] = *known;
            numbers->count[*known]++;
        }
    }
    return true;
}

static einspul_status number_all(struct numbers *numbers, const struct table *table,
                                 const struct rules *rules, einspul_error *error)
{
    const uint64_t per_side = table_blocks_per_side(table);
    uint32_t *number = numbers->number;
    struct walk_plan plans[2];
    for (int side = 0; side < 2; side++)
        walk_plan_init(&plans[side], rules, table_shape(table), (enum side)side);
    for (uint64_t i = 0; i < table_header(table)->n_blocks; i++) {
        struct block *block = NULL;
        const einspul_status status = table_decode_block(table, i, &block, error);
        if (status != EINSPUL_OK)
            return status;
        const bool numbered =
            number_block(numbers, &plans[i / per_side],
                         i % per_side * table_header(table)->block_placements, block, number);
        number += block->n_placements;
        free(block);
        if (!numbered)
            return error_set(error, EINSPUL_TOO_LONG, "%.200s: too many patterns",
                             table_path(table));
    }
    return EINSPUL_OK;
}

/* Orders the patterns, those met equally often by which was met first, and gives placements that
 * are not stored the number before them. */
static void order_numbers(struct numbers *numbers)
{
    uint32_t last = 0;
    for (uint32_t i = 0; i < numbers->set.n; i++)
        numbers->count[i] = numbers->count[i] * MOST_PATTERNS + (MOST_PATTERNS - 1 - i);
    pattern_set_order(&numbers->set, numbers->count, numbers->order, numbers->rank);
    for (uint64_t i = 0; i < numbers->n; i++) {
        if (numbers->number[i] != not_stored)
            last = numbers->rank[numbers->number[i]];
        numbers->number[i] = last;
    }
}

/* The frame's size with byte `b` of placement i at  i * step[0] + b * step[1];  0: no memory. */
static uint64_t frame_bytes(const struct numbers *numbers, unsigned width, const uint64_t step[2])
{
    const size_t n = (size_t)numbers->n * width;
    const size_t bound = ZSTD_compressBound(n);
    uint8_t *bytes = malloc(n);
    uint8_t *frame = malloc(bound);
    size_t size = 0;
    if (bytes != NULL && frame != NULL) {
        for (uint64_t i = 0; i < numbers->n; i++)
            for (unsigned b = 0; b < width; b++)
                bytes[i * step[0] + b * step[1]] = (uint8_t)(numbers->number[i] >> 8 * b);
        size = ZSTD_compress(frame, bound, bytes, n, LEVEL);
    }
    free(bytes);
    free(frame);
    return ZSTD_isError(size) ? 0 : size;
}

einspul_status baseline_bytes(const struct table *table, const struct rules *rules,
                              uint64_t *n_bytes, einspul_error *error)
{
    struct numbers numbers;
    einspul_status status = EINSPUL_OK;

    *n_bytes = 0;
    if (numbers_init(&numbers, table)) {
        status = number_all(&numbers, table, rules, error);
        if (status == EINSPUL_OK) {
            order_numbers(&numbers);
            const unsigned width = numbers.set.n > 65536 ? 3 : numbers.set.n > 256 ? 2 : 1;
            const uint64_t interleaved[2] = {width, 1};
            const uint64_t planes[2] = {1, numbers.n};
            *n_bytes = frame_bytes(&numbers, width, interleaved);
            const uint64_t other = width > 1 ? frame_bytes(&numbers, width, planes) : *n_bytes;
            *n_bytes = other < *n_bytes ? other : *n_bytes;
        }
    }
    numbers_free(&numbers);
    if (status == EINSPUL_OK && *n_bytes == 0)
        status = error_set(error, EINSPUL_NO_MEMORY, "no memory for a baseline");
    return status;
}
