/* The numbering of layout.h, tabulated once a material: set ranks to words and cells and back, and
 * for every config the places where a king move of its own side can have led to it. */
#include "gen/frame/layout.h"

#include "core/bits.h"
#include "core/program/extensions.h"
#include "core/program/index.h"

#include <string.h>

/* Squares that the others leave to the designated king. */
static uint32_t n_free(const struct layout *layout)
{
    return layout->n_squares - (uint32_t)layout->n_kings + 1;
}

void layout_init(struct layout *layout, const struct shape *shape, bool folded, enum side side)
{
    memset(layout, 0, sizeof *layout);
    layout->n_squares = (uint32_t)shape->n_squares;
    layout->n_kings = shape->material.kings[side];
    layout->n_runs = shape->n_runs[side];
    layout->has_runs = layout->n_runs > 1;
    layout->n_planes = layout->has_runs ? 1 + MAX_RUN_COUNT : 1;
    layout->n_after_planes = layout->has_runs ? MAX_RUN_COUNT : 1;
    layout->n_sets = shape->n_king_sets[side];
    layout->set_stride =
        (size_t)shape->n_rule_states * (side == WHITE ? shape->n_king_sets[BLACK] : 1);
    layout->run_stride = side == WHITE ? (size_t)shape->n_runs[BLACK] : 1;
    layout->n_others = layout->n_kings > 0 ? choose(shape->n_squares, layout->n_kings - 1) : 1;
    if (layout->has_runs)
        layout->n_running = layout->n_others * n_free(layout);
    layout->n_configs = layout->n_sets + MAX_RUN_COUNT * layout->n_running;
    layout->n_strip_sets =
        folded ? king_orbits_count(shape->n_squares, layout->n_kings) : layout->n_sets;
    layout->n_strips = layout->n_strip_sets + MAX_RUN_COUNT * layout->n_running;
    /* A run shows which king has moved last; without runs it may have been any of them. */
    layout->n_after_bits = layout->has_runs ? 1 : layout->n_kings;
    layout->n_pair_bases = layout->n_kings > 1 ? choose(shape->n_squares, layout->n_kings - 2) : 0;
}

void layout_allocate(struct layout *layout, struct allocation *allocation)
{
    const size_t n_others = layout->n_others;
    const size_t n_configs = layout->n_configs;
    const size_t n_runs = layout->n_sets * (size_t)layout->n_runs;
    const size_t n_kings = layout->n_sets * (size_t)layout->n_kings;
    const size_t n_after_bits = n_configs * (size_t)layout->n_after_bits;
    const size_t n_pairs = (size_t)layout->n_pair_bases * WORD_CELLS;

    layout->others_cells = allocation_alloc(allocation, n_others, sizeof(cells_t));
    layout->highest = allocation_alloc(allocation, n_others, sizeof(cells_t));
    layout->set_of = allocation_alloc(allocation, n_others * WORD_CELLS, sizeof(uint32_t));
    if (layout->has_runs)
        layout->running_of = allocation_alloc(allocation, n_others * WORD_CELLS, sizeof(uint32_t));
    layout->config_cells = allocation_alloc(allocation, n_configs, sizeof(cells_t));
    layout->strip_cells = layout->config_cells;
    if (layout->n_strips < layout->n_configs)
        layout->strip_cells = allocation_alloc(allocation, layout->n_strips, sizeof(cells_t));
    layout->config_set = allocation_alloc(allocation, n_configs, sizeof(uint32_t));
    layout->config_offset = allocation_alloc(allocation, n_configs, sizeof(size_t));
    layout->config_of_run = allocation_alloc(allocation, n_runs, sizeof(uint32_t));
    layout->set_others = allocation_alloc(allocation, n_kings, sizeof(uint32_t));
    layout->set_cell = allocation_alloc(allocation, n_kings, sizeof(uint8_t));
    layout->after_bits = allocation_alloc(allocation, n_after_bits, sizeof(struct layout_bit));
    layout->pair_others = allocation_alloc(allocation, n_pairs, sizeof(uint32_t));
}

