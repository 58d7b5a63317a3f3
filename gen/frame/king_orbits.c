/* Orbits are counted by Burnside's lemma: there are as many as the sets that a symmetry leaves
 * unchanged, on average. */
#include "gen/frame/king_orbits.h"

#include "core/bits.h"
#include "core/program/index.h"

#include <string.h>

enum { REFLECTION = 1, TURN = 2 }; /* bits of a symmetry; both: the other reflection */

static int square_image(const struct board *board, int square, int symmetry)
{
    const int last = board->n_rows - 1;
    const int per_row = board->n_rows / 2;
    int row = square / per_row;
    int column = 2 * (square % per_row) + (row % 2 == 0 ? 1 : 0);
    if ((symmetry & REFLECTION) != 0) {
        const int swapped = row;
        row = column;
        column = swapped;
    }
    if ((symmetry & TURN) != 0) {
        row = last - row;
        column = last - column;
    }
    return row * per_row + column / 2;
}

static squares_t image_of(const struct board *board, squares_t squares, int symmetry)
{
    squares_t image = 0;
    for (; squares != 0; squares &= squares - 1)
        image |= square_bit(square_image(board, bits_first(squares), symmetry));
    return image;
}

squares_t squares_images(const struct board *board, squares_t squares)
{
    squares_t images = 0;
    for (int symmetry = 0; symmetry < N_SYMMETRIES; symmetry++)
        images |= image_of(board, squares, symmetry);
    return images;
}

/* The sets of `size` squares that a symmetry leaves unchanged if it leaves `n_fixed` squares where
 * they are and swaps the others in pairs. */
static uint32_t unchanged_sets(int n_squares, int n_fixed, int size)
{
    uint32_t n = 0;
    for (int pairs = 0; 2 * pairs <= size; pairs++)
        n += choose(n_fixed, size - 2 * pairs) * choose((n_squares - n_fixed) / 2, pairs);
    return n;
}

uint32_t king_orbits_count(int n_squares, int size)
{
    int n_rows = 2;
    while (n_rows * n_rows / 2 < n_squares)
        n_rows += 2;
    /* One of the diagonals is dark. */
    return (choose(n_squares, size) + unchanged_sets(n_squares, n_rows, size) +
            2 * unchanged_sets(n_squares, 0, size)) /
           N_SYMMETRIES;
}

void king_orbits_allocate(struct king_orbits *orbits, int n_squares, int size,
                          struct allocation *allocation)
{
    const size_t n_sets = choose(n_squares, size);
    orbits->n = king_orbits_count(n_squares, size);
    orbits->representative = allocation_alloc(allocation, orbits->n, sizeof(uint32_t));
    orbits->orbit_of = allocation_alloc(allocation, n_sets, sizeof(uint32_t));
    for (int symmetry = 0; symmetry < N_SYMMETRIES; symmetry++)
        orbits->image[symmetry] = allocation_alloc(allocation, n_sets, sizeof(uint32_t));
    orbits->to_representative = allocation_alloc(allocation, n_sets, sizeof(uint8_t));
}

void king_orbits_fill(struct king_orbits *orbits, const struct board *board, int size)
{
    const uint32_t n_sets = choose(board->n_squares, size);
    squares_t set = square_bit(size) - 1;
    uint32_t n = 0;
    for (uint32_t rank = 0; rank < n_sets; rank++) {
        uint32_t lowest = rank;
        for (int symmetry = 0; symmetry < N_SYMMETRIES; symmetry++) {
            const uint32_t image = set_rank(image_of(board, set, symmetry));
            orbits->image[symmetry][rank] = image;
            lowest = image < lowest ? image : lowest;
        }
        if (lowest == rank)
            orbits->representative[n++] = rank;
        orbits->orbit_of[rank] = lowest == rank ? n - 1 : orbits->orbit_of[lowest];
        orbits->to_representative[rank] = 0;
        for (int symmetry = 0; symmetry < N_SYMMETRIES; symmetry++)
            orbits->to_representative[rank] |=
                (uint8_t)((orbits->image[symmetry][rank] == lowest) << symmetry);
        if (rank + 1 < n_sets)
            set = set_next(set);
    }
}
