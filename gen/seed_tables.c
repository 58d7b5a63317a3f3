#include "gen/seed_tables.h"

#include <stdlib.h>

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

static enum status fill_ranks(struct seed_tables *tables, const struct frame_context *context,
                              int side)
{
    const struct board *board = &context->rules->board;
    const struct material *material = &context->shape.material;
    const uint32_t n = context->shape.n_king_sets[side];

    tables->same[side] = malloc(n * sizeof(uint32_t));
    if (tables->same[side] == NULL)
        return STATUS_NO_MEMORY;
    for (uint32_t rank = 0; rank < n; rank++)
        tables->same[side][rank] = rank;
    for (int k = 0; k < board->n_rows / 2 && material->men[side] > 0; k++) {
        const squares_t king = square_bit(promotion_square(board, side, k));
        uint32_t *promoted = malloc(n * sizeof *promoted);
        uint32_t *turned = malloc(n * sizeof *turned);
        tables->promoted[side][k] = promoted;
        tables->promoted_turned[side][k] = turned;
        if (promoted == NULL || turned == NULL)
            return STATUS_NO_MEMORY;
        for (uint32_t rank = 0; rank < n; rank++) {
            const squares_t set = context->king_sets[side][rank] | king;
            promoted[rank] = set_rank(set);
            turned[rank] = set_rank(board_turn(board, set));
        }
    }
    return STATUS_OK;
}

static void fill_runs(struct seed_tables *tables, int side, int n_kings)
{
    for (int left = 0; left < 1 << n_kings; left++) {
        const int n_left = __builtin_popcount((unsigned)left);
        for (int run = 1; run < run_indices(n_kings); run++) {
            const int king = run_king(run);
            const int after = __builtin_popcount((unsigned)left & ((1u << king) - 1));
            if ((left >> king & 1) == 0)
                continue;
            const int run_after = run_number(after, run_count(run));
            tables->run_after[side][left][false][run] = (uint8_t)run_after;
            tables->run_after[side][left][true][run] = (uint8_t)run_index_turned(run_after, n_left);
        }
    }
}

enum status seed_tables_create(const struct frame_context *context, struct seed_tables **result)
{
    struct seed_tables *tables = calloc(1, sizeof *tables);
    *result = NULL;
    if (tables == NULL)
        return STATUS_NO_MEMORY;
    tables->cells = cells_of_squares(&context->rules->board, context->rules->board.all);
    fill_jumps(tables, context->rules);
    for (int side = WHITE; side <= BLACK; side++) {
        fill_runs(tables, side, context->shape.material.kings[side]);
        if (fill_ranks(tables, context, side) != STATUS_OK) {
            seed_tables_free(tables);
            return STATUS_NO_MEMORY;
        }
    }
    *result = tables;
    return STATUS_OK;
}

void seed_tables_free(struct seed_tables *tables)
{
    if (tables == NULL)
        return;
    for (int side = WHITE; side <= BLACK; side++) {
        free(tables->same[side]);
        for (int k = 0; k < N_PROMOTIONS; k++) {
            free(tables->promoted[side][k]);
            free(tables->promoted_turned[side][k]);
        }
    }
    free(tables);
}
