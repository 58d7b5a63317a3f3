/* Keys (gen/values/chunk.h) of placements whose seeds are their values: the outcomes of seeds,
 * which are by the other side's run, spread over the rule states by a table. */
#ifndef EINSPUL_GEN_SOLVER_SEED_KEYS_H
#define EINSPUL_GEN_SOLVER_SEED_KEYS_H

#include "gen/solver/word_state.h"

/* The keys of one side to move, and how they are put together. */
struct key_walk {
    const struct solver *solver;
    const struct word_side *side;
    uint64_t *keys;
    size_t n_words;                  /* of a key */
    size_t own_stride, other_stride; /* of king set ranks, in keys */
    int own_state, other_state;      /* of runs, in rule states */
};

static inline struct key_walk key_walk_of(const struct solver *solver, int to_move)
{
    const struct shape *shape = &solver->context->shape;
    const size_t n_black = shape->n_king_sets[BLACK];
    return (struct key_walk){
        .solver = solver,
        .side = &solver->side[to_move],
        .keys = solver->frame != NULL ? solver->frame->key[to_move] : NULL,
        .n_words = key_words(shape->n_rule_states),
        .own_stride = to_move == WHITE ? n_black : 1,
        .other_stride = to_move == WHITE ? 1 : n_black,
        .own_state = to_move == WHITE ? shape->n_runs[BLACK] : 1,
        .other_state = to_move == WHITE ? 1 : shape->n_runs[BLACK],
    };
}

/* The outcomes of a placement's seeds by run, as frame->seed_key. Values without keys have no
 * runs. */
static inline uint64_t seed_outcomes(const struct frame *frame, int to_move, uint64_t index)
{
    if (frame->context->has_keys)
        return frame->seed_key[to_move][index];
    const value_t seed = frame->seed[to_move][index];
    return (uint64_t)(seed > VALUE_DRAW) | (uint64_t)(seed == VALUE_DRAW) << KEY_STATES;
}

/* Seeds of SPREAD_RUNS runs are spread over the rule states at once, by a table. */
enum { SPREAD_RUNS = 8, SPREAD_MASKS = 1 << SPREAD_RUNS };

/* The key of a placement whose seeds have these outcomes. */
static inline void key_spread(const struct key_walk *walk, uint64_t outcomes, uint64_t *key)
{
    const int n_runs = walk->side->other->n_runs;
    for (size_t word = 0; word < walk->n_words; word++) {
        const uint64_t *spread = walk->side->spread + word;
        uint64_t bits = 0;
        for (int run = 0; run < n_runs; run += SPREAD_RUNS) {
            bits |= spread[(outcomes >> run) % SPREAD_MASKS * walk->n_words];
            bits |= spread[(outcomes >> (32 + run)) % SPREAD_MASKS * walk->n_words] << 32;
            spread += SPREAD_MASKS * walk->n_words;
        }
        key[word] = bits;
    }
}

/* Words of side->spread. */
size_t seed_keys_spread(const struct word_side *side);

/* spread[runs / SPREAD_RUNS][mask] gets the rule states of the other side's runs in the mask, and
 * any own run, as the lower half of a key. */
void seed_keys_fill(const struct solver *solver, int to_move);

#endif
