/* Keys: the outcomes of a placement in all its run states, as bits. They take less memory than
 * values, and 64 of them are read out of the solver's words by one transpose.
 *
 * Word w of a key has the run states from 32 w on: bit b says that state 32 w + b is won, bit 32
 * + b that it is drawn. Bits of states that do not exist are 0. */
#ifndef EINSPUL_GEN_VALUES_KEY_H
#define EINSPUL_GEN_VALUES_KEY_H

#include "core/rank.h"
#include "core/value.h"

enum { KEY_STATES = 32, MAX_KEY_WORDS = (MAX_RUN_STATES + KEY_STATES - 1) / KEY_STATES };

static inline size_t key_words(int n_run_states)
{
    return (size_t)(n_run_states + KEY_STATES - 1) / KEY_STATES;
}

/* Bytes of what is numbered for a placement: its key, or a value for each run state. */
static inline size_t pattern_bytes(bool is_key, int n_run_states)
{
    return is_key ? key_words(n_run_states) * sizeof(uint64_t) : (size_t)n_run_states;
}

static inline value_t key_value(const uint64_t *key, int run_state)
{
    const uint64_t word = key[run_state / KEY_STATES] >> (run_state % KEY_STATES);
    return (value_t)((word & 1) * VALUE_WIN_IN_1 + (word >> KEY_STATES & 1) * VALUE_DRAW);
}

#endif
