/* A hash table with open addressing from states to values, for one probe. */
#include "probe/memo.h"

#include <stdlib.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FEWEST_SLOTS = 1024 };

/* All of a state, and the metric. */
struct key {
    uint64_t men[2], kings[2];
    uint64_t rest; /* never 0: the metric is in it */
};

struct memo_entry {
    struct key key; /* rest 0: free */
    value_t value;
};

static struct key key_of(const struct state *state, enum metric metric)
{
    const uint8_t rest[8] = {(uint8_t)metric,
                             (uint8_t)state->at.side,
                             state->run[WHITE].square,
                             state->run[WHITE].count,
                             state->run[BLACK].square,
                             state->run[BLACK].count,
                             state->clock,
                             state->limited};
    struct key key = {.men = {state->at.men[WHITE], state->at.men[BLACK]},
                      .kings = {state->at.kings[WHITE], state->at.kings[BLACK]}};
    memcpy(&key.rest, rest, sizeof key.rest);
    return key;
}

/* The entry of a key, or the free entry where it belongs. */
static struct memo_entry *entry_of(struct memo_entry *entries, uint32_t n_slots,
                                   const struct key *key)
{
    uint32_t slot = (uint32_t)XXH3_64bits(key, sizeof *key) & (n_slots - 1);
    while (entries[slot].key.rest != 0 && memcmp(&entries[slot].key, key, sizeof *key) != 0)
        slot = (slot + 1) & (n_slots - 1);
    return &entries[slot];
}

static bool grow(struct memo *memo)
{
    const uint32_t n_slots = memo->n_slots == 0 ? FEWEST_SLOTS : 2 * memo->n_slots;
    struct memo_entry *entries = calloc(n_slots, sizeof *entries);
    if (entries == NULL)
        return false;
    for (uint32_t i = 0; i < memo->n_slots; i++)
        if (memo->entries[i].key.rest != 0)
            *entry_of(entries, n_slots, &memo->entries[i].key) = memo->entries[i];
    free(memo->entries);
    memo->entries = entries;
    memo->n_slots = n_slots;
    return true;
}

void memo_free(struct memo *memo)
{
    free(memo->entries);
    *memo = (struct memo){0};
}

bool memo_find(const struct memo *memo, const struct state *state, enum metric metric,
               value_t *value)
{
    const struct key key = key_of(state, metric);
    if (memo->n == 0)
        return false;
    const struct memo_entry *entry = entry_of(memo->entries, memo->n_slots, &key);
    if (entry->key.rest == 0)
        return false;
    *value = entry->value;
    return true;
}

bool memo_add(struct memo *memo, const struct state *state, enum metric metric, value_t value)
{
    const struct key key = key_of(state, metric);
    if (2 * memo->n >= memo->n_slots && !grow(memo))
        return false;
    *entry_of(memo->entries, memo->n_slots, &key) = (struct memo_entry){key, value};
    memo->n++;
    return true;
}
