#include "gen/levels.h"

#include <stdlib.h>
#include <string.h>

uint64_t frame_twin(const struct frame_context *context, uint64_t frame)
{
    const uint64_t n_black = context->shape.n_men_sets[BLACK];
    return context->men_turned[BLACK][frame % n_black] * n_black +
           context->men_turned[WHITE][frame / n_black];
}

static int men_steps(const struct board *board, enum side side, squares_t men)
{
    int steps = 0;
    for (; men != 0; men &= men - 1)
        steps += board_steps_to_go(board, side, squares_first(men));
    return steps;
}

static bool is_possible(const struct frame_context *context, uint64_t frame)
{
    const uint64_t n_black = context->shape.n_men_sets[BLACK];
    return (context->men_sets[WHITE][frame / n_black] &
            context->men_sets[BLACK][frame % n_black]) == 0;
}

/* The levels of all frames; -1 when a frame is impossible or its twin stands for it. */
static void fill_levels(const struct frame_context *context, int8_t *level_of)
{
    const struct board *board = &context->rules->board;
    const bool symmetric = material_is_symmetric(&context->shape.material);
    uint64_t frame = 0;

    for (uint32_t white = 0; white < context->shape.n_men_sets[WHITE]; white++) {
        const int white_steps = men_steps(board, WHITE, context->men_sets[WHITE][white]);
        for (uint32_t black = 0; black < context->shape.n_men_sets[BLACK]; black++, frame++) {
            const squares_t men = context->men_sets[BLACK][black];
            const bool listed = (context->men_sets[WHITE][white] & men) == 0 &&
                                !(symmetric && frame_twin(context, frame) < frame);
            level_of[frame] = (int8_t)(listed ? white_steps + men_steps(board, BLACK, men) : -1);
        }
    }
}

enum status levels_create(struct levels *levels, const struct frame_context *context)
{
    const struct shape *shape = &context->shape;
    int8_t *level_of = malloc(shape->n_frames);
    uint64_t next[MAX_LEVELS] = {0};

    memset(levels, 0, sizeof *levels);
    levels->frames = malloc(shape->n_frames * sizeof *levels->frames);
    if (level_of == NULL || levels->frames == NULL || shape->n_frames > UINT32_MAX) {
        free(level_of);
        levels_free(levels);
        return STATUS_NO_MEMORY;
    }
    fill_levels(context, level_of);
    for (uint64_t frame = 0; frame < shape->n_frames; frame++) {
        const int level = level_of[frame];
        if (level >= 0) {
            levels->start[level + 1]++;
            if (level >= levels->n_levels)
                levels->n_levels = level + 1;
        }
    }
    for (int level = 0; level < levels->n_levels; level++) {
        levels->start[level + 1] += levels->start[level];
        next[level] = levels->start[level];
    }
    for (uint64_t frame = 0; frame < shape->n_frames; frame++)
        if (level_of[frame] >= 0)
            levels->frames[next[level_of[frame]]++] = (uint32_t)frame;
    free(level_of);
    return STATUS_OK;
}

void levels_list_all(struct levels *levels, const struct frame_context *context)
{
    uint64_t n = 0;
    for (uint64_t frame = 0; frame < context->shape.n_frames; frame++)
        if (is_possible(context, frame))
            levels->frames[n++] = (uint32_t)frame;
    levels->n_levels = 1;
    levels->start[1] = n;
}

void levels_free(struct levels *levels)
{
    free(levels->frames);
    memset(levels, 0, sizeof *levels);
}
