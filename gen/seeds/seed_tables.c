/* The squares a piece can jump over, and the king ranks and runs after a move that leaves the
 * frame. */
#include "gen/seeds/seed_tables.h"

#include "core/bits.h"
#include "core/program/flip.h"
#include "core/program/index.h"

#include <string.h>

static void fill_jumps(struct seed_tables *tables, const struct rules *rules)
{
    for (int from = 0; from < MAX_SQUARES; from++)
        for (int victim = 0; victim < MAX_SQUARES; victim++) {
            const squares_t empty = rules->board.jump[from][victim];
            tables->jump_of_king[from][victim] =
                (rules->king_reach[from] >> victim & 1) != 0 ? empty : NO_JUMP;
            for (int side = WHITE; side <= BLACK; side++)
                tables->jump_of_man[side][from][victim] =
                    (rules->man_reach[side][from] >> victim & 1) != 0 ? empty : NO_JUMP;
        }
}

/* A board of 2p x 2p has 2p * p squares, and p on a promotion row. */
static int promotions(const struct shape *shape)
{
    int n = 1;
    while (2 * n * n < shape->n_squares)
        n++;
    return n;
}

static void ranks_allocate(struct seed_tables *tables, const struct shape *shape,
                           struct allocation *allocation)
{
    const bool has_kings = shape->material.kings[WHITE] + shape->material.kings[BLACK] > 0;
    for (int side = WHITE; side <= BLACK; side++) {
        const size_t n = shape->n_king_sets[side];
        const size_t n_moves = 2 * (size_t)shape->n_men_sets[side] * shape->material.men[side];
        if (!has_kings)
            tables->rank_after[side] = allocation_alloc(allocation, n_moves, sizeof(uint32_t));
        tables->same[side] = allocation_alloc(allocation, n, sizeof(uint32_t));
        for (int k = 0; k < promotions(shape) && shape->material.men[side] > 0; k++) {
            tables->promoted[side][k] = allocation_alloc(allocation, n, sizeof(uint32_t));
            tables->promoted_flipped[side][k] = allocation_alloc(allocation, n, sizeof(uint32_t));
        }
    }
}

static void fill_ranks(struct seed_tables *tables, const struct board *board,
                       const struct shape *shape, int side, const squares_t *king_sets)
{
    const uint32_t n = shape->n_king_sets[side];
    for (uint32_t rank = 0; rank < n; rank++)
        tables->same[side][rank] = rank;
    for (int k = 0; k < promotions(shape) && shape->material.men[side] > 0; k++) {
        const squares_t king = square_bit(promotion_square(board, side, k));
        for (uint32_t rank = 0; rank < n; rank++) {
            const squares_t set = king_sets[rank] | king;
            tables->promoted[side][k][rank] = set_rank(set);
            tables->promoted_flipped[side][k][rank] = set_rank(board_rotate(board, set));
        }
    }
}

static void fill_ranks_after(uint32_t *rank_after, const struct frame_context *context, int side)
{
    const struct board *board = &context->rules->board;
    const int first = side == WHITE ? NORTH_WEST : SOUTH_WEST;
    for (uint32_t rank = 0; rank < context->shape.n_men_sets[side]; rank++) {
        const squares_t men = context->men_sets[side][rank];
        for (squares_t left = men; left != 0; left &= left - 1)
            for (int direction = first; direction < first + 2; direction++, rank_after++) {
                const int to = board->next[direction][bits_first(left)];
                const squares_t after = to == NO_SQUARE ? 0 : square_bit(to);
                if (after != 0 && (after & (men | board->promotion[side])) == 0)
                    *rank_after = set_rank(((men & ~(left & (0 - left))) | after) >>
                                           context->shape.man_offset[side]);
            }
    }
}

static void fill_runs(struct seed_tables *tables, int side, int n_kings)
{
    for (int left = 0; left < 1 << n_kings; left++) {
        const int n_left = bits_count((unsigned)left);
        for (int run = 1; run < run_indices(n_kings); run++) {
            const int king = run_king(run);
            const int after = bits_count((unsigned)left & ((1u << king) - 1));
            if ((left >> king & 1) == 0)
                continue;
            const int run_after = run_index_of(after, run_count(run));
            tables->run_after[side][left][false][run] = (uint8_t)run_after;
            tables->run_after[side][left][true][run] =
                (uint8_t)run_index_flipped(run_after, n_left);
        }
    }
}

uint64_t seed_tables_bytes(const struct shape *shape)
{
    struct allocation allocation = {.counts_only = true};
    struct seed_tables tables;
    (void)allocation_alloc(&allocation, 1, sizeof tables);
    ranks_allocate(&tables, shape, &allocation);
    return allocation.n_bytes;
}

einspul_status seed_tables_create(struct frame_context *context)
{
    const struct shape *shape = &context->shape;
    const struct rules *rules = context->rules;
    struct seed_tables *tables = allocation_alloc(&context->memory, 1, sizeof *tables);
    if (tables == NULL)
        return EINSPUL_NO_MEMORY;
    memset(tables, 0, sizeof *tables);
    ranks_allocate(tables, shape, &context->memory);
    if (context->memory.failed)
        return EINSPUL_NO_MEMORY;
    tables->cells = cells_of_squares(&rules->board, rules->board.all);
    fill_jumps(tables, rules);
    for (int side = WHITE; side <= BLACK; side++) {
        fill_runs(tables, side, shape->material.kings[side]);
        fill_ranks(tables, &rules->board, shape, side, context->king_sets[side]);
        if (!context->has_kings)
            fill_ranks_after(tables->rank_after[side], context, side);
    }
    context->seed_tables = tables;
    return EINSPUL_OK;
}
