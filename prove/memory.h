/* The transposition table of the proof search: bounded size; replaces the entry that took least work,
 * proofs last. Keys are compared in full, so two positions never share an entry. Any number of threads
 * may use it at once. */
#ifndef EINSPUL_PROVE_MEMORY_H
#define EINSPUL_PROVE_MEMORY_H

#include "core/program/state_key.h"

#include <stdatomic.h>

/* Key of a goal, that is of a state without clock and the attacking side; exact, not a hash. */
static inline struct state_key goal_of(const struct state *state, enum side attacker)
{
    struct state_key key = state_key(state);
    key.word[0] |= (uint64_t)attacker << KEY_FREE;
    return key;
}

static inline enum side goal_attacker(const struct state_key *goal)
{
    return (goal->word[0] >> KEY_FREE & 1) == WHITE ? WHITE : BLACK;
}

/* The same for both attackers. */
uint64_t goal_hash(const struct state_key *goal);

enum answer {
    ANSWER_OPEN,
    ANSWER_PROVED,           /* the attacker wins */
    ANSWER_DISPROVED,        /* he does not, whatever was played before */
    ANSWER_DISPROVED_ON_PATH /* he does not, provided certain positions on the path to it are also
                                disproved */
};

/* The range of path plies that a disproof depends on, shallowest to deepest. */
enum { MAX_PLIES = 512, NO_PLY = UINT16_MAX };
struct dependence {
    uint16_t shallowest; /* NO_PLY: none */
    uint16_t deepest;
};

/* Of the hash of a path the part that entries keep. */
uint64_t memory_path(uint64_t hash);

/* A result for a goal. */
struct value {
    enum answer answer;
    uint32_t phi, delta; /* proof numbers of the side to move and of its opponent; of an entry with
                                  ANSWER_DISPROVED_ON_PATH about those it had before, or 0 */
    uint16_t rank;       /* of ANSWER_PROVED: every proved successor it relies on has a lower one */
    struct dependence depends; /* of ANSWER_DISPROVED_ON_PATH */
    uint64_t path;             /* of ANSWER_DISPROVED_ON_PATH: hash of the path up to the deepest
                                  position it depends on */
};

struct memory_line;

/* A hash table; a goal may be in any entry of two adjacent cache lines. It begins small, because fresh
 * memory costs more than the search of a few positions. */
struct memory {
    struct memory_line *lines;
    uint64_t n_pairs, max_pairs; /* of lines, in use and allocated */
    int n_threads;               /* that enlarge it; 1 at first */
    _Atomic uint32_t *versions;  /* of groups of pairs; odd while one is being written */
};

enum { MIN_MEMORY_BYTES = 1 << 12 };

/* Allocates a table of about `n_bytes`, at least the minimum. False without memory; call memory_free
 * in any case. */
bool memory_init(struct memory *memory, size_t n_bytes);
void memory_free(struct memory *memory);

/* Removes all entries. Not while another thread uses the table. */
void memory_clear(struct memory *memory);

/* Enlarges the table, within its bound, until its entries and `n_more` would take at most half of it.
 * Not while another thread uses it. */
void memory_reserve(struct memory *memory, uint64_t n_more);

/* A hint that a goal will be looked up soon. */
void memory_prefetch(const struct memory *memory, const struct state_key *goal);

/* True if the table answers a goal, or has its numbers; `*value` is then its value. */
bool memory_find(const struct memory *memory, const struct state_key *goal, struct value *value);

/* Enters a value that took the search of `n_positions`. A final answer stays; the rank of a proof may
 * decrease. */
void memory_store(struct memory *memory, const struct state_key *goal, const struct value *value,
                  uint64_t n_positions);

/* Visits the entries by number: false if entry `i` is free. */
uint64_t memory_n_entries(const struct memory *memory);
bool memory_entry(const struct memory *memory, uint64_t i, struct state_key *goal,
                  struct value *value);

/* Entries as bytes of a file. Export: false if entry `i` is free or holds on one path only. Import
 * replaces an entry of less work; false if the bytes are not an entry. */
enum { ENTRY_BYTES = 32 };
bool memory_export(const struct memory *memory, uint64_t i, uint8_t bytes[ENTRY_BYTES]);
bool memory_import(struct memory *memory, const uint8_t bytes[ENTRY_BYTES]);

#endif
