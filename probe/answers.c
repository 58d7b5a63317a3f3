/* Values found by earlier probes, or earlier in a long one, that no table stores: of states with
 * captures, and of what a table omits. They are that of the best move, so a probe of such a state
 * takes as long as many; asked again, it is one access to memory.
 *
 * A table of words, each with one answer or none. A key is mixed by a function that has an inverse:
 * its upper bits choose the word, and its other bits are in it, so that the word tells the whole key.
 * A word is read and written at once, so no thread ever sees a part of an answer. */
#include "probe/handle.h"

#include <stdlib.h>

enum { VALUE_WIDTH = 12 }; /* of a value plus 1: no word with an answer is 0 */

_Static_assert(VALUE_NONE < 1 << VALUE_WIDTH, "a value fits");

struct answers {
    int n_bits; /* 2^n_bits words, at least 2^VALUE_WIDTH, so that the rest of a key fits */
    _Atomic uint64_t words[];
};

struct answers *answers_create(size_t n_bytes)
{
    int n_bits = VALUE_WIDTH;
    while (n_bytes / sizeof(uint64_t) >> n_bits >= 4)
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
