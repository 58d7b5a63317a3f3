/* A hash table of computed values that no table stores: of states with a capture, and of states
 * that a table omits. Such a value takes a search of its moves; found here, it takes one access to
 * memory.
 *
 * An array of words, each with one entry or none; a new entry replaces the old one. Keys are mixed
 * by an invertible function, whose upper bits select the word and whose other bits are stored in
 * it, so a hit is exact. Words are read and written atomically, so no thread sees a part of an
 * entry. */
#include "probe/value_cache.h"

#include <stdatomic.h>
#include <stdlib.h>

enum { VALUE_WIDTH = 12 }; /* bits of a value plus 1; an empty word is 0 */

_Static_assert(VALUE_NONE < 1 << VALUE_WIDTH, "a value fits");

struct value_cache {
    int n_bits; /* 2^n_bits words, at least 2^VALUE_WIDTH, so that the rest of a key fits */
    _Atomic uint64_t words[];
};

struct value_cache *value_cache_create(size_t n_bytes)
{
    int n_bits = VALUE_WIDTH;
    while (n_bytes / sizeof(uint64_t) >> n_bits >= 2)
        n_bits++;
    struct value_cache *values = calloc(1, sizeof *values + (sizeof(uint64_t) << n_bits));
    if (values != NULL)
        values->n_bits = n_bits;
    return values;
}

static uint64_t mixed(uint64_t key)
{
    key ^= key >> 32;
    key *= 0x9e3779b97f4a7c15u;
    return key ^ key >> 29;
}

bool value_cache_find(const struct value_cache *values, uint64_t key, value_t *value)
{
    const uint64_t mix = mixed(key);
    const uint64_t word =
        atomic_load_explicit(&values->words[mix >> (64 - values->n_bits)], memory_order_relaxed);
    const unsigned kept = word & ((1 << VALUE_WIDTH) - 1);
    if (kept == 0 || word - kept != mix << VALUE_WIDTH)
        return false;
    *value = (value_t)(kept - 1);
    return true;
}

void value_cache_add(struct value_cache *values, uint64_t key, value_t value)
{
    const uint64_t mix = mixed(key);
    atomic_store_explicit(&values->words[mix >> (64 - values->n_bits)],
                          mix << VALUE_WIDTH | (value + 1u), memory_order_relaxed);
}
