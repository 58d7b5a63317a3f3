/* The table that spreads the outcomes of seeds over rule states. */
#include "gen/solver/seed_keys.h"

#include <string.h>

size_t seed_keys_spread(const struct word_side *side)
{
    const int n_runs = side->other->n_runs;
    const size_t n_words = key_words(side->own->n_runs * n_runs);
    return (size_t)(n_runs + SPREAD_RUNS - 1) / SPREAD_RUNS * SPREAD_MASKS * n_words;
}

void seed_keys_fill(const struct solver *solver, int to_move)
{
    const struct key_walk walk = key_walk_of(solver, to_move);
    const struct word_side *side = walk.side;
    uint64_t *spread = side->spread;
    for (int first = 0; first < side->other->n_runs; first += SPREAD_RUNS) {
        for (size_t mask = 0; mask < SPREAD_MASKS; mask++) {
            memset(spread + mask * walk.n_words, 0, walk.n_words * sizeof *spread);
            for (int run = first; run < first + SPREAD_RUNS && run < side->other->n_runs; run++) {
                const int n = (mask >> (run - first) & 1) != 0 ? side->own->n_runs : 0;
                for (int own_run = 0; own_run < n; own_run++) {
                    const int state = own_run * walk.own_state + run * walk.other_state;
                    spread[mask * walk.n_words + (size_t)(state / KEY_STATES)] |=
                        (uint64_t)1 << state % KEY_STATES;
                }
            }
        }
        spread += SPREAD_MASKS * walk.n_words;
    }
}
