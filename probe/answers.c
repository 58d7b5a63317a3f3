/* A hash table of computed values that no table stores: of states with a capture, and of states
 * that a table omits. Such a value takes a search of its moves; found here, it takes one access to
 * memory.
 *
 * An array of words, each with one entry or none; a new entry replaces the old one. Keys are mixed
 * by an invertible function, whose upper bits select the word and whose other bits are stored in
 * it, so a hit is exact. Words are read and written atomically, so no thread sees a part of an
 * entry. */
#include "probe/handle.h"

#include <stdlib.h>

enum { VALUE_WIDTH = 12 }; /* bits of a value plus 1; an empty word is 0 */

_Static_assert(VALUE_NONE < 1 << VALUE_WIDTH, "a value fits");

struct answers {
    int n_bits; /* 2^n_bits words, at least 2^VALUE_WIDTH, so that the rest of a key fits */
    _Atomic uint64_t words[];
};

struct answers *answers_create(size_t n_bytes)
{
    int n_bits = VALUE_WIDTH;
    while (n_bytes / sizeof(uint64_t) >> n_bits >= 2)
        n_bits++;
    struct answers *answers = calloc(1, sizeof *answers + (sizeof(uint64_t) << n_bits));
    if (answers != NULL)
        answers->n_bits = n_bits;
    return answers;
}

static uint64_t mixed(uint64_t key)
{
    key ^= key >> 32;
    key *= 0x9e3779b97f4a7c15u;
    return key ^ key >> 29;
}

bool answers_find(const struct answers *answers, uint64_t key, value_t *value)
{
    const uint64_t mix = mixed(key);
    const uint64_t word =
        atomic_load_explicit(&answers->words[mix >> (64 - answers->n_bits)], memory_order_relaxed);
    const unsigned kept = word & ((1 << VALUE_WIDTH) - 1);
    if (kept == 0 || word - kept != mix << VALUE_WIDTH)
        return false;
    *value = (value_t)(kept - 1);
    return true;
}

void answers_add(struct answers *answers, uint64_t key, value_t value)
{
    const uint64_t mix = mixed(key);
    atomic_store_explicit(&answers->words[mix >> (64 - answers->n_bits)],
                          mix << VALUE_WIDTH | (value + 1u), memory_order_relaxed);
}
