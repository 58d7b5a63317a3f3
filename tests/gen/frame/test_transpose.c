/* What exists for several instruction sets: all bit-matrix transposes that this CPU supports, and
 * comparing 64 bytes with one. Fails if one is wrong, which would corrupt tables generated on
 * machines with that instruction set only. */
#include "core/program/extensions.h"
#include "gen/frame/transpose.h"
#include "tests/support/moves_text.h"

/* Sparse, half full, dense. */
static cells_t random_row(uint64_t *seed, int kind)
{
    const cells_t row = random_next(seed);
    return kind == 0 ? row & random_next(seed) & random_next(seed)
                     : (kind == 1 ? row : row | random_next(seed) | random_next(seed));
}

static void expect_transpose(void transpose(cells_t matrix[WORD_CELLS]), uint64_t *seed, int kind)
{
    cells_t before[WORD_CELLS];
    cells_t after[WORD_CELLS + 2] = {[0] = 1, [WORD_CELLS + 1] = 2};
    for (int i = 0; i < WORD_CELLS; i++)
        before[i] = after[1 + i] = random_row(seed, kind);
    transpose(after + 1);
    for (int i = 0; i < WORD_CELLS; i++)
        for (int j = 0; j < WORD_CELLS; j++)
            cr_assert_eq(after[1 + i] >> j & 1, before[j] >> i & 1, "row %d bit %d", i, j);
    cr_assert_eq(after[0], 1);
    cr_assert_eq(after[WORD_CELLS + 1], 2);
}

Test(transpose, of_all_instruction_sets)
{
    uint64_t seed = 25;
    for (int round = 0; round < 300; round++) {
        expect_transpose(words_transpose, &seed, round % 3);
        expect_transpose(words_transpose_portable, &seed, round % 3);
    }
}

Test(transpose, matching_bytes)
{
    uint64_t seed = 26;
    for (int round = 0; round < 1000; round++) {
        uint8_t bytes[WORD_CELLS];
        const uint8_t value = (uint8_t)(random_next(&seed) & 0x83);
        for (int i = 0; i < WORD_CELLS; i++)
            bytes[i] = (uint8_t)(random_next(&seed) & 0x83);
        const uint64_t matching = bytes_matching(bytes, value);
        for (int i = 0; i < WORD_CELLS; i++)
            cr_assert_eq(matching >> i & 1, bytes[i] == value, "byte %d", i);
    }
}
