/* A dictionary of states, and beside it their values by number. */
#include "probe/memo.h"

#include "core/array.h"

#include <stdlib.h>

enum { FIRST_STATES = 512 };

/* All of a state, and the metric. */
struct key {
    uint64_t men[2], kings[2];
    uint8_t rest[8];
};

static struct key key_of(const struct state *state, einspul_metric metric)
{
    return (struct key){
        .men = {state->at.men[WHITE], state->at.men[BLACK]},
        .kings = {state->at.kings[WHITE], state->at.kings[BLACK]},
        .rest = {(uint8_t)metric, (uint8_t)state->at.side, state->run[WHITE].square,
                 state->run[WHITE].count, state->run[BLACK].square, state->run[BLACK].count,
                 state->clock, state->limited},
    };
}

void memo_free(struct memo *memo)
{
    pattern_set_free(&memo->states);
    free(memo->found);
    *memo = (struct memo){.room = 0};
}

bool memo_find(const struct memo *memo, const struct state *state, einspul_metric metric,
               struct memo_value *found)
{
    const struct key key = key_of(state, metric);
    uint32_t number;
    if (memo->room == 0 || !pattern_set_find(&memo->states, (const uint8_t *)&key, &number))
        return false;
    *found = memo->found[number];
    return true;
}

bool memo_add(struct memo *memo, const struct state *state, einspul_metric metric,
              struct memo_value found)
{
    struct pattern_set *states = &memo->states;
    const struct key key = key_of(state, metric);
    uint32_t number;
    if (states->values == NULL &&
        pattern_set_init(states, sizeof key, FIRST_STATES, UINT32_MAX) != EINSPUL_OK)
        return false;
    struct memo_value *all =
        array_room(memo->found, states->n, &memo->room, FIRST_STATES, sizeof *all);
    if (all == NULL)
        return false;
    memo->found = all;
    if (pattern_set_add(states, (const uint8_t *)&key, &number) != EINSPUL_OK)
        return false;
    memo->found[number] = found;
    return true;
}
