/* Ranks in the combinatorial number system (Knuth, The Art of Computer Programming 4A, 7.2.1.3),
 * whose order is the numerical order of the bit sets. A rank is a sum of entries of Pascal's
 * triangle, a table of constants, so the prober needs no division. */
#include "core/rank.h"

/* C(n, k) from C(n, k - 1); 0 where k > n, since a factor is. All fit in an int. */
#define C2(n) ((n) * ((n)-1) / 2)
#define C3(n) (C2(n) * ((n)-2) / 3)
#define C4(n) (C3(n) * ((n)-3) / 4)
#define C5(n) (C4(n) * ((n)-4) / 5)
#define C6(n) (C5(n) * ((n)-5) / 6)
#define C7(n) (C6(n) * ((n)-6) / 7)
#define ROW(n)                                                                                     \
    {                                                                                              \
        1, n, C2(n), C3(n), C4(n), C5(n), C6(n), C7(n)                                             \
    }
#define FIVE(n) ROW(n), ROW((n) + 1), ROW((n) + 2), ROW((n) + 3), ROW((n) + 4)

const uint32_t pascal[MAX_SQUARES + 1][MAX_SET + 1] = {
    FIVE(0),  FIVE(5),  FIVE(10), FIVE(15), FIVE(20), FIVE(25),
    FIVE(30), FIVE(35), FIVE(40), FIVE(45), ROW(50),
};

squares_t set_unrank(uint32_t rank, int size)
{
    squares_t set = 0;
    int square = MAX_SQUARES - 1;
    for (int k = size; k > 0; k--) {
        while (pascal[square][k] > rank)
            square--;
        rank -= pascal[square][k];
        set |= square_bit(square);
    }
    return set;
}

void shape_init(struct shape *shape, const struct rules *rules, const struct material *material)
{
    const struct board *board = &rules->board;

    shape->material = *material;
    shape->n_squares = board->n_squares;
    for (int side = WHITE; side <= BLACK; side++) {
        const squares_t squares = board_man_squares(board, (enum side)side);
        const bool runs =
            rules->king_run_limit > 0 && material->men[side] > 0 && material->kings[side] > 0;
        shape->man_offset[side] = bits_first(squares);
        shape->n_men_sets[side] = choose(bits_count(squares), material->men[side]);
        shape->n_king_sets[side] = choose(board->n_squares, material->kings[side]);
        shape->n_runs[side] = runs ? run_index_of(material->kings[side], 1) : 1;
    }
    shape->n_frames = (uint64_t)shape->n_men_sets[WHITE] * shape->n_men_sets[BLACK];
    shape->frame_size = (uint64_t)shape->n_king_sets[WHITE] * shape->n_king_sets[BLACK];
    shape->n_placements = shape->n_frames * shape->frame_size;
    shape->n_sides = material_is_symmetric(material) ? 1 : 2;
    shape->n_clocks = material_clocks(rules, material);
    shape->n_rule_states = shape->n_runs[WHITE] * shape->n_runs[BLACK] * shape->n_clocks;
}
