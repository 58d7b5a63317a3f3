/* A hash set with open addressing and linear search; keys pack a node into one number. */
#include "core/visited.h"

#include <stdlib.h>

enum { FEWEST_SLOTS = 4096 };

/* Six bits for each square and fifty for the captured set: a node fits into a word. */
static uint64_t key_of(int from, int square, squares_t captured)
{
    _Static_assert(MAX_SQUARES <= 50, "squares and sets fit into a key");
    return ((captured << 6 | (uint64_t)square) << 6 | (uint64_t)from) + 1;
}

/* The slot of a key, or the free slot where it belongs. */
static uint64_t *slot_of(uint64_t *keys, uint32_t n_slots, uint64_t key)
{
    uint32_t slot = (uint32_t)((key * 0x9e3779b97f4a7c15u) >> 32) & (n_slots - 1);
    while (keys[slot] != 0 && keys[slot] != key)
        slot = (slot + 1) & (n_slots - 1);
    return &keys[slot];
}

static bool grow(struct visited *visited)
{
    const uint32_t n_slots = visited->n_slots == 0 ? FEWEST_SLOTS : 2 * visited->n_slots;
    uint64_t *keys = calloc(n_slots, sizeof *keys);
    if (keys == NULL) {
        visited->out_of_memory = true;
        return false;
    }
    for (uint32_t i = 0; i < visited->n_slots; i++)
        if (visited->keys[i] != 0)
            *slot_of(keys, n_slots, visited->keys[i]) = visited->keys[i];
    free(visited->keys);
    visited->keys = keys;
    visited->n_slots = n_slots;
    return true;
}

void visited_free(struct visited *visited)
{
    free(visited->keys);
    *visited = (struct visited){0};
}

bool visited_add(struct visited *visited, int from, int square, squares_t captured)
{
    const uint64_t key = key_of(from, square, captured);
    if (2 * visited->n >= visited->n_slots && !grow(visited))
        return false;
    uint64_t *slot = slot_of(visited->keys, visited->n_slots, key);
    if (*slot == key)
        return false;
    *slot = key;
    visited->n++;
    return true;
}
