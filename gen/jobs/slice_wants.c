/* A slice looks up few frames of the materials that a promotion leads to, which are as large as its
 * own: only those are loaded. */
#include "gen/jobs/slice_wants.h"

#include "gen/values/levels.h"

#include <stdlib.h>

static void mark(uint8_t *wanted, const struct shape *shape, const struct board *board,
                 const squares_t men[2], bool turned)
{
    struct placement at = {.men = {men[WHITE], men[BLACK]}};
    if (turned) {
        at.men[WHITE] = board_turn(board, men[BLACK]);
        at.men[BLACK] = board_turn(board, men[WHITE]);
    }
    const uint64_t frame = shape_frame(shape, &at);
    wanted[frame / 8] = (uint8_t)(wanted[frame / 8] | 1u << frame % 8);
}

/* Marks the frames of a material that the promotions of one side of a frame lead to: there the
 * man is missing. Of symmetric material both ways round, as one of them is stored. */
static void mark_promotions(uint8_t *wanted, const struct shape *shape, const struct rules *rules,
                            const struct material *from, const squares_t men[2], int side)
{
    struct material to = *from;
    to.men[side]--;
    to.kings[side]++;
    const bool turned = !material_is_canonical(&to);
    if (turned)
        to = material_turn(&to);
    if (!material_equal(&to, &shape->material))
        return;
    for (squares_t left = men[side]; left != 0; left &= left - 1) {
        squares_t after[2] = {men[WHITE], men[BLACK]};
        if (board_steps_to_go(&rules->board, (enum side)side, squares_first(left)) != 1)
            continue;
        after[side] ^= left & (0 - left);
        mark(wanted, shape, &rules->board, after, turned);
        if (material_is_symmetric(&to))
            mark(wanted, shape, &rules->board, after, !turned);
    }
}

static void mark_slice(uint8_t *wanted, const struct shape *shape, const struct rules *rules,
                       const struct job *job, const struct levels *levels)
{
    const struct material *from = &job->materials[0];
    struct shape own;
    shape_init(&own, rules, from);
    for (int level = job->first_level; level <= job->last_level; level++) {
        const uint64_t n_tasks = levels_tasks(levels, level);
        const struct task_range range = tasks_part(n_tasks, job->part, job->n_parts);
        struct levels_cursor cursor;
        uint64_t position = levels->start[level] + (range.first << levels->frames_shift);
        uint64_t end = levels->start[level] + (range.end << levels->frames_shift);
        end = end < levels->end[level] ? end : levels->end[level];
        if (position < end)
            levels_seek(&cursor, levels, level, position);
        for (; position < end; position++, levels_next(&cursor)) {
            struct placement at; /* any kings */
            shape_unrank(&own, cursor.frame * own.frame_size, WHITE, &at);
            for (int side = WHITE; side <= BLACK; side++)
                if (from->men[side] > 0)
                    mark_promotions(wanted, shape, rules, from, at.men, side);
        }
    }
}

einspul_status slice_wants(void *context, int index, uint8_t **wanted, einspul_error *error)
{
    const struct slice_wants *slice = context;
    const struct rules *rules = slice->rules;
    const struct generate_plan *plan = slice->plan;
    const struct material *material = &plan->materials[index].material;
    const struct material *own = &slice->job->materials[0];
    struct shape shape;
    struct levels levels;
    *wanted = NULL;
    for (int i = 0; i < plan->n_materials; i++)
        if (plan->materials[i].solved_again)
            return EINSPUL_OK; /* by moves that may lead here */
    if (material_pieces(material) != material_pieces(own))
        return EINSPUL_OK;
    shape_init(&shape, rules, own);
    if (levels_create(&levels, rules, &shape, LEVELS_TO_SOLVE) != EINSPUL_OK)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a slice's frames");
    shape_init(&shape, rules, material);
    *wanted = calloc((size_t)(shape.n_frames / 8 + 1), 1);
    if (*wanted != NULL)
        mark_slice(*wanted, &shape, rules, slice->job, &levels);
    levels_free(&levels);
    return *wanted != NULL
               ? EINSPUL_OK
               : error_set(error, EINSPUL_NO_MEMORY, "not enough memory for a slice's frames");
}
