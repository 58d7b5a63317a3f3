/* Classes are made by a counting sort of the minor side's men sets by steps. In symmetric material
 * a class is sorted by the rank of the flipped set, highest first. Of two twins the one whose White
 * set ranks no higher than its Black set flipped has the position, so these are a prefix of each
 * class. */
#include "gen/values/levels.h"

#include "core/program/flip.h"
#include "core/program/index.h"

#include <string.h>

enum { PAGES_PER_LEVEL = 64, LEAST_PAGE = 4096 };

static int men_steps(const struct board *board, enum side side, squares_t men)
{
    int steps = 0;
    for (; men != 0; men &= men - 1)
        steps += board_steps_to_go(board, side, bits_first(men));
    return steps;
}

static void fill_steps(struct levels *levels, const struct board *board, const struct shape *shape,
                       int side)
{
    const int size = shape->material.men[side];
    squares_t set = square_bit(size) - 1;
    for (uint32_t rank = 0; rank < levels->n_sets[side]; rank++) {
        levels->steps[side][rank] =
            (uint8_t)(levels->kind == LEVELS_AS_STORED
                          ? 0
                          : men_steps(board, (enum side)side, set << shape->man_offset[side]));
        if (rank + 1 < levels->n_sets[side])
            set = set_next(set);
    }
}

static int most_steps(const struct levels *levels, int side)
{
    int most = 0;
    for (uint32_t rank = 0; rank < levels->n_sets[side]; rank++)
        if (levels->steps[side][rank] > most)
            most = levels->steps[side][rank];
    return most;
}

/* The major ranks of all minor sets flipped, and the inverse; symmetric material. */
static void fill_flipped(uint32_t *flipped, uint32_t *by_flipped, const struct board *board,
                         const struct shape *shape, int minor)
{
    squares_t set = square_bit(shape->material.men[minor]) - 1;
    for (uint32_t rank = 0; rank < shape->n_men_sets[minor]; rank++) {
        flipped[rank] = set_rank(board_rotate(board, set << shape->man_offset[minor]) >>
                                 shape->man_offset[!minor]);
        by_flipped[flipped[rank]] = rank;
        if (rank + 1 < shape->n_men_sets[minor])
            set = set_next(set);
    }
}

/* Puts minor sets into their classes in the order of `by_flipped` (the inverse of the flipped ranks,
 * from the highest), or in their own. */
static void fill_classes(struct levels *levels, const uint32_t *by_flipped)
{
    const uint32_t n = levels->n_sets[levels->minor];
    const uint8_t *steps = levels->steps[levels->minor];
    uint32_t next[MAX_STEPS + 2];

    memset(levels->class_start, 0, sizeof levels->class_start);
    for (uint32_t rank = 0; rank < n; rank++)
        levels->class_start[steps[rank] + 1]++;
    for (int class = 0; class < levels->n_classes; class ++)
        levels->class_start[class + 1] += levels->class_start[class];
    memcpy(next, levels->class_start, sizeof next);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t rank = by_flipped == NULL ? i : by_flipped[n - 1 - i];
        const uint32_t at = next[steps[rank]]++;
        levels->sorted[at] = rank;
        levels->place[rank] = at - levels->class_start[steps[rank]];
        if (by_flipped != NULL)
            levels->flipped[at] = n - 1 - i;
    }
}

