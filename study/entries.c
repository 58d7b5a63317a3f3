/* A sample keeps the positions with the lowest hashes of position and seed, so it does not depend
 * on threads. Equal distances are in the order of the tables. */
#include "study/entries.h"

#include "core/array.h"
#include "core/random.h"

#include <stdlib.h>

uint64_t entry_chance(uint64_t seed, int material, enum side side, uint64_t index)
{
    return random_mix(random_mix(random_mix(seed) + 2 * (uint64_t)material + (uint64_t)side) +
                      index);
}

static int compare_places(const struct find_entry *a, const struct find_entry *b)
{
    if (a->material != b->material)
        return a->material < b->material ? -1 : 1;
    if (a->side != b->side)
        return a->side < b->side ? -1 : 1;
    return a->index < b->index ? -1 : a->index > b->index;
}

static int by_chance(const void *first, const void *second)
{
    const struct find_entry *a = first;
    const struct find_entry *b = second;
    if (a->chance != b->chance)
        return a->chance < b->chance ? -1 : 1;
    return compare_places(a, b);
}

static int by_distance(const struct find_entry *a, const struct find_entry *b, int sign)
{
    if ((a->plies < 0) != (b->plies < 0))
        return a->plies < 0 ? 1 : -1;
    if (a->plies != b->plies)
        return a->plies < b->plies ? sign : -sign;
    return compare_places(a, b);
}

static int longest_first(const void *a, const void *b)
{
    return by_distance(a, b, 1);
}

static int shortest_first(const void *a, const void *b)
{
    return by_distance(a, b, -1);
}

void entries_prune(struct entries *entries, const struct find_query *query)
{
    const uint64_t most = query->n_sample > 0 ? query->n_sample : query->most;
    if (entries->n > 0)
        qsort(entries->entry, entries->n, sizeof *entries->entry,
              query->n_sample > 0     ? by_chance
              : query->shortest_first ? shortest_first
                                      : longest_first);
    if (entries->n > most)
        entries->n = (size_t)most;
}

bool entries_add(struct entries *entries, const struct find_entry *entry)
{
    struct find_entry *list =
        array_room(entries->entry, entries->n, &entries->room, FEWEST_KEPT, sizeof *list);
    if (list == NULL)
        return false;
    entries->entry = list;
    entries->entry[entries->n++] = *entry;
    return true;
}
