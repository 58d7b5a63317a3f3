/* Packs a state into three words, as a key for sets of states. */
#ifndef EINSPUL_CORE_PROGRAM_STATE_KEY_H
#define EINSPUL_CORE_PROGRAM_STATE_KEY_H

#include "core/placement.h"

/* Different for different states. */
struct state_key {
    uint64_t word[3];
};

/* Bit positions in a word; the lower 50 bits are a set of squares. KEY_SIDE is in word 0,
 * KEY_LIMITED in word 2; KEY_FREE (word 0) is for callers. */
enum { KEY_SQUARE = 50, KEY_COUNT = 56, KEY_SIDE = 58, KEY_FREE = 59, KEY_LIMITED = 58 };

static inline struct state_key state_key(const struct state *state)
{
    const struct placement *at = &state->at;
    const struct run *run = state->run;
    return (struct state_key){{
        placement_occupied(at) | (uint64_t)run[WHITE].square << KEY_SQUARE |
            (uint64_t)run[WHITE].count << KEY_COUNT | (uint64_t)at->side << KEY_SIDE,
        placement_own(at, WHITE) | (uint64_t)run[BLACK].square << KEY_SQUARE |
            (uint64_t)run[BLACK].count << KEY_COUNT,
        at->kings[WHITE] | at->kings[BLACK] | (uint64_t)state->clock << KEY_SQUARE |
            (uint64_t)state->limited << KEY_LIMITED,
    }};
}

static inline struct state state_of_key(const struct state_key *key)
{
    const uint64_t *word = key->word;
    const squares_t squares = square_bit(KEY_SQUARE) - 1;
    const squares_t white = word[1] & squares;
    const squares_t black = word[0] & squares & ~white;
    struct state state = {
        .at = {.men = {white & ~word[2], black & ~word[2]},
               .kings = {white & word[2], black & word[2]},
               .side = (word[0] >> KEY_SIDE & 1) == WHITE ? WHITE : BLACK},
        .clock = (uint8_t)(word[2] >> KEY_SQUARE),
        .limited = (uint8_t)(word[2] >> KEY_LIMITED & 3),
    };
    for (int side = WHITE; side <= BLACK; side++)
        state.run[side] = (struct run){(uint8_t)(word[side] >> KEY_SQUARE & 63),
                                       (uint8_t)(word[side] >> KEY_COUNT & 3)};
    return state;
}

static inline bool state_key_equal(const struct state_key *a, const struct state_key *b)
{
    return a->word[0] == b->word[0] && a->word[1] == b->word[1] && a->word[2] == b->word[2];
}

static inline bool state_equal(const struct state *a, const struct state *b)
{
    const struct state_key key_a = state_key(a);
    const struct state_key key_b = state_key(b);
    return state_key_equal(&key_a, &key_b);
}

#endif
