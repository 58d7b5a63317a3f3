/* A chunk: the values of a page of placements (frame_order.h) for one side to move, captures
 * included, as numbers in its own dictionary of patterns. Immutable once created. */
#ifndef EINSPUL_GEN_VALUES_CHUNK_H
#define EINSPUL_GEN_VALUES_CHUNK_H

#include "core/program/bytes_set.h"
#include "core/rank.h"
#include "core/value.h"
#include "gen/values/frame_order.h"

/* Keys: the outcomes of a placement in all its rule states, as bits. They take less memory than
 * values, and 64 of them are read out of the solver's words by one transpose.
 *
 * Word w of a key has the rule states from 32 w on: bit b is set if state 32 w + b is won, bit 32
 * + b that it is drawn. Bits of states that do not exist are 0. */
enum { KEY_STATES = 32, MAX_KEY_WORDS = (MAX_RULE_STATES + KEY_STATES - 1) / KEY_STATES };

static inline size_t key_words(int n_rule_states)
{
    return (size_t)(n_rule_states + KEY_STATES - 1) / KEY_STATES;
}

/* The size of a pattern: a key, or one value per rule state. */
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
    bool wide;                   /* two bytes a number */
    bool mapped;                 /* allocated by its own mapping, not malloc */
    bool from_file;              /* a copy is in the file, so eviction need not write it */
    _Atomic bool used;           /* since the clock hand last passed */
    const value_t *values;       /* n_patterns * n_rule_states */
    const value_t *entry_values; /* values as seen by moves that enter this material: in a limited
                              material, wins that come too late are draws */
    const uint64_t *entry_bits;  /* by pattern: the same as bits (values_bits); or NULL */
    size_t n_bytes;              /* of memory */
    struct pages *owner;
    uint64_t page;     /* of its owner */
    size_t list_index; /* in the pager's list */
    uint64_t epoch;    /* at which it was evicted */
    uint8_t number[];
};

/* The parameters shared by all chunks of a material. */
struct chunk_form {
    int n_rule_states;
    int limit; /* of moves of White's two kings; 0: none */
    uint64_t n_pages_a_side;
    /* by whether a page is of the second side: runs of the side to move, 0 if the chunks have no
     * entry_bits; the distance of two runs in rule states */
    int n_runs[2], run_stride[2];
};

/* The outcomes of the side to move with each of its runs, the other side having none, as bits: bit r
 * is set if it wins with run r, bit 32 + r if it does not lose. So the AND of several is the worst
 * of them. The value of run r is number r * stride. */
static inline uint64_t values_bits(const value_t *values, int n_runs, size_t stride)
{
    uint64_t bits = 0;
    for (int run = 0; run < n_runs; run++, values += stride)
        bits |= (uint64_t)(*values > VALUE_DRAW) << run | (uint64_t)(*values >= VALUE_DRAW)
                                                              << (KEY_STATES + run);
    return bits;
}

static inline uint32_t chunk_number(const struct chunk *chunk, uint64_t place)
{
    return chunk->wide ? ((const uint16_t *)(const void *)chunk->number)[place]
                       : chunk->number[place];
}

/* A capture met before: its seeds, as bytes_hash, and its number. */
struct known_capture {
    uint64_t seeds; /* UINT64_MAX: none */
    uint32_t number;
};

enum { KNOWN_CAPTURES_BITS = 8 };

/* Builds chunks, one at a time, from values or from keys. */
struct chunk_builder {
    int n_rule_states;
    bool has_keys;
    struct bytes_set patterns; /* if patterns are single values, all 256 from the start */
    uint32_t last;             /* the number of the last placement entered */
    struct known_capture known[1 << KNOWN_CAPTURES_BITS]; /* by a hash of the seeds */
    uint16_t number[PAGE_CAPACITY];
    uint32_t n_placements;
};

/* On NO_MEMORY nothing is allocated. */
einspul_status chunk_builder_create(struct chunk_builder **builder, int n_rule_states,
                                    bool has_keys);
void chunk_builder_free(struct chunk_builder *builder);

/* Begins a chunk of `n` placements, all impossible. */
void chunk_builder_begin(struct chunk_builder *builder, uint32_t n_placements);

/* Sets `last` to the number of a pattern. NO_MEMORY. */
einspul_status chunk_builder_find(struct chunk_builder *builder, const void *pattern);

/* Enters a possible placement by its values or its key. Keys are compared with the previous one
 * first, because neighbours mostly have the same; with values the comparison costs more than it
 * saves. NO_MEMORY. */
static inline einspul_status chunk_builder_put(struct chunk_builder *builder, uint32_t place,
                                               const void *pattern)
{
    const struct bytes_set *patterns = &builder->patterns;
    const size_t length = patterns->length;
    if (!builder->has_keys || builder->last >= patterns->n ||
        !bytes_equal(patterns->values + builder->last * length, pattern, length)) {
        const einspul_status status = chunk_builder_find(builder, pattern);
        if (status != EINSPUL_OK)
            return status;
    }
    builder->number[place] = (uint16_t)builder->last;
    return EINSPUL_OK;
}

/* Enters a placement, possible or not, if patterns are single values. Branch-free: whether it is
 * possible is unpredictable. */
static inline void chunk_builder_put_value(struct chunk_builder *builder, uint32_t place,
                                           value_t pattern, bool possible)
{
    builder->number[place] = possible ? pattern : 0;
}

/* Makes the chunk of a page from the entered placements. Rule state r of the chunk is rule state
 * order[r] of the entered patterns; without `order` they are the same. NULL: no memory. */
struct chunk *chunk_builder_make(const struct chunk_builder *builder, const int *order,
                                 const struct chunk_form *form, uint64_t page);

/* A chunk without its numbers and values; NULL: no memory. */
struct chunk *chunk_new(const struct chunk_form *form, uint32_t n_placements, uint32_t n_patterns);
void chunk_free(struct chunk *chunk); /* NULL is allowed */

/* Where to write a chunk's values. */
value_t *chunk_mutable_values(struct chunk *chunk);

/* The size of its numbers. */
size_t chunk_number_bytes(uint32_t n_placements, uint32_t n_patterns);

/* The size of its values, 0 if all chunks share them. */
size_t chunk_value_bytes(const struct chunk_form *form, uint32_t n_patterns);

/* Makes the entry values of the chunk of a page from its values. */
void chunk_finish(struct chunk *chunk, const struct chunk_form *form, uint64_t page);

#endif