/* The end, in `sorted`, of the frames of a major set and a class. */
static uint32_t class_end(const struct levels *levels, uint32_t major, int class)
{
    uint32_t first = levels->class_start[class];
    uint32_t last = levels->class_start[class + 1];
    if (!levels->twins)
        return last;
    while (first < last) { /* flipped ranks are descending */
        const uint32_t middle = first + (last - first) / 2;
        if (levels->flipped[middle] >= major)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* The class of minor sets that a major set meets in a level: those with the steps that are left;
 * -1: none. */
static int class_of(const struct levels *levels, int level, uint32_t major)
{
    const int class = level - levels->steps[levels->major][major];
    return class >= 0 && class < levels->n_classes ? class : -1;
}

static void fill_bases(struct levels *levels)
{
    const uint64_t per_page = (uint64_t)1 << levels->frames_shift;
    uint64_t position = 0;
    levels->n_levels = most_steps(levels, levels->major) + levels->n_classes;
    for (int level = 0; level < levels->n_levels; level++) {
        levels->start[level] = position;
        for (uint32_t major = 0; major < levels->n_sets[levels->major]; major++) {
            const int class = class_of(levels, level, major);
            if (class < 0)
                continue;
            levels->base[(uint64_t)major * (uint64_t)levels->n_classes + (uint64_t) class] =
                position;
            position += class_end(levels, major, class) - levels->class_start[class];
        }
        levels->end[level] = position;
        position = (position + per_page - 1) / per_page * per_page;
    }
    levels->start[levels->n_levels] = position;
    levels->n_pages =
        levels->frame_pages > 1 ? position * levels->frame_pages : position / per_page;
}

/* Sets the page size: as many frames as fit, or fewer if levels are small, so that every thread
 * gets pages. */
static void set_page(struct levels *levels, const struct shape *shape)
{
    uint64_t page = shape->n_placements / (PAGES_PER_LEVEL * (uint64_t)levels->n_classes);
    if (page < LEAST_PAGE)
        page = LEAST_PAGE;
    if (page > PAGE_ROOM)
        page = PAGE_ROOM;
    levels->frame_size = shape->frame_size;
    levels->frame_pages =
        shape->frame_size > PAGE_ROOM ? (uint32_t)((shape->frame_size - 1) / PAGE_ROOM + 1) : 1;
    levels->frames_shift = 0;
    while (levels->frame_pages == 1 && shape->frame_size << (levels->frames_shift + 1) <= page)
        levels->frames_shift++;
}

static bool create_arrays(struct levels *levels, uint32_t **by_flipped)
{
    struct allocation *memory = &levels->memory;
    const uint32_t n_minor = levels->n_sets[levels->minor];
    for (int side = WHITE; side <= BLACK; side++)
        levels->steps[side] = allocation_take(memory, levels->n_sets[side], 1);
    levels->sorted = allocation_take(memory, n_minor, sizeof *levels->sorted);
    levels->place = allocation_take(memory, n_minor, sizeof *levels->place);
    if (levels->twins) {
        levels->flipped = allocation_take(memory, n_minor, sizeof *levels->flipped);
        *by_flipped = allocation_take(memory, n_minor, sizeof **by_flipped);
    }
    return !memory->failed;
}

einspul_status levels_create(struct levels *levels, const struct rules *rules,
                             const struct shape *shape, enum levels_kind kind)
{
    const bool symmetric = material_is_symmetric(&shape->material);
    memset(levels, 0, sizeof *levels);
    levels->kind = kind;
    levels->twins = symmetric && kind == LEVELS_TO_SOLVE && shape->n_frames > 1;
    levels->n_sides = symmetric && !levels->twins ? 1 : 2;
    levels->n_sets[WHITE] = shape->n_men_sets[WHITE];
    levels->n_sets[BLACK] = shape->n_men_sets[BLACK];
    levels->major = kind == LEVELS_TO_SOLVE && levels->n_sets[BLACK] < levels->n_sets[WHITE];
    levels->minor = !levels->major;
    uint32_t *by_flipped = NULL;
    const bool created = create_arrays(levels, &by_flipped);
    for (int side = WHITE; created && side <= BLACK; side++)
        fill_steps(levels, &rules->board, shape, side);
    if (created) {
        levels->n_classes = most_steps(levels, levels->minor) + 1;
        if (levels->twins)
            fill_flipped(levels->flipped, by_flipped, &rules->board, shape, levels->minor);
        fill_classes(levels, by_flipped);
    }
    if (created)
        levels->base = allocation_take(
            &levels->memory, (uint64_t)levels->n_sets[levels->major] * (uint64_t)levels->n_classes,
            sizeof *levels->base);
    if (levels->base == NULL) {
        levels_free(levels);
        return EINSPUL_NO_MEMORY;
    }
    set_page(levels, shape);
    fill_bases(levels);
    return EINSPUL_OK;
}

void levels_free(struct levels *levels)
{
    allocation_free(&levels->memory);
    memset(levels, 0, sizeof *levels);
}

uint64_t levels_bytes(const struct shape *shape)
{
    const uint64_t white = shape->n_men_sets[WHITE];
    const uint64_t black = shape->n_men_sets[BLACK];
    const uint64_t major = white < black ? white : black;
    const int n_men = shape->material.men[white < black ? BLACK : WHITE];
    /* steps; of each minor set sorted, place, flipped and the inverse of that; base */
    return white + black + 16 * (white < black ? black : white) +
           major * 8 * (uint64_t)(9 * n_men + 1);
}

/* Sets the frame from major set and place in `sorted`. */
static void set_frame(struct levels_cursor *cursor)
{
    const struct levels *levels = cursor->levels;
    const uint64_t major = cursor->major;
    const uint64_t minor = levels->sorted[cursor->first];
    const uint64_t n_black = levels->n_sets[BLACK];
    cursor->frame = levels->major == WHITE ? major * n_black + minor : minor * n_black + major;
}

void levels_seek(struct levels_cursor *cursor, const struct levels *levels, int level,
                 uint64_t position)
{
    *cursor = (struct levels_cursor){.levels = levels, .level = level, .position = position};
    for (uint32_t major = 0; major < levels->n_sets[levels->major]; major++) {
        const int class = class_of(levels, level, major);
        if (class < 0)
            continue;
        const uint64_t base =
            levels->base[(uint64_t)major * (uint64_t)levels->n_classes + (uint64_t) class];
        if (base > position)
            break;
        cursor->major = major;
        cursor->first = levels->class_start[class] + (uint32_t)(position - base);
    }
    cursor->last = class_end(levels, cursor->major, class_of(levels, level, cursor->major));
    set_frame(cursor);
}

bool levels_next(struct levels_cursor *cursor)
{
    const struct levels *levels = cursor->levels;
    cursor->position++;
    cursor->first++;
    while (cursor->first >= cursor->last) {
        if (++cursor->major >= levels->n_sets[levels->major])
            return false;
        const int class = class_of(levels, cursor->level, cursor->major);
        if (class < 0)
            continue;
        cursor->first = levels->class_start[class];
        cursor->last = class_end(levels, cursor->major, class);
    }
    set_frame(cursor);
    return true;
}
