/* The positions a query has found so far, as numbers, in the order of the query. */
#ifndef EINSPUL_STUDY_ENTRIES_H
#define EINSPUL_STUDY_ENTRIES_H

#include "study/find.h"

enum { FEWEST_KEPT = 4096 };

/* A position that was found. */
struct find_entry {
    uint64_t index;
    uint64_t chance; /* where a sample is drawn */
    int16_t plies;
    int8_t outcome;
    int8_t other;
    uint8_t material; /* in the order of the query; at most MAX_MATERIALS */
    uint8_t side;     /* to move, of the material as it was named */
};

struct entries {
    size_t n, room;
    struct find_entry *entry;
};

/* The hash that decides whether a position is in a sample. */
uint64_t entry_chance(uint64_t seed, int material, enum side side, uint64_t index);

/* Sorts entries in the order of the query, and drops those beyond the number to be kept. */
void entries_prune(struct entries *entries, const struct find_query *query);

/* False when there is no memory. */
bool entries_add(struct entries *entries, const struct find_entry *entry);

#endif
