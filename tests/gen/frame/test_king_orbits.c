/* The orbits of king sets. Fails if a frame of kings alone would leave placements out, or give one
 * the value of another that is not its image. */
#include "gen/frame/king_orbits.h"
#include "tests/support/moves_text.h"

/* The image of a square: king sets of one square have its number as their rank. */
static void expect_geometry(const struct board *board, const struct king_orbits *squares)
{
    for (int symmetry = 0; symmetry < N_SYMMETRIES; symmetry++) {
        const uint32_t *image = squares->image[symmetry];
        for (int from = 0; from < board->n_squares; from++) {
            cr_assert_eq((int)image[image[from]], from);
            for (int to = 0; to < board->n_squares; to++) {
                /* equally far from each other on the same kind of line, or on none */
                const bool on_line = board->jump[from][to] != NO_JUMP;
                const squares_t jump = board->jump[image[from]][image[to]];
                cr_assert_eq(jump != NO_JUMP, on_line);
                if (!on_line)
                    continue;
                cr_assert_eq(bits_count(jump), bits_count(board->jump[from][to]));
                cr_assert_eq(board->direction[image[from]][image[to]] <= SOUTH_EAST,
                             board->direction[from][to] <= SOUTH_EAST);
            }
        }
        for (int other = 0; other < symmetry; other++)
            cr_assert_neq(
                memcmp(image, squares->image[other], (size_t)board->n_squares * sizeof *image), 0);
    }
}

Test(king_orbits, of_both_boards)
{
    for (int n_rows = 8; n_rows <= 10; n_rows += 2) {
        struct board board;
        board_init(&board, n_rows);
        for (int size = 1; size <= 4; size++) {
            struct allocation allocation = {0};
            struct king_orbits orbits;
            uint32_t n = 0;
            king_orbits_allocate(&orbits, board.n_squares, size, &allocation);
            king_orbits_fill(&orbits, &board, size);
            for (uint32_t rank = 0; rank < choose(board.n_squares, size); rank++) {
                const uint32_t lowest = orbits.representative[orbits.orbit_of[rank]];
                n += lowest == rank;
                cr_assert_leq(lowest, rank);
                cr_assert_neq(orbits.to_representative[rank], 0);
                for (int symmetry = 0; symmetry < N_SYMMETRIES; symmetry++)
                    cr_assert_eq(orbits.to_representative[rank] >> symmetry & 1,
                                 orbits.image[symmetry][rank] == lowest);
            }
            cr_assert_eq(n, orbits.n);
            if (size == 1)
                expect_geometry(&board, &orbits);
            allocation_free(&allocation);
        }
    }
}
