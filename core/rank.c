/* Ranks in the combinatorial number system (Knuth, The Art of Computer Programming 4A, 7.2.1.3).
 *
 * Each set of k squares has a rank below C(n, k). The order of ranks is the numerical order of the
 * bit sets, so the next set takes a few operations (set_next, HAKMEM item 175). A rank is a sum of
 * k entries of Pascal's triangle, a table of constants, so the prober needs no division. */
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

uint32_t set_rank(squares_t set)
{
    uint32_t rank = 0;
    for (int k = 1; set != 0; set &= set - 1, k++)
        rank += pascal[squares_first(set)][k];
    return rank;
}

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
        shape->man_offset[side] = squares_first(squares);
        shape->n_men_sets[side] = choose(squares_count(squares), material->men[side]);
        shape->n_king_sets[side] = choose(board->n_squares, material->kings[side]);
        shape->n_runs[side] = runs ? run_indices(material->kings[side]) : 1;
    }
    shape->n_frames = (uint64_t)shape->n_men_sets[WHITE] * shape->n_men_sets[BLACK];
    shape->frame_size = (uint64_t)shape->n_king_sets[WHITE] * shape->n_king_sets[BLACK];
    shape->n_placements = shape->n_frames * shape->frame_size;
    shape->n_sides = material_is_symmetric(material) ? 1 : 2;
    shape->n_clocks = material_clocks(rules, material);
    shape->n_run_states = shape->n_runs[WHITE] * shape->n_runs[BLACK] * shape->n_clocks;
}

uint64_t shape_possible_placements(const struct shape *shape)
{
    const struct material *material = &shape->material;
    const int per_side = shape->n_squares - shape->man_offset[WHITE];
    const int n_outer = shape->man_offset[WHITE]; /* squares only one side's men may use */
    const int n_common = per_side - n_outer;
    const int white = material->men[WHITE];
    const int black = material->men[BLACK];
    const int free = shape->n_squares - white - black;
    uint64_t n_frames = 0;

    for (int common = 0; common <= white; common++)
        if (white - common <= n_outer)
            n_frames += (uint64_t)choose(n_common, common) * choose(n_outer, white - common) *
                        choose(per_side - common, black);
    return n_frames * choose(free, material->kings[WHITE]) *
           choose(free - material->kings[WHITE], material->kings[BLACK]);
}

uint64_t shape_states(const struct shape *shape)
{
    return shape_possible_placements(shape) * (uint64_t)shape->n_run_states *
           (uint64_t)shape->n_sides;
}

uint64_t shape_frame(const struct shape *shape, const struct placement *placement)
{
    return (uint64_t)set_rank(placement->men[WHITE] >> shape->man_offset[WHITE]) *
               shape->n_men_sets[BLACK] +
           set_rank(placement->men[BLACK] >> shape->man_offset[BLACK]);
}

uint64_t shape_kings(const struct shape *shape, const struct placement *placement)
{
    return (uint64_t)set_rank(placement->kings[WHITE]) * shape->n_king_sets[BLACK] +
           set_rank(placement->kings[BLACK]);
}

bool shape_unrank(const struct shape *shape, uint64_t index, enum side side,
                  struct placement *placement)
{
    const uint64_t frame = index / shape->frame_size;
    const uint64_t kings = index % shape->frame_size;
    const uint32_t ranks[2][2] = {{(uint32_t)(frame / shape->n_men_sets[BLACK]),
                                   (uint32_t)(frame % shape->n_men_sets[BLACK])},
                                  {(uint32_t)(kings / shape->n_king_sets[BLACK]),
                                   (uint32_t)(kings % shape->n_king_sets[BLACK])}};
    squares_t all = 0;
    int n_pieces = 0;

    for (int s = WHITE; s <= BLACK; s++) {
        placement->men[s] = set_unrank(ranks[0][s], shape->material.men[s]) << shape->man_offset[s];
        placement->kings[s] = set_unrank(ranks[1][s], shape->material.kings[s]);
        all |= placement->men[s] | placement->kings[s];
        n_pieces += shape->material.men[s] + shape->material.kings[s];
    }
    placement->side = side;
    return squares_count(all) == n_pieces;
}

int run_index(squares_t kings, struct run run)
{
    return run_number(squares_count(kings & (square_bit(run.square) - 1)), run.count);
}

struct run run_from_index(squares_t kings, int index)
{
    struct run run = {0, 0};
    if (index == 0)
        return run;
    for (int below = run_king(index); below > 0; below--)
        kings &= kings - 1;
    run.square = (uint8_t)squares_first(kings);
    run.count = (uint8_t)run_count(index);
    return run;
}

void shape_set_runs(const struct shape *shape, int run_state, struct state *state)
{
    state->clock = (uint8_t)(shape->n_clocks > 1 ? run_state : 0);
    for (int side = WHITE; side <= BLACK; side++)
        state->run[side] = shape->n_clocks > 1
                               ? (struct run){0, 0}
                               : run_from_index(state->at.kings[side],
                                                shape_run(shape, (enum side)side, run_state));
}
