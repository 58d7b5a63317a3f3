/* The order in which the frames of a material are solved and kept: by level, the steps their men
 * still have to go. A man move leads to a frame with one step less, so frames of the same level do
 * not depend on each other.
 *
 * No frame is listed. The side with fewer men sets is the major one; the men sets of the other,
 * the minor one, fall into classes of equal steps, and have a place in their class. A level is,
 * for each major set, the class that has the steps that are left:
 *   position(frame) = base[major set][steps of the minor set] + place of the minor set.
 * Frames in which men share a square have a position too, which stays empty.
 *
 * Positions make up pages, of a power of two of frames, or of a part of one large frame; a level
 * begins with a page. A placement has the address
 *   page * PAGE_ROOM + place in the page. */
#ifndef EINSPUL_GEN_VALUES_LEVELS_H
#define EINSPUL_GEN_VALUES_LEVELS_H

#include "core/rank.h"
#include "gen/values/allocation.h"

enum {
    MAX_STEPS = 9 * MAX_SET,
    MAX_LEVELS = 9 * MAX_PIECES + 1,
    PAGE_SHIFT = 16,
    PAGE_ROOM = 1 << PAGE_SHIFT /* addresses of a page; its placements are no more */
};

/* Which frames of a material have a position. */
enum levels_kind {
    LEVELS_TO_SOLVE, /* of symmetric material one of a frame and its flipped twin, both sides to move
                        of it: with Black to move it is the twin with White to move */
    LEVELS_AS_STORED /* frames by their number, as one level; the sides to move of a table */
};

/* Read only after levels_create. */
struct levels {
    struct allocation memory; /* of the arrays */
    enum levels_kind kind;
    int n_sides; /* to move */
    bool twins;  /* of a frame and its twin one has a position */
    int major, minor;
    uint32_t n_sets[2];
    uint8_t *steps[2];                   /* by side, men set; of LEVELS_AS_STORED zero */
    int n_classes;                       /* of minor sets */
    uint32_t class_start[MAX_STEPS + 2]; /* in `sorted` */
    uint32_t *sorted;                    /* minor sets by class */
    uint32_t *place;                     /* by minor set: in its class */
    uint32_t *flipped; /* twins only: by place in `sorted`, the major rank of the set flipped */
    uint64_t *base;    /* by major set * n_classes + steps */
    int n_levels;
    uint64_t start[MAX_LEVELS + 1]; /* positions; whole pages */
    uint64_t end[MAX_LEVELS];       /* behind the last position in use: each is a frame's */
    uint64_t frame_size;            /* placements */
    int frames_shift;               /* a page is 2^frames_shift frames ... */
    uint32_t frame_pages;           /* ... or, above 1, a frame is so many pages */
    uint64_t n_pages;
};

/* NO_MEMORY leaves nothing behind. */
einspul_status levels_create(struct levels *levels, const struct rules *rules,
                             const struct shape *shape, enum levels_kind kind);
void levels_free(struct levels *levels);

/* Bytes levels_create needs. */
uint64_t levels_bytes(const struct shape *shape);

/* The address of a frame's first placement. */
static inline uint64_t levels_address(const struct levels *levels, uint64_t white, uint64_t black)
{
    const uint64_t major = levels->major == WHITE ? white : black;
    const uint64_t minor = levels->major == WHITE ? black : white;
    const uint64_t position =
        levels->base[major * (uint64_t)levels->n_classes + levels->steps[levels->minor][minor]] +
        levels->place[minor];
    if (levels->frame_pages > 1)
        return position * levels->frame_pages << PAGE_SHIFT;
    const uint64_t page = position >> levels->frames_shift;
    return (page << PAGE_SHIFT) + (position - (page << levels->frames_shift)) * levels->frame_size;
}

/* Goes through the positions of a level. */
struct levels_cursor {
    const struct levels *levels;
    int level;
    uint64_t position;
    uint64_t frame;       /* its number: rank(White's men) * n_men_sets[BLACK] + rank(Black's) */
    uint32_t major;       /* the set */
    uint32_t first, last; /* in `sorted`: the frame's minor set, and behind the last of its class */
};

/* Begins at a position of a level that is in use. */
void levels_seek(struct levels_cursor *cursor, const struct levels *levels, int level,
                 uint64_t position);

/* The next one; false behind the last. */
bool levels_next(struct levels_cursor *cursor);

#endif
