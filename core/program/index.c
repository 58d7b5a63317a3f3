/* Indices as sums of ranks, and back. */
#include "core/program/index.h"

uint32_t set_rank(squares_t set)
{
    uint32_t rank = 0;
    for (int k = 1; set != 0; set &= set - 1, k++)
        rank += pascal[bits_first(set)][k];
    return rank;
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
    return shape_possible_placements(shape) * (uint64_t)shape->n_rule_states *
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
    return bits_count(all) == n_pieces;
}

struct run run_from_index(squares_t kings, int index)
{
    struct run run = {0, 0};
    if (index == 0)
        return run;
    for (int below = run_king(index); below > 0; below--)
        kings &= kings - 1;
    run.square = (uint8_t)bits_first(kings);
    run.count = (uint8_t)run_count(index);
    return run;
}

void shape_set_runs(const struct shape *shape, int rule_state, struct state *state)
{
    state->clock = (uint8_t)(shape->n_clocks > 1 ? rule_state : 0);
    for (int side = WHITE; side <= BLACK; side++)
        state->run[side] = shape->n_clocks > 1
                               ? (struct run){0, 0}
                               : run_from_index(state->at.kings[side],
                                                shape_run(shape, (enum side)side, rule_state));
}
