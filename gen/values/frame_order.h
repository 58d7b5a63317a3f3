/* The order in which the frames of a material are solved and kept: by level, the number of steps
 * that their men still have to go. A man move leads to a frame with one step less, so frames of the
 * same level do not depend on each other.
 *
 * Frames are not listed. The side with fewer men sets is the major one. The men sets of the other
 * side, the minor one, are grouped into classes with equal steps and have a place in their class.
 * For each major set a level contains the class with the remaining steps:
 *   position(frame) = base[major set][steps of the minor set] + place of the minor set.
 * Frames in which men share a square have a position too, which is not used.
 *
 * Positions are grouped into pages: a power of two of frames, or part of one large frame. Each
 * level starts a new page. A placement has the address
 *   page * PAGE_CAPACITY + place in the page. */
#ifndef EINSPUL_GEN_VALUES_FRAME_ORDER_H
#define EINSPUL_GEN_VALUES_FRAME_ORDER_H

#include "core/rank.h"
#include "gen/values/allocation.h"

enum {
    MAX_STEPS = 9 * MAX_SET,
    MAX_LEVELS = 9 * MAX_PIECES + 1,
    PAGE_SHIFT = 16,
    PAGE_CAPACITY = 1 << PAGE_SHIFT /* addresses per page, an upper bound on its placements */
};

/* Which frames of a material have a position. */
enum frame_order_kind {
    ORDER_TO_SOLVE, /* for solving. In symmetric material only one frame of each pair of twins has
                        a position, with both sides to move: Black to move in it is White to move in
                        its twin */
    ORDER_AS_STORED /* for loading: all frames by number, as one level, with the sides to move that
                        a table stores */
};

/* Immutable after frame_order_create. */
struct frame_order {
    struct allocation memory; /* of the arrays */
    enum frame_order_kind kind;
    int n_sides; /* to move */
    bool twins;  /* of a frame and its twin one has a position */
    int major, minor;
    uint32_t n_sets[2];
    uint8_t *steps[2];                   /* by side, men set; of ORDER_AS_STORED zero */
    int n_classes;                       /* of minor sets */
    uint32_t class_start[MAX_STEPS + 2]; /* in `sorted` */
    uint32_t *sorted;                    /* minor sets by class */
    uint32_t *place;                     /* by minor set: in its class */
    uint32_t *flipped; /* twins only: by place in `sorted`, the major rank of the set flipped */
    uint64_t *base;    /* by major set * n_classes + steps */
    int n_levels;
    uint64_t start[MAX_LEVELS + 1]; /* positions; whole pages */
    /* one past the last position in use; all positions before it belong to frames */
    uint64_t end[MAX_LEVELS];
    uint64_t frame_size;  /* placements */
    int frames_shift;     /* frames per page, as a shift */
    uint32_t frame_pages; /* pages per frame, if more than 1 */
    uint64_t n_pages;
};

/* On NO_MEMORY nothing is allocated. */
einspul_status frame_order_create(struct frame_order *order, const struct rules *rules,
                                  const struct shape *shape, enum frame_order_kind kind);
void frame_order_free(struct frame_order *order);

/* Bytes frame_order_create needs. */
uint64_t frame_order_bytes(const struct shape *shape);

/* The address of a frame's first placement. */
static inline uint64_t frame_order_address(const struct frame_order *order, uint64_t white,
                                           uint64_t black)
{
    const uint64_t major = order->major == WHITE ? white : black;
    const uint64_t minor = order->major == WHITE ? black : white;
    const uint64_t position =
        order->base[major * (uint64_t)order->n_classes + order->steps[order->minor][minor]] +
        order->place[minor];
    if (order->frame_pages > 1)
        return position * order->frame_pages << PAGE_SHIFT;
    const uint64_t page = position >> order->frames_shift;
    return (page << PAGE_SHIFT) + (position - (page << order->frames_shift)) * order->frame_size;
}

/* Iterates over the positions of a level. */
struct frame_cursor {
    const struct frame_order *order;
    int level;
    uint64_t position;
    uint64_t frame;       /* its number: rank(White's men) * n_men_sets[BLACK] + rank(Black's) */
    uint32_t major;       /* the set */
    uint32_t rank[2];     /* of the men's sets, by side */
    uint32_t first, last; /* in `sorted`: the frame's minor set, and the end of its class */
};

/* Begins at a position of a level that is in use. */
void frame_cursor_seek(struct frame_cursor *cursor, const struct frame_order *order, int level,
                       uint64_t position);

/* Moves to the next position; false after the last. */
bool frame_cursor_next(struct frame_cursor *cursor);

#endif
