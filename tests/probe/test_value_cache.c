/* The value cache: a value is found only under its own key. */
#include "core/program/random.h"
#include "probe/handle.h"

#include <criterion/criterion.h>
#include <stdlib.h>

/* Fails if a lookup returns another key's value, or nothing from a full cache. */
Test(value_cache, lookup_by_key)
{
    enum { N_ADDED = 200000, N_BYTES = 1 << 20 };
    struct value_cache *values = value_cache_create(N_BYTES);
    uint64_t seed = 11;
    int n_found = 0;
    cr_assert_not_null(values);
    for (uint64_t key = 1; key <= N_ADDED; key++)
        value_cache_add(values, key * key, (value_t)(key % (VALUE_WIN_IN_1 + 1)));
    for (uint64_t key = 1; key <= N_ADDED; key++) {
        value_t value = VALUE_NONE;
        if (value_cache_find(values, key * key, &value)) {
            cr_assert_eq(value, key % (VALUE_WIN_IN_1 + 1));
            n_found++;
        }
    }
    cr_assert_gt(n_found, N_BYTES / 32, "%d", n_found);
    for (int i = 0; i < N_ADDED; i++) {
        value_t value = VALUE_NONE;
        cr_assert_not(value_cache_find(values, random_next(&seed) | (uint64_t)1 << 63, &value));
    }
    free(values);
}

/* Fails if a value is not stored, is stored as another, or does not replace an older one. */
Test(value_cache, newest_value_replaces_older)
{
    struct value_cache *values = value_cache_create((size_t)64 << 10);
    uint64_t seed = 3;
    cr_assert_not_null(values);
    for (unsigned n = 0; n < 40000; n++) {
        const uint64_t key = n == 0 ? 0 : n == 1 ? UINT64_MAX : random_next(&seed);
        const value_t added = (value_t)(n & UINT8_MAX);
        value_t value = (value_t)~added;
        value_cache_add(values, key, added);
        cr_assert(value_cache_find(values, key, &value) && value == added, "%u", n);
    }
    free(values);
}

/* The key that value_cache.c mixes into a number. */
static uint64_t unmixed(uint64_t mix)
{
    const uint64_t factor = 0x9e3779b97f4a7c15u;
    uint64_t inverse = factor;
    uint64_t key = mix;
    for (int i = 0; i < 6; i++)
        inverse *= 2 - factor * inverse;
    for (int i = 0; i < 3; i++)
        key = mix ^ key >> 29;
    key *= inverse;
    return key ^ key >> 32;
}

/* Fails if slot index and stored word together do not determine the key, so that two keys
 * collide. */
Test(value_cache, full_key_is_compared)
{
    for (size_t n_bytes = (size_t)64 << 10; n_bytes <= (size_t)1 << 20; n_bytes *= 4) {
        struct value_cache *values = value_cache_create(n_bytes);
        uint64_t seed = 7;
        value_t value = VALUE_DRAW;
        cr_assert_not_null(values);
        for (int i = 0; i < 40; i++) {
            const uint64_t key = random_next(&seed);
            const uint64_t mix = random_next(&seed);
            value_cache_add(values, key, VALUE_LOST);
            value_cache_add(values, unmixed(mix), VALUE_LOST);
            for (int j = 0; j < 64 * 64; j++) { /* one bit or two are other ones */
                const uint64_t bits = (uint64_t)1 << j % 64 | (uint64_t)1 << j / 64;
                cr_assert_not(value_cache_find(values, key ^ bits, &value), "%d", j);
                cr_assert_not(value_cache_find(values, unmixed(mix ^ bits), &value), "%d", j);
            }
        }
        free(values);
    }
}

/* Fails if an empty cache returns a value. */
Test(value_cache, empty_cache_misses)
{
    struct value_cache *values = value_cache_create((size_t)64 << 10);
    value_t value = VALUE_NONE;
    cr_assert_not_null(values);
    cr_assert_not(value_cache_find(values, 0, &value));
    cr_assert_not(value_cache_find(values, 1, &value));
    value_cache_add(values, 1, VALUE_LOST);
    cr_assert(value_cache_find(values, 1, &value) && value == VALUE_LOST);
    value_cache_add(values, 1, VALUE_WIN_IN_1);
    cr_assert(value_cache_find(values, 1, &value) && value == VALUE_WIN_IN_1);
    free(values);
}

/* Fails if half of the memory is unused, so that more entries are overwritten. */
Test(value_cache, all_memory_is_used)
{
    enum { N_WORDS = 1 << 16 };
    struct value_cache *values = value_cache_create(N_WORDS * sizeof(uint64_t));
    value_t value = VALUE_NONE;
    int n_found = 0;
    for (uint64_t key = 1; key <= N_WORDS; key++)
        value_cache_add(values, key << 9, VALUE_DRAW);
    for (uint64_t key = 1; key <= N_WORDS; key++)
        n_found += value_cache_find(values, key << 9, &value);
    cr_assert_gt(n_found, N_WORDS / 2);
    free(values);
}
