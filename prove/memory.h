/* The transposition table of the proof search: bounded size, replaces the entry that took least work.
 * Keys are compared in full, so two positions never share an entry. */
#ifndef EINSPUL_PROVE_MEMORY_H
#define EINSPUL_PROVE_MEMORY_H

#include "core/program/state_key.h"

/* Key of a goal, that is of a state without clock and the attacking side; exact, not a hash. */
static inline struct state_key goal_of(const struct state *state, enum side attacker)
{
    struct state_key key = state_key(state);
    key.word[0] |= (uint64_t)attacker << KEY_FREE;
    return key;
}

uint64_t goal_hash(const struct state_key *goal);

enum answer {
    ANSWER_OPEN,
    ANSWER_PROVED,           /* the attacker wins */
    ANSWER_DISPROVED,        /* he does not, whatever was played before */
    ANSWER_DISPROVED_ON_PATH /* he does not, provided certain positions on the path to it are also
                                disproved */
};

/* The range of path plies that a disproof depends on, shallowest to deepest. */
enum { NO_PLY = UINT16_MAX };
struct dependence {
    uint16_t shallowest; /* NO_PLY: none */
    uint16_t deepest;
};

/* `phi` and `delta` are the proof numbers of the side to move and of its opponent. */
struct goal_entry {
    struct state_key goal;
    uint64_t path; /* of ANSWER_DISPROVED_ON_PATH: hash of the path up to the deepest position it
                      depends on */
    uint32_t phi, delta;
    struct dependence depends; /* of ANSWER_DISPROVED_ON_PATH */
    uint16_t rank; /* of ANSWER_PROVED; every proved successor it relies on has a lower one */
    uint8_t answer;
    uint8_t work; /* the logarithm of the positions searched; 0: the entry is free */
};

/* A hash table; a goal may be in any of a few adjacent entries. */
struct memory {
    uint64_t mask;    /* of the hash: the first entry of a goal */
    size_t n_entries; /* used or free */
    struct goal_entry *entries;
};

/* Allocates a table of at most about `n_bytes`; free its entries. False without memory. */
bool memory_init(struct memory *memory, size_t n_bytes);

/* Frees all entries of the table for other goals. */
void memory_clear(struct memory *memory);

/* The entry of a goal; NULL if it has none. Valid until the next call. */
struct goal_entry *memory_find(struct memory *memory, const struct state_key *goal);

/* A hint that a goal will be looked up soon. */
void memory_prefetch(const struct memory *memory, const struct state_key *goal);

/* Finds the entry of a goal, or replaces another by a new one (open, otherwise zero). */
struct goal_entry *memory_enter(struct memory *memory, const struct state_key *goal);

#endif
