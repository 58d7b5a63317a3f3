/* Ranks in the combinatorial number system (Knuth, The Art of Computer Programming 4A, 7.2.1.3).
 *
 * Each set of k squares has a rank below C(n, k). The order of ranks is the numerical order of the
 * bit sets, so the next set takes a few operations (set_next, HAKMEM item 175). A rank is a sum of
 * k entries of Pascal's triangle, a table of constants, so the prober needs no division. */
#include "core/rank.h"

const uint32_t pascal[MAX_SQUARES + 1][MAX_SET + 1] = {
    {1, 0, 0, 0, 0, 0, 0, 0},
    {1, 1, 0, 0, 0, 0, 0, 0},
    {1, 2, 1, 0, 0, 0, 0, 0},
    {1, 3, 3, 1, 0, 0, 0, 0},
    {1, 4, 6, 4, 1, 0, 0, 0},
    {1, 5, 10, 10, 5, 1, 0, 0},
    {1, 6, 15, 20, 15, 6, 1, 0},
    {1, 7, 21, 35, 35, 21, 7, 1},
    {1, 8, 28, 56, 70, 56, 28, 8},
    {1, 9, 36, 84, 126, 126, 84, 36},
    {1, 10, 45, 120, 210, 252, 210, 120},
    {1, 11, 55, 165, 330, 462, 462, 330},
    {1, 12, 66, 220, 495, 792, 924, 792},
    {1, 13, 78, 286, 715, 1287, 1716, 1716},
    {1, 14, 91, 364, 1001, 2002, 3003, 3432},
    {1, 15, 105, 455, 1365, 3003, 5005, 6435},
    {1, 16, 120, 560, 1820, 4368, 8008, 11440},
    {1, 17, 136, 680, 2380, 6188, 12376, 19448},
    {1, 18, 153, 816, 3060, 8568, 18564, 31824},
    {1, 19, 171, 969, 3876, 11628, 27132, 50388},
    {1, 20, 190, 1140, 4845, 15504, 38760, 77520},
    {1, 21, 210, 1330, 5985, 20349, 54264, 116280},
    {1, 22, 231, 1540, 7315, 26334, 74613, 170544},
    {1, 23, 253, 1771, 8855, 33649, 100947, 245157},
    {1, 24, 276, 2024, 10626, 42504, 134596, 346104},
    {1, 25, 300, 2300, 12650, 53130, 177100, 480700},
    {1, 26, 325, 2600, 14950, 65780, 230230, 657800},
    {1, 27, 351, 2925, 17550, 80730, 296010, 888030},
    {1, 28, 378, 3276, 20475, 98280, 376740, 1184040},
    {1, 29, 406, 3654, 23751, 118755, 475020, 1560780},
    {1, 30, 435, 4060, 27405, 142506, 593775, 2035800},
    {1, 31, 465, 4495, 31465, 169911, 736281, 2629575},
    {1, 32, 496, 4960, 35960, 201376, 906192, 3365856},
    {1, 33, 528, 5456, 40920, 237336, 1107568, 4272048},
    {1, 34, 561, 5984, 46376, 278256, 1344904, 5379616},
    {1, 35, 595, 6545, 52360, 324632, 1623160, 6724520},
    {1, 36, 630, 7140, 58905, 376992, 1947792, 8347680},
    {1, 37, 666, 7770, 66045, 435897, 2324784, 10295472},
    {1, 38, 703, 8436, 73815, 501942, 2760681, 12620256},
    {1, 39, 741, 9139, 82251, 575757, 3262623, 15380937},
    {1, 40, 780, 9880, 91390, 658008, 3838380, 18643560},
    {1, 41, 820, 10660, 101270, 749398, 4496388, 22481940},
    {1, 42, 861, 11480, 111930, 850668, 5245786, 26978328},
    {1, 43, 903, 12341, 123410, 962598, 6096454, 32224114},
    {1, 44, 946, 13244, 135751, 1086008, 7059052, 38320568},
    {1, 45, 990, 14190, 148995, 1221759, 8145060, 45379620},
    {1, 46, 1035, 15180, 163185, 1370754, 9366819, 53524680},
    {1, 47, 1081, 16215, 178365, 1533939, 10737573, 62891499},
    {1, 48, 1128, 17296, 194580, 1712304, 12271512, 73629072},
    {1, 49, 1176, 18424, 211876, 1906884, 13983816, 85900584},
    {1, 50, 1225, 19600, 230300, 2118760, 15890700, 99884400},
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
