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
    if (memo == NULL)
        return;
    pattern_set_free(&memo->states);
    free(memo->found);
    free(memo);
}

bool memo_find(const struct memo *memo, const struct state *state, einspul_metric metric,
               struct memo_value *found)
{
    const struct key key = key_of(state, metric);
    uint32_t number;
    if (memo == NULL || !pattern_set_find(&memo->states, (const uint8_t *)&key, &number))
        return false;
    *found = memo->found[number];
    return true;
}

/* An empty one; NULL without memory. */
static struct memo *memo_new(void)
{
    struct memo *memo = calloc(1, sizeof *memo);
    if (memo != NULL &&
        pattern_set_init(&memo->states, sizeof(struct key), FIRST_STATES, UINT32_MAX) == EINSPUL_OK)
        return memo;
    free(memo);
    return NULL;
}

bool memo_add(struct memo **of_probe, const struct state *state, einspul_metric metric,
              struct memo_value found)
{
    struct memo *memo = *of_probe != NULL ? *of_probe : memo_new();
    const struct key key = key_of(state, metric);
    uint32_t number;
    *of_probe = memo;
    if (memo == NULL)
        return false;
    struct memo_value *all =
        array_room(memo->found, memo->states.n, &memo->room, FIRST_STATES, sizeof *all);
    if (all == NULL)
        return false;
    memo->found = all;
    if (pattern_set_add(&memo->states, (const uint8_t *)&key, &number) != EINSPUL_OK)
        return false;
    memo->found[number] = found;
    return true;
}
