/* Numbers of placements and runs: rule set, material, side, index and runs come from the input. A
 * number gives one placement, and that placement the number. */
#include "tests/fuzz/fuzz.h"
#include "tests/support/ranks.h"

#include "core/fen.h"
#include "core/index.h"
#include "core/materials.h"
#include "core/rank.h"
#include "core/turn.h"

static struct material take_material(struct fuzz_input *input)
{
    struct material material;
    for (;;) {
        material.men[WHITE] = fuzz_byte(input) % (MAX_SET + 1);
        material.kings[WHITE] = fuzz_byte(input) % (MAX_SET + 1);
        material.men[BLACK] = fuzz_byte(input) % (MAX_SET + 1);
        material.kings[BLACK] = fuzz_byte(input) % (MAX_SET + 1);
        if (input->n_bytes == 0) {
            material.kings[WHITE] = 1;
            material.kings[BLACK] = 1;
        }
        if (material.men[WHITE] + material.kings[WHITE] > 0 &&
            material.men[BLACK] + material.kings[BLACK] > 0 &&
            material_pieces(&material) <= MAX_PIECES)
            return material;
    }
}

static void expect_runs(const struct shape *shape, struct state *state, const uint8_t number[2])
{
    int index[2];
    for (int side = WHITE; side <= BLACK; side++) {
        index[side] = number[side] % shape->n_runs[side];
        state->run[side] = run_from_index(state->at.kings[side], index[side]);
        fuzz_expect(run_index(state->at.kings[side], state->run[side]) == index[side],
                    "a run has its number");
    }
    fuzz_expect(shape_run_index(shape, state) == index[WHITE] * shape->n_runs[BLACK] + index[BLACK],
                "a run state has its number");
    fuzz_expect(shape->n_run_states <= MAX_RUN_STATES, "no more run states than there can be");
}

static void expect_possible(const struct rules *rules, const struct shape *shape,
                            const struct state *state)
{
    struct state again;
    struct shape other;
    struct placement back;
    char fen[FEN_SIZE];
    einspul_error error = {0};
    fuzz_expect(state_check(rules, state, false, &error) == EINSPUL_OK, error.text);
    const struct material material = material_of(&state->at);
    fuzz_expect(material_equal(&material, &shape->material), "a placement has its material");
    fen_write(rules, state, fen);
    fuzz_expect(fen_read(rules, fen, &again, NULL) == EINSPUL_OK &&
                    shape_rank(shape, &again.at) == shape_rank(shape, &state->at) &&
                    shape_run_index(shape, &again) == shape_run_index(shape, state),
                "a FEN keeps the numbers");
    const struct state turned = state_turn(&rules->board, state);
    const struct material turned_material = material_turn(&material);
    shape_init(&other, rules, &turned_material);
    const uint64_t index = shape_rank(&other, &turned.at);
    fuzz_expect(index < other.n_placements && shape_unrank(&other, index, turned.at.side, &back) &&
                    back.men[WHITE] == turned.at.men[WHITE] &&
                    back.kings[BLACK] == turned.at.kings[BLACK],
                "a turned placement has a number");
    fuzz_expect(shape_run_index(&other, &turned) < other.n_run_states,
                "a turned run state has a number");
}

static void expect_index(const struct rules *rules, const struct shape *shape, uint64_t index,
                         enum side side, const uint8_t runs[2])
{
    struct state state = {0};
    const bool possible = shape_unrank(shape, index, side, &state.at);
    fuzz_expect(shape_rank(shape, &state.at) == index, "a placement has its number");
    fuzz_expect(shape_frame(shape, &state.at) * shape->frame_size + shape_kings(shape, &state.at) ==
                    index,
                "frame and kings make the number");
    fuzz_expect(possible == (squares_count(placement_occupied(&state.at)) ==
                             material_pieces(&shape->material)),
                "possible is: no square twice");
    expect_runs(shape, &state, runs);
    for (int s = WHITE; s <= BLACK; s++) {
        const squares_t kings = state.at.kings[s];
        const uint32_t rank = set_rank(kings);
        fuzz_expect((kings & ~rules->board.all) == 0, "kings stand on the board");
        fuzz_expect(set_unrank(rank, squares_count(kings)) == kings, "a set has its number");
        if (rank + 1 < shape->n_king_sets[s])
            fuzz_expect(set_rank(set_next(kings)) == rank + 1, "the next set has the next number");
    }
    if (possible)
        expect_possible(rules, shape, &state);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n_bytes)
{
    struct fuzz_input input = {bytes, n_bytes};
    struct rules rules;
    struct shape shape;
    const uint8_t choice = fuzz_byte(&input);
    const enum side side = choice & 0x80 ? BLACK : WHITE;
    const uint8_t runs[2] = {fuzz_byte(&input), fuzz_byte(&input)};
    const uint64_t number = fuzz_number(&input);
    const struct material material = take_material(&input);

    fuzz_rules(&rules, choice);
    shape_init(&shape, &rules, &material);
    expect_index(&rules, &shape, number % shape.n_placements, side, runs);
    expect_index(&rules, &shape, 0, side, runs);
    expect_index(&rules, &shape, shape.n_placements - 1, side, runs);
    return 0;
}

/* Some materials. */
size_t fuzz_seed(int number, uint8_t *bytes)
{
    static const uint8_t counts[][4] = {{0, 1, 0, 1}, {1, 1, 1, 1}, {0, 6, 0, 1}, {6, 0, 1, 0},
                                        {1, 3, 1, 2}, {3, 0, 4, 0}, {0, 7, 0, 1}, {2, 2, 2, 2}};
    if (number >= 16)
        return 0;
    bytes[0] = (uint8_t)(number % 2 == 0 ? 0 : 0x80 + number);
    memset(bytes + 1, number % 2 == 0 ? 0 : 0xff, 10);
    memcpy(bytes + 11, counts[number / 2], 4);
    bytes[15] = 0; /* something is left: these counts are taken */
    return 16;
}
