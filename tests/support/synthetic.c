#include "tests/support/synthetic.h"

#include <stdlib.h>
#include <string.h>

#include "core/program/index.h"
#include "core/program/random.h"
#include "tests/support/parse.h"
#include "tests/support/require.h"

void *synthetic_alloc(size_t n_bytes)
{
    void *bytes = calloc(n_bytes + 1, 1);
    must(bytes != NULL, "no memory");
    return bytes;
}

/* A draw, or a win or loss short enough that a few more plies fit. */
static value_t synthetic_any_value(uint64_t *seed)
{
    const unsigned random = (unsigned)(random_next(seed) % 255);
    return (value_t)(random > 100 && random < 154 ? VALUE_DRAW : random);
}

void synthetic_create(struct synthetic *made, const struct rules *rules, const char *name,
                      uint32_t n_patterns, uint64_t seed)
{
    const struct material material = material_named(name);
    memset(made, 0, sizeof *made);
    shape_init(&made->shape, rules, &material);
    const uint64_t n = made->shape.n_placements;
    const size_t length = (size_t)made->shape.n_rule_states;
    const bool each = n_patterns == 0;
    if (each)
        n_patterns = (uint32_t)n;
    for (int side = 0; side < made->shape.n_sides; side++) {
        uint32_t pattern = 0;
        made->patterns[side] = synthetic_alloc(n_patterns * length);
        made->low[side] = synthetic_alloc((size_t)n * sizeof *made->low[side]);
        made->stored[side] = synthetic_alloc(((size_t)n + 63) / 64 * 8);
        if (n_patterns > 65536)
            made->high[side] = synthetic_alloc((size_t)n);
        for (size_t i = 0; i < n_patterns * length; i++)
            made->patterns[side][i] = synthetic_any_value(&seed);
        for (uint64_t index = 0; index < n; index++) {
            struct placement at;
            const uint64_t random = random_next(&seed);
            if (each)
                pattern = (uint32_t)index;
            else if (random % 8 == 0)
                pattern = (uint32_t)((random >> 32) % n_patterns);
            made->low[side][index] = (uint16_t)(pattern & 0xffff);
            if (made->high[side] != NULL)
                made->high[side][index] = (uint8_t)(pattern >> 16);
            if (shape_unrank(&made->shape, index, (enum side)side, &at) &&
                !placement_has_capture(rules, &at))
                made->stored[side][index / 64] |= (uint64_t)1 << (index % 64);
        }
        made->sides[side] = (struct table_side){n_patterns, made->patterns[side], made->low[side],
                                                made->high[side], made->stored[side]};
    }
}

void synthetic_write(const struct synthetic *made, const struct rules *rules, einspul_metric metric,
                     const char *path, int n_threads)
{
    einspul_error error = {0};
    const struct table_id id = {rules, made->shape.material, metric};
    must(table_write_sides(path, id, made->sides, 3, n_threads, &error) == EINSPUL_OK, "%s",
         error.text);
}

void synthetic_free(struct synthetic *made)
{
    for (int side = 0; side < 2; side++) {
        free(made->patterns[side]);
        free(made->low[side]);
        free(made->high[side]);
        free(made->stored[side]);
    }
}

bool synthetic_stored(const struct synthetic *made, int side, uint64_t index)
{
    return (made->stored[side][index / 64] >> (index % 64) & 1) != 0;
}

value_t synthetic_value(const struct synthetic *made, int side, uint64_t index, int rule_state)
{
    const uint32_t high = made->high[side] == NULL ? 0 : made->high[side][index];
    const size_t pattern = made->low[side][index] | high << 16;
    return made->patterns[side][pattern * (size_t)made->shape.n_rule_states + (size_t)rule_state];
}
