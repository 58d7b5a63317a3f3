#include "prove/memory.h"

#include "core/compiler.h"
#include "core/program/random.h"

#include <stdlib.h>
#include <string.h>

enum { BUCKET = 4 };

uint64_t goal_hash(const struct state_key *goal)
{
    return random_mix(random_mix(random_mix(goal->word[0]) ^ goal->word[1]) ^ goal->word[2]);
}

bool memory_init(struct memory *memory, size_t n_bytes)
{
    size_t n = BUCKET;
    while (n <= n_bytes / sizeof *memory->entries / 2)
        n *= 2;
    memory->mask = n - 1;
    memory->n_entries = n + BUCKET - 1;
    memory->entries = calloc(memory->n_entries, sizeof *memory->entries);
    return memory->entries != NULL;
}

void memory_clear(struct memory *memory)
{
    memset(memory->entries, 0, memory->n_entries * sizeof *memory->entries);
}

static struct goal_entry *first_entry(const struct memory *memory, const struct state_key *goal)
{
    return &memory->entries[goal_hash(goal) & memory->mask];
}

void memory_prefetch(const struct memory *memory, const struct state_key *goal)
{
    PREFETCH(first_entry(memory, goal));
}

struct goal_entry *memory_find(struct memory *memory, const struct state_key *goal)
{
    struct goal_entry *entry = first_entry(memory, goal);
    for (int i = 0; i < BUCKET; i++, entry++)
        if (entry->work != 0 && state_key_equal(&entry->goal, goal))
            return entry;
    return NULL;
}

struct goal_entry *memory_enter(struct memory *memory, const struct state_key *goal)
{
    struct goal_entry *entry = memory_find(memory, goal);
    if (entry != NULL)
        return entry;
    entry = first_entry(memory, goal);
    for (int i = 1; i < BUCKET; i++)
        if (first_entry(memory, goal)[i].work < entry->work)
            entry = first_entry(memory, goal) + i;
    memset(entry, 0, sizeof *entry);
    entry->goal = *goal;
    return entry;
}
