/* Enumerates the placement indices of one side to move in order, a row at a time: a row is a
 * sequence of indices in which only the innermost piece moves, upwards from square to square. Finds
 * the quiet ones (possible, and no capture for the side to move) for a whole row at once.
 *
 * Pieces have slots: White's men, Black's men, White's kings, Black's kings, those of a group from
 * the highest square down. The innermost piece has the last slot. */
#ifndef EINSPUL_TABLE_WALK_H
#define EINSPUL_TABLE_WALK_H

#include "core/rank.h"

enum { MAX_SLOTS = 8 };

/* Shared by walks of one table and side. Immutable after walk_plan_init. */
struct walk_plan {
    const struct rules *rules;
    const struct shape *shape;
    enum side side; /* to move */
    int n_slots;
    int n_groups;
    struct walk_group {
        int first_slot, n;
        int offset;      /* lowest square */
        uint32_t n_sets; /* sets of squares */
    } groups[4];
    enum side slot_side[MAX_SLOTS];
    bool slot_king[MAX_SLOTS];
    squares_t captors[MAX_SQUARES]; /* by square: from where the innermost piece captures there */
};

struct walk {
    const struct walk_plan *plan;
    uint32_t left; /* indices still to come */
    uint32_t rank[4];
    squares_t set[4]; /* by group, its squares less the offset */

    /* The row. */
    uint32_t place;            /* of its first index, counted from the beginning of the walk */
    int first, n;              /* squares of the innermost piece: first .. first + n - 1 */
    uint8_t square[MAX_SLOTS]; /* of all slots but the last */
    squares_t quiet;           /* squares of the innermost piece where the placement is quiet */
};

void walk_plan_init(struct walk_plan *plan, const struct rules *rules, const struct shape *shape,
                    enum side side);

/* Starts a walk through indices first .. first + n - 1. */
void walk_begin(struct walk *walk, const struct walk_plan *plan, uint64_t first, uint32_t n);

/* The next row; false at the end. */
bool walk_row(struct walk *walk);

#endif