/* Fills the arrays by others, in the order of their ranks. */
static void fill_others(struct layout *layout, const struct board *board)
{
    const int size = layout->n_kings > 0 ? layout->n_kings - 1 : 0;
    const size_t n_bytes = (size_t)layout->n_others * WORD_CELLS * sizeof(uint32_t);
    squares_t others = square_bit(size) - 1;
    memset(layout->set_of, UINT8_MAX, n_bytes); /* NO_INDEX */
    if (layout->has_runs)
        memset(layout->running_of, UINT8_MAX, n_bytes);
    for (uint32_t rank = 0; rank < layout->n_others; rank++) {
        layout->others_cells[rank] = cells_of_squares(board, others);
        layout->highest[rank] =
            others == 0 ? ~(cells_t)0
                        : ~((((cells_t)2 << cell_of_square(board, bits_last(others)))) - 1);
        uint32_t running = rank * n_free(layout); /* each set leaves as many squares free */
        for (int square = 0; square < board->n_squares; square++) {
            const size_t at = (size_t)rank * WORD_CELLS + (size_t)cell_of_square(board, square);
            if (layout->n_kings == 0 || (others & square_bit(square)) != 0)
                continue;
            layout->set_of[at] = set_rank(others | square_bit(square));
            if (layout->has_runs)
                layout->running_of[at] = running++;
        }
        if (rank + 1 < layout->n_others)
            others = set_next(others);
    }
}

/* The configs in which one king of a set runs. */
static void fill_runs(struct layout *layout, uint32_t set, int king, uint32_t others)
{
    const uint8_t cell = layout->set_cell[set * (uint32_t)layout->n_kings + (uint32_t)king];
    for (int count = 1; layout->has_runs && count <= MAX_RUN_COUNT; count++) {
        const struct layout_configs configs = layout_configs(layout, others, count);
        const uint32_t config = configs.first + configs.by_cell[cell];
        const int run = run_index_of(king, count);
        layout->config_of_run[set * (uint32_t)layout->n_runs + (uint32_t)run] = config;
        layout->config_cells[config] = layout->config_cells[set];
        layout->config_set[config] = set;
        layout->config_offset[config] = set * layout->set_stride + (size_t)run * layout->run_stride;
        layout->after_bits[config] =
            (struct layout_bit){.others = others, .plane = (uint8_t)(count - 1), .cell = cell};
    }
}

/* The configs of count 0, whose numbers are the ranks of sets, and from each of them those in which
 * one of its kings runs. */
static void fill_sets(struct layout *layout, const struct frame_context *context, enum side side)
{
    const struct board *board = &context->rules->board;
    for (uint32_t rank = 0; rank < layout->n_sets; rank++) {
        const squares_t set = context->king_sets[side][rank];
        squares_t left = set;
        layout->config_cells[rank] = cells_of_squares(board, set);
        layout->config_set[rank] = rank;
        layout->config_offset[rank] = rank * layout->set_stride;
        layout->config_of_run[rank * (uint32_t)layout->n_runs] = rank;
        for (int king = 0; king < layout->n_kings; king++, left &= left - 1) {
            const int square = bits_first(left);
            const uint32_t at = rank * (uint32_t)layout->n_kings + (uint32_t)king;
            const uint32_t others = set_rank(set & ~square_bit(square));
            layout->set_others[at] = others;
            layout->set_cell[at] = (uint8_t)cell_of_square(board, square);
            fill_runs(layout, rank, king, others);
            if (!layout->has_runs)
                layout->after_bits[at] =
                    (struct layout_bit){.others = others, .plane = 0, .cell = layout->set_cell[at]};
        }
    }
}

/* The rows of the matrices that exchange designated kings (words_cross). */
static void fill_pairs(struct layout *layout, const struct board *board)
{
    squares_t base = layout->n_kings > 1 ? square_bit(layout->n_kings - 2) - 1 : 0;
    if (layout->n_pair_bases > 0)
        memset(layout->pair_others, UINT8_MAX,
               (size_t)layout->n_pair_bases * WORD_CELLS * sizeof(uint32_t));
    for (uint32_t rank = 0; rank < layout->n_pair_bases; rank++) {
        for (squares_t left = board->all & ~base; left != 0; left &= left - 1)
            layout->pair_others[rank * WORD_CELLS +
                                (uint32_t)cell_of_square(board, bits_first(left))] =
                set_rank(base | (left & (0 - left)));
        if (rank + 1 < layout->n_pair_bases)
            base = set_next(base);
    }
}

void layout_fill(struct layout *layout, const struct frame_context *context, enum side side)
{
    const struct board *board = &context->rules->board;
    const size_t n_after_bits = (size_t)layout->n_configs * (size_t)layout->n_after_bits;

    for (size_t i = 0; i < n_after_bits; i++)
        layout->after_bits[i] = (struct layout_bit){0, NO_PLANE, 0};
    fill_others(layout, board);
    fill_sets(layout, context, side);
    for (uint32_t strip = 0;
         layout->strip_cells != layout->config_cells && strip < layout->n_strips; strip++)
        layout->strip_cells[strip] =
            layout->config_cells[context->orbits[side].representative[strip]];
    fill_pairs(layout, board);
}
