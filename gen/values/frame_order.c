/* Classes are the result of a counting sort of the minor side's men sets by steps. In symmetric material
 * a class is sorted by the rank of the flipped set, highest first. Of two twins the one whose White
 * set ranks no higher than its Black set flipped has the position, so these are a prefix of each
 * class. */
#include "gen/values/frame_order.h"

#include "core/program/flip.h"
#include "core/program/index.h"

#include <string.h>

enum { PAGES_PER_LEVEL = 64, MIN_PAGE = 4096 };

static int men_steps(const struct board *board, enum side side, squares_t men)
{
    int steps = 0;
    for (; men != 0; men &= men - 1)
        steps += board_steps_to_go(board, side, bits_first(men));
    return steps;
}

static void fill_steps(struct frame_order *order, const struct board *board,
                       const struct shape *shape, int side)
{
    const int size = shape->material.men[side];
    squares_t set = square_bit(size) - 1;
    for (uint32_t rank = 0; rank < order->n_sets[side]; rank++) {
        order->steps[side][rank] =
            (uint8_t)(order->kind == ORDER_AS_STORED
                          ? 0
                          : men_steps(board, (enum side)side, set << shape->man_offset[side]));
        if (rank + 1 < order->n_sets[side])
            set = set_next(set);
    }
}

static int max_steps(const struct frame_order *order, int side)
{
    int max = 0;
    for (uint32_t rank = 0; rank < order->n_sets[side]; rank++)
        if (order->steps[side][rank] > max)
            max = order->steps[side][rank];
    return max;
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

/* Puts minor sets into their classes in the order of `by_flipped` (the inverse of the flipped
 * ranks, from the highest), or in their own. */
static void fill_classes(struct frame_order *order, const uint32_t *by_flipped)
{
    const uint32_t n = order->n_sets[order->minor];
    const uint8_t *steps = order->steps[order->minor];
    uint32_t next[MAX_STEPS + 2];

    memset(order->class_start, 0, sizeof order->class_start);
    for (uint32_t rank = 0; rank < n; rank++)
        order->class_start[steps[rank] + 1]++;
    for (int class = 0; class < order->n_classes; class ++)
        order->class_start[class + 1] += order->class_start[class];
    memcpy(next, order->class_start, sizeof next);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t rank = by_flipped == NULL ? i : by_flipped[n - 1 - i];
        const uint32_t at = next[steps[rank]]++;
        order->sorted[at] = rank;
        order->place[rank] = at - order->class_start[steps[rank]];
        if (by_flipped != NULL)
            order->flipped[at] = n - 1 - i;
    }
}

/* The end, in `sorted`, of the frames of a major set and a class. */
static uint32_t class_end(const struct frame_order *order, uint32_t major, int class)
{
    uint32_t first = order->class_start[class];
    uint32_t last = order->class_start[class + 1];
    if (!order->twins)
        return last;
    while (first < last) { /* flipped ranks are descending */
        const uint32_t middle = first + (last - first) / 2;
        if (order->flipped[middle] >= major)
            first = middle + 1;
        else
            last = middle;
    }
    return first;
}

/* The class of minor sets that a major set meets in a level: those with the steps that are left;
 * -1: none. */
static int class_of(const struct frame_order *order, int level, uint32_t major)
{
    const int class = level - order->steps[order->major][major];
    return class >= 0 && class < order->n_classes ? class : -1;
}

static void fill_bases(struct frame_order *order)
{
    const uint64_t per_page = (uint64_t)1 << order->frames_shift;
    uint64_t position = 0;
    order->n_levels = max_steps(order, order->major) + order->n_classes;
    for (int level = 0; level < order->n_levels; level++) {
        order->start[level] = position;
        for (uint32_t major = 0; major < order->n_sets[order->major]; major++) {
            const int class = class_of(order, level, major);
            if (class < 0)
                continue;
            order->base[(uint64_t)major * (uint64_t)order->n_classes + (uint64_t) class] = position;
            position += class_end(order, major, class) - order->class_start[class];
        }
        order->end[level] = position;
        position = (position + per_page - 1) / per_page * per_page;
    }
    order->start[order->n_levels] = position;
    order->n_pages = order->frame_pages > 1 ? position * order->frame_pages : position / per_page;
}

/* Sets the page size: as many frames as fit, or fewer if levels are small, so that every thread
 * gets pages. */
