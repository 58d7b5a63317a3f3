/* Writes tables of values in arrays by placement index; the patterns are counted first. */
#include "tests/support/table_sides.h"

#include "table/table_format.h"
#include "table/write/pattern.h"

#include <stdlib.h>
#include <string.h>

struct arrays {
    const struct table_side *sides;
    size_t length;
};

static inline bool is_stored(const struct table_side *side, uint64_t index)
{
    return (side->stored[index / 64] >> (index % 64) & 1) != 0;
}

static inline uint32_t pattern_at(const struct table_side *side, uint64_t index)
{
    return side->low[index] | (side->high == NULL ? 0 : (uint32_t)side->high[index] << 16);
}

static inline const value_t *pattern_of(const struct arrays *arrays, const struct table_side *side,
                                        size_t number)
{
    return side->patterns + number * arrays->length;
}

static einspul_status read_arrays(void *context, int thread, int side, uint64_t first, uint32_t n,
                                  const value_t **values, einspul_error *error)
{
    const struct arrays *arrays = context;
    const struct table_side *from = &arrays->sides[side];
    (void)thread;
    (void)error;
    for (uint32_t i = 0; i < n; i++)
        values[i] = is_stored(from, first + i)
                        ? pattern_of(arrays, from, pattern_at(from, first + i))
                        : NULL;
    return EINSPUL_OK;
}

/* Counts the stored placements with each pattern. */
static uint64_t count_patterns(const struct table_side *from, uint64_t n_placements,
                               uint64_t *count)
{
    uint64_t n_stored = 0;
    for (uint64_t index = 0; index < n_placements; index++) {
        if (is_stored(from, index)) {
            count[pattern_at(from, index)]++;
            n_stored++;
        }
    }
    return n_stored;
}

/* Adds the patterns that occur, and their counts. False if there are too many. */
static bool merge_patterns(const struct arrays *arrays, const struct table_side *from, bool signs,
                           const uint64_t *count, struct pattern_set *set, uint64_t *set_count)
{
    for (uint32_t p = 0; p < from->n_patterns; p++) {
        const value_t *values = pattern_of(arrays, from, p);
        value_t pattern[MAX_RUN_STATES];
        uint32_t number = 0;
        if (count[p] == 0)
            continue;
        if (signs)
            table_signs(values, arrays->length, pattern);
        if (pattern_set_add(set, signs ? pattern : values, &number) != EINSPUL_OK)
            return false;
        set_count[number] += count[p];
    }
    return true;
}

einspul_status table_write_sides(const char *path, struct table_id id,
                                 const struct table_side *sides, int level, int n_threads,
                                 einspul_error *error)
{
    struct shape shape;
    shape_init(&shape, id.rules, &id.material);
    const size_t length = (size_t)shape.n_run_states;
    const bool signs = id.metric == EINSPUL_WDL && !table_keeps_distances(id.rules, &id.material);
    struct arrays arrays = {sides, length};
    struct pattern_set set = {0};
    uint64_t *set_count = calloc(MAX_TABLE_PATTERNS, sizeof *set_count);
    struct table_source source = {.context = &arrays, .read = read_arrays, .counts = set_count};
    einspul_status status = pattern_set_init(&set, length, 256, MAX_TABLE_PATTERNS);
    bool fits = true;

    if (set_count == NULL)
        status = EINSPUL_NO_MEMORY;
    for (int side = 0; side < shape.n_sides && status == EINSPUL_OK; side++) {
        uint64_t *count = calloc((size_t)sides[side].n_patterns + 1, sizeof *count);
        if (count == NULL) {
            status = EINSPUL_NO_MEMORY;
            break;
        }
        source.n_stored[side] = count_patterns(&sides[side], shape.n_placements, count);
        fits = fits && merge_patterns(&arrays, &sides[side], signs, count, &set, set_count);
        free(count);
    }
    if (status != EINSPUL_OK)
        error_set(error, status, "%s: no memory to write it", path_text(path));
    if (fits)
        source.patterns = &set;
    if (status == EINSPUL_OK)
        status = table_write(path, id, &source, level, n_threads, error);
    free(set_count);
    pattern_set_free(&set);
    return status;
}
