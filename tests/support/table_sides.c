/* Writes tables of values in arrays by placement index. */
#include "tests/support/table_sides.h"

#include "core/rank.h"

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
                                  const struct table_values *values, einspul_error *error)
{
    const struct arrays *arrays = context;
    const struct table_side *from = &arrays->sides[side];
    (void)thread;
    (void)error;
    memset(values->stored, 0, (n + 63) / 64 * sizeof *values->stored);
    for (uint32_t i = 0; i < n; i++) {
        if (!is_stored(from, first + i))
            continue;
        const value_t *pattern = pattern_of(arrays, from, pattern_at(from, first + i));
        values->stored[i / 64] |= (uint64_t)1 << (i % 64);
        if (values->values != NULL)
            values->values[i] = *pattern;
        else
            values->patterns[i] = pattern;
    }
    return EINSPUL_OK;
}

einspul_status tables_write_sides(const struct table_output *outputs, int n_outputs,
                                  const struct table_side *sides, int level, int n_threads,
                                  einspul_error *error)
{
    struct shape shape;
    shape_init(&shape, outputs->id.rules, &outputs->id.material);
    struct arrays arrays = {sides, (size_t)shape.n_rule_states};
    const struct table_source source = {.context = &arrays, .read = read_arrays};
    return tables_write(outputs, n_outputs, &source, level, n_threads, error);
}

einspul_status table_write_sides(const char *path, struct table_id id,
                                 const struct table_side *sides, int level, int n_threads,
                                 einspul_error *error)
{
    const struct table_output output = {path, id};
    return tables_write_sides(&output, 1, sides, level, n_threads, error);
}