static void set_page(struct frame_order *order, const struct shape *shape)
{
    uint64_t page = shape->n_placements / (PAGES_PER_LEVEL * (uint64_t)order->n_classes);
    if (page < MIN_PAGE)
        page = MIN_PAGE;
    if (page > PAGE_CAPACITY)
        page = PAGE_CAPACITY;
    order->frame_size = shape->frame_size;
    order->frame_pages = shape->frame_size > PAGE_CAPACITY
                             ? (uint32_t)((shape->frame_size - 1) / PAGE_CAPACITY + 1)
                             : 1;
    order->frames_shift = 0;
    while (order->frame_pages == 1 && shape->frame_size << (order->frames_shift + 1) <= page)
        order->frames_shift++;
}

static bool create_arrays(struct frame_order *order, uint32_t **by_flipped)
{
    struct allocation *memory = &order->memory;
    const uint32_t n_minor = order->n_sets[order->minor];
    for (int side = WHITE; side <= BLACK; side++)
        order->steps[side] = allocation_alloc(memory, order->n_sets[side], 1);
    order->sorted = allocation_alloc(memory, n_minor, sizeof *order->sorted);
    order->place = allocation_alloc(memory, n_minor, sizeof *order->place);
    if (order->twins) {
        order->flipped = allocation_alloc(memory, n_minor, sizeof *order->flipped);
        *by_flipped = allocation_alloc(memory, n_minor, sizeof **by_flipped);
    }
    return !memory->failed;
}

einspul_status frame_order_create(struct frame_order *order, const struct rules *rules,
                                  const struct shape *shape, enum frame_order_kind kind)
{
    const bool symmetric = material_is_symmetric(&shape->material);
    memset(order, 0, sizeof *order);
    order->kind = kind;
    order->twins = symmetric && kind == ORDER_TO_SOLVE && shape->n_frames > 1;
    order->n_sides = symmetric && !order->twins ? 1 : 2;
    order->n_sets[WHITE] = shape->n_men_sets[WHITE];
    order->n_sets[BLACK] = shape->n_men_sets[BLACK];
    order->major = kind == ORDER_TO_SOLVE && order->n_sets[BLACK] < order->n_sets[WHITE];
    order->minor = !order->major;
    uint32_t *by_flipped = NULL;
    const bool created = create_arrays(order, &by_flipped);
    for (int side = WHITE; created && side <= BLACK; side++)
        fill_steps(order, &rules->board, shape, side);
    if (created) {
        order->n_classes = max_steps(order, order->minor) + 1;
        if (order->twins)
            fill_flipped(order->flipped, by_flipped, &rules->board, shape, order->minor);
        fill_classes(order, by_flipped);
    }
    if (created)
        order->base = allocation_alloc(
            &order->memory, (uint64_t)order->n_sets[order->major] * (uint64_t)order->n_classes,
            sizeof *order->base);
    if (order->base == NULL) {
        frame_order_free(order);
        return EINSPUL_NO_MEMORY;
    }
    set_page(order, shape);
    fill_bases(order);
    return EINSPUL_OK;
}

void frame_order_free(struct frame_order *order)
{
    allocation_free(&order->memory);
    memset(order, 0, sizeof *order);
}

uint64_t frame_order_bytes(const struct shape *shape)
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
static void set_frame(struct frame_cursor *cursor)
{
    const struct frame_order *order = cursor->order;
    cursor->rank[order->major] = cursor->major;
    cursor->rank[order->minor] = order->sorted[cursor->first];
    cursor->frame = (uint64_t)cursor->rank[WHITE] * order->n_sets[BLACK] + cursor->rank[BLACK];
}

void frame_cursor_seek(struct frame_cursor *cursor, const struct frame_order *order, int level,
                       uint64_t position)
{
    *cursor = (struct frame_cursor){.order = order, .level = level, .position = position};
    for (uint32_t major = 0; major < order->n_sets[order->major]; major++) {
        const int class = class_of(order, level, major);
        if (class < 0)
            continue;
        const uint64_t base =
            order->base[(uint64_t)major * (uint64_t)order->n_classes + (uint64_t) class];
        if (base > position)
            break;
        cursor->major = major;
        cursor->first = order->class_start[class] + (uint32_t)(position - base);
    }
    cursor->last = class_end(order, cursor->major, class_of(order, level, cursor->major));
    set_frame(cursor);
}

bool frame_cursor_next(struct frame_cursor *cursor)
{
    const struct frame_order *order = cursor->order;
    cursor->position++;
    cursor->first++;
    while (cursor->first >= cursor->last) {
        if (++cursor->major >= order->n_sets[order->major])
            return false;
        const int class = class_of(order, cursor->level, cursor->major);
        if (class < 0)
            continue;
        cursor->first = order->class_start[class];
        cursor->last = class_end(order, cursor->major, class);
    }
    set_frame(cursor);
    return true;
}
