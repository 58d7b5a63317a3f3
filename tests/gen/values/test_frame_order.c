/* The order of frames: each has a position of its own, and its man moves lead to earlier levels. */
#include "core/program/flip.h"
#include "core/program/index.h"
#include "core/program/materials.h"
#include "gen/values/store.h"
#include "tests/support/moves_text.h"

#include <stdlib.h>

static uint64_t frame_of(const struct shape *shape, const squares_t men[2])
{
    return (uint64_t)set_rank(men[WHITE] >> shape->man_offset[WHITE]) * shape->n_men_sets[BLACK] +
           set_rank(men[BLACK] >> shape->man_offset[BLACK]);
}

static void men_of(const struct shape *shape, uint64_t frame, squares_t men[2])
{
    const uint32_t rank[2] = {(uint32_t)(frame / shape->n_men_sets[BLACK]),
                              (uint32_t)(frame % shape->n_men_sets[BLACK])};
    for (int side = WHITE; side <= BLACK; side++)
        men[side] = set_unrank(rank[side], shape->material.men[side]) << shape->man_offset[side];
}

/* The level of each frame; -1 if it has no position. Checks that addresses do not overlap, and stay
 * within pages. */
static int *list_levels(const struct solved *solved)
{
    const struct frame_order *order = &solved->order;
    const struct shape *shape = &solved->shape;
    int *level_of = malloc(shape->n_frames * sizeof *level_of);
    uint64_t last = 0;
    bool first = true;
    for (uint64_t i = 0; i < shape->n_frames; i++)
        level_of[i] = -1;
    for (int level = 0; level < order->n_levels; level++) {
        struct frame_cursor cursor;
        uint64_t n = 0;
        if (order->end[level] - order->start[level] == 0)
            continue;
        frame_cursor_seek(&cursor, order, level, order->start[level]);
        do {
            const uint64_t address =
                frame_order_address(order, cursor.frame / shape->n_men_sets[BLACK],
                                    cursor.frame % shape->n_men_sets[BLACK]);
            cr_assert_eq(level_of[cursor.frame], -1);
            cr_assert(first || address >= last + shape->frame_size);
            cr_assert_lt(address >> PAGE_SHIFT, order->n_pages);
            if (shape->frame_size <= PAGE_CAPACITY)
                cr_assert_eq(address >> PAGE_SHIFT,
                             (address + shape->frame_size - 1) >> PAGE_SHIFT);
            level_of[cursor.frame] = level;
            last = address;
            first = false;
            n++;
        } while (frame_cursor_next(&cursor));
        cr_assert_eq(n, order->end[level] - order->start[level]);
    }
    return level_of;
}

/* Man moves lead to a lower level, in the frame itself or its twin. */
static void check_moves(const struct rules *rules, const struct solved *solved, const int *level_of)
{
    const struct shape *shape = &solved->shape;
    for (uint64_t frame = 0; frame < shape->n_frames; frame++) {
        squares_t men[2];
        if (level_of[frame] < 0)
            continue;
        men_of(shape, frame, men);
        for (int side = WHITE; side <= BLACK; side++) {
            for (squares_t left = men[side]; left != 0; left &= left - 1) {
                for (int d = 0; d < 2; d++) {
                    const int from = bits_first(left);
                    const int to =
                        rules->board.next[(side == WHITE ? NORTH_WEST : SOUTH_WEST) + d][from];
                    if (to == NO_SQUARE || (rules->board.promotion[side] & square_bit(to)) != 0)
                        continue;
                    squares_t after[2] = {men[WHITE], men[BLACK]};
                    after[side] = (after[side] & ~square_bit(from)) | square_bit(to);
                    if (bits_count(after[side]) != bits_count(men[side]))
                        continue;
                    int level = level_of[frame_of(shape, after)];
                    if (level < 0) {
                        const squares_t twin[2] = {board_rotate(&rules->board, after[BLACK]),
                                                   board_rotate(&rules->board, after[WHITE])};
                        level = level_of[frame_of(shape, twin)];
                    }
                    cr_assert_geq(level, 0);
                    cr_assert_lt(level, level_of[frame]);
                }
            }
        }
    }
}

/* Fails if two frames share their values, or a frame is solved before its successors. */
Test(frame_order, frames_are_a_permutation_and_follow_their_successors)
{
    static const struct {
        const char *rules, *material;
    } cases[] = {{"frisian", "KvK"},    {"frisian", "KMvM"},  {"frisian", "KMvKM"},
                 {"frisian", "MMvM"},   {"frisian", "MMvMM"}, {"english", "KMMvMM"},
                 {"english", "MMMvMM"}, {"frisian", "KKKvM"}, {"frisian", "KMMMvK"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct rules rules = rules_named(cases[i].rules);
        struct material material;
        cr_assert_eq(material_read(cases[i].material, &material, NULL), EINSPUL_OK);
        for (int kind = ORDER_TO_SOLVE; kind <= ORDER_AS_STORED; kind++) {
            struct solved *solved = NULL;
            cr_assert_eq(solved_create(&rules, &material, EINSPUL_DTW, (enum frame_order_kind)kind,
                                       NULL, &solved),
                         EINSPUL_OK);
            int *level_of = list_levels(solved);
            uint64_t n = 0;
            for (uint64_t frame = 0; frame < solved->shape.n_frames; frame++) {
                squares_t men[2];
                men_of(&solved->shape, frame, men);
                const uint64_t flipped =
                    solved->order.twins
                        ? frame_of(&solved->shape,
                                   (squares_t[2]){board_rotate(&rules.board, men[BLACK]),
                                                  board_rotate(&rules.board, men[WHITE])})
                        : frame;
                cr_assert((level_of[frame] >= 0) == (frame <= flipped), "%s frame %llu",
                          cases[i].material, (unsigned long long)frame);
                n += level_of[frame] >= 0;
            }
            cr_assert_gt(n, 0);
            if (kind == ORDER_TO_SOLVE)
                check_moves(&rules, solved, level_of);
            free(level_of);
            solved_destroy(solved);
        }
    }
}
