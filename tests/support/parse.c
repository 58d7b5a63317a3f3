#include "tests/support/parse.h"

#include "core/program/materials.h"
#include "core/program/random.h"
#include "tests/support/require.h"

struct rules rules_named(const char *name)
{
    struct rules rules;
    einspul_error error = {0};
    must(rules_by_name(&rules, name, &error) == EINSPUL_OK, "%s", error.text);
    return rules;
}

struct material material_named(const char *name)
{
    struct material material;
    einspul_error error = {0};
    must(material_read(name, &material, &error) == EINSPUL_OK, "%s", error.text);
    return material;
}

struct state state_named(const struct rules *rules, const char *fen)
{
    struct state state;
    einspul_error error = {0};
    must(fen_read(rules, fen, &state, NULL, &error) == EINSPUL_OK, "%s: %s", fen, error.text);
    return state;
}

struct state random_legal_state(const struct rules *rules, int most_pieces, uint64_t *seed)
{
    const int n_pieces = 2 + random_below(seed, random_below(seed, 2) == 0 ? 3 : most_pieces - 1);
    const bool kings_only = random_below(seed, 4) == 0;
    struct state state = {0};
    state.at.side = (enum side)random_below(seed, 2);
    for (int n = 0; n < n_pieces;) {
        const int side = n < 2 ? n : random_below(seed, 2);
        const squares_t bit = square_bit(random_below(seed, rules->board.n_squares));
        if ((placement_occupied(&state.at) & bit) != 0)
            continue;
        if (kings_only || (rules->board.promotion[side] & bit) != 0 || random_below(seed, 2) == 0)
            state.at.kings[side] |= bit;
        else
            state.at.men[side] |= bit;
        n++;
    }
    for (int side = WHITE; side <= BLACK; side++)
        if (placement_has_runs(rules, &state.at, (enum side)side)) {
            squares_t kings = state.at.kings[side];
            for (int skip = random_below(seed, bits_count(kings)); skip > 0; skip--)
                kings &= kings - 1;
            state.run[side].count = (uint8_t)random_below(seed, rules->king_run_limit + 1);
            if (state.run[side].count > 0)
                state.run[side].square = (uint8_t)bits_first(kings);
        }
    if (placement_limit(rules, &state.at) > 0)
        state.clock = (uint8_t)random_below(seed, MAX_CLOCK + 1);
    return state;
}
