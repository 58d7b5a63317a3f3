#include "gen/levels.h"

#include <stdlib.h>
#include <string.h>

uint64_t frame_twin(const struct rules *rules, const struct shape *shape, uint64_t frame)
{
    struct placement placement;
    (void)shape_unrank(shape, frame * shape->frame_size, WHITE, &placement);
    const struct placement turned = placement_turn(&rules->board, &placement);
    return shape_frame(shape, &turned);
}

static int men_steps(const struct board *board, enum side side, squares_t men)
{
    int steps = 0;
    for (; men != 0; men &= men - 1)
        steps += board_steps_to_go(board, side, squares_first(men));
    return steps;
}

/* The level of a frame, or -1 when it is impossible or its twin stands for it. */
static int frame_level(const struct rules *rules, const struct shape *shape, bool symmetric,
                       uint64_t frame)
{
    struct placement placement;
    (void)shape_unrank(shape, frame * shape->frame_size, WHITE, &placement);
    if ((placement.men[WHITE] & placement.men[BLACK]) != 0)
        return -1;
    if (symmetric && frame_twin(rules, shape, frame) < frame)
        return -1;
    return men_steps(&rules->board, WHITE, placement.men[WHITE]) +
           men_steps(&rules->board, BLACK, placement.men[BLACK]);
}

enum status levels_create(struct levels *levels, const struct rules *rules,
                          const struct shape *shape)
{
    const bool symmetric = material_is_symmetric(&shape->material);
    int8_t *level_of = malloc(shape->n_frames);
    uint64_t next[MAX_LEVELS] = {0};

    memset(levels, 0, sizeof *levels);
    levels->frames = malloc(shape->n_frames * sizeof *levels->frames);
    if (level_of == NULL || levels->frames == NULL || shape->n_frames > UINT32_MAX) {
        free(level_of);
        levels_free(levels);
        return STATUS_NO_MEMORY;
    }
    for (uint64_t frame = 0; frame < shape->n_frames; frame++) {
        const int level = frame_level(rules, shape, symmetric, frame);
        level_of[frame] = (int8_t)level;
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

void levels_free(struct levels *levels)
{
    free(levels->frames);
    memset(levels, 0, sizeof *levels);
}
