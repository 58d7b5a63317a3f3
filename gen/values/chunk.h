/* A chunk: the values of a page of placements (levels.h) for one side to move, captures included,
 * as numbers of patterns of its own. It does not change once it is made. */
#ifndef EINSPUL_GEN_VALUES_CHUNK_H
#define EINSPUL_GEN_VALUES_CHUNK_H

#include "core/bytes_set.h"
#include "core/rank.h"
#include "core/value.h"
#include "gen/values/levels.h"

/* Keys: the outcomes of a placement in all its rule states, as bits. They take less memory than
 * values, and 64 of them are read out of the solver's words by one transpose.
 *
 * Word w of a key has the rule states from 32 w on: bit b says that state 32 w + b is won, bit 32
 * + b that it is drawn. Bits of states that do not exist are 0. */
enum { KEY_STATES = 32, MAX_KEY_WORDS = (MAX_RUN_STATES + KEY_STATES - 1) / KEY_STATES };

static inline size_t key_words(int n_rule_states)
{
    return (size_t)(n_rule_states + KEY_STATES - 1) / KEY_STATES;
}

/* Bytes of what is numbered for a placement: its key, or a value for each rule state. */
static inline size_t pattern_bytes(bool is_key, int n_rule_states)
{
    return is_key ? key_words(n_rule_states) * sizeof(uint64_t) : (size_t)n_rule_states;
}

static inline value_t key_value(const uint64_t *key, int rule_state)
{
    const uint64_t word = key[rule_state / KEY_STATES] >> (rule_state % KEY_STATES);
    return (value_t)((word & 1) * VALUE_WIN_IN_1 + (word >> KEY_STATES & 1) * VALUE_DRAW);
}

/* --- chunks ----------------------------------------------------------------------------------- */

struct pages;

struct chunk {
    uint32_t n_placements;
    uint32_t n_patterns;
    bool wide;             /* two bytes a number */
    bool mapped;           /* by itself, not a part of the heap */
    bool from_file;        /* it can be read again */
    _Atomic bool used;     /* since the pager looked last */
    const value_t *values; /* n_patterns * n_rule_states */
    const value_t *entry;  /* the same as a move from other material meets them: a limited
                              material's late wins are draws */
    size_t n_bytes;        /* of memory */
    struct pages *owner;
    uint64_t page;  /* of its owner */
    size_t place;   /* in the pager's list */
    uint64_t epoch; /* at which it was evicted */
    uint8_t number[];
};

/* What the size of a chunk follows from. */
struct chunk_size {
    uint32_t n_placements, n_patterns;
    int n_rule_states;
    bool limited;
};

static inline uint32_t chunk_number(const struct chunk *chunk, uint64_t place)
{
    return chunk->wide ? ((const uint16_t *)(const void *)chunk->number)[place]
                       : chunk->number[place];
}

/* What chunks are made with, one after the other. Patterns are entered as values, or as keys. */
struct builder {
    int n_rule_states;
    bool has_keys;
    struct bytes_set patterns; /* where a pattern is one value, all of them from the start */
    uint32_t last;             /* the number of the last placement entered */
    uint16_t number[PAGE_ROOM];
    uint32_t n_placements;
};

/* NO_MEMORY leaves nothing behind. */
einspul_status builder_create(struct builder **builder, int n_rule_states, bool has_keys);
void builder_free(struct builder *builder);

/* Begins a chunk of `n` placements, all impossible. */
void builder_begin(struct builder *builder, uint32_t n_placements);

/* Sets `last` to the number of a pattern. NO_MEMORY. */
einspul_status builder_find(struct builder *builder, const void *pattern);

/* Enters a possible placement with its values, or its key. Neighbours mostly
 * have the same key; of values to compare them costs more than it saves. NO_MEMORY. */
static inline einspul_status builder_put(struct builder *builder, uint32_t place,
                                         const void *pattern)
{
    const struct bytes_set *patterns = &builder->patterns;
    const size_t length = patterns->length;
    if (!builder->has_keys || builder->last >= patterns->n ||
        !bytes_equal(patterns->values + builder->last * length, pattern, length)) {
        const einspul_status status = builder_find(builder, pattern);
        if (status != EINSPUL_OK)
            return status;
    }
    builder->number[place] = (uint16_t)builder->last;
    return EINSPUL_OK;
}

/* Enters a placement, possible or not, where a pattern is one value. Which ones are possible cannot
 * be foreseen: no branch. */
static inline void builder_put_value(struct builder *builder, uint32_t place, value_t pattern,
                                     bool possible)
{
    builder->number[place] = possible ? pattern : 0;
}

/* A chunk of what was entered; order[r] says as which rule state its state r was, NULL: the same.
 * With `limit` above 0 its entry values are limited to so many moves of White's two kings. NULL:
 * no memory. */
struct chunk *builder_chunk(const struct builder *builder, const int *order, enum side side,
                            int limit);

/* A chunk without its numbers and values; NULL: no memory. */
struct chunk *chunk_new(const struct chunk_size *size);
void chunk_free(struct chunk *chunk); /* NULL is allowed */

/* Where its values are to be entered, and how many bytes they are: none where all chunks share
 * them. And how many bytes its numbers are. */
value_t *chunk_room(struct chunk *chunk);
size_t chunk_number_bytes(const struct chunk_size *size);
size_t chunk_value_bytes(const struct chunk_size *size);

/* Makes the entry values of a limited material's chunk from its values. */
void chunk_limit(struct chunk *chunk, enum side side, int n_rule_states, int limit);

#endif
