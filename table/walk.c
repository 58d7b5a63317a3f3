/* Finds quiet placements a row at a time: computes the set of squares on which the innermost piece
 * captures, is captured, or does not block a capture of the others. */
#include "table/walk.h"

#include <string.h>

/* The squares of the pieces that a piece of the side to move captures, if the way is free. */
static squares_t reach_from(const struct walk_plan *plan, int slot, int square)
{
    return plan->slot_king[slot] ? plan->rules->king_reach[square]
                                 : plan->rules->man_reach[plan->side][square];
}

/* Of the victims of a piece on `from`, those that one on `square` protects: behind it or before it. */
static squares_t shielded(const struct board *board, int from, int square)
{
    const int direction = board->direction[from][square];
    return (board->ray[direction][from] & square_bit(square)) == 0
               ? 0
               : board->ray[direction][square] |
                     square_bit(board->next[direction_opposite(direction)][square]);
}

/* Of the squares from which a piece on `over` is captured, those that one on `square` bars: behind it
 * and, if it is next to the victim, on the other side. */
static squares_t barred(const struct board *board, int over, int square)
{
    const int direction = board->direction[over][square];
    if ((board->ray[direction][over] & square_bit(square)) == 0)
        return 0;
    return board->ray[direction][square] |
           (board->next[direction][over] == square ? board->ray[direction_opposite(direction)][over]
                                                   : 0);
}

/* The squares of the innermost piece where the side to move has a capture; others too, which are
 * occupied. */
static squares_t capture_squares(const struct walk *walk)
{
    const struct walk_plan *plan = walk->plan;
    const struct board *board = &plan->rules->board;
    const int last = plan->n_slots - 1;
    const bool innermost_captures = plan->slot_side[last] == plan->side;
    squares_t enemies = 0;
    squares_t capture = 0;

    for (int i = 0; i < last; i++)
        if (plan->slot_side[i] != plan->side)
            enemies |= square_bit(walk->square[i]);
    for (int i = 0; i < last; i++) {
        const int from = walk->square[i];
        if (plan->slot_side[i] != plan->side)
            continue;
        squares_t victims = reach_from(plan, i, from);
        for (int j = 0; j < last; j++)
            victims &= ~shielded(board, from, walk->square[j]);
        if (!innermost_captures)
            capture |= victims;
        for (victims &= enemies; victims != 0; victims &= victims - 1)
            capture |= ~board->jump[from][bits_first(victims)]; /* where it is not in the way */
    }
    for (squares_t left = innermost_captures ? enemies : 0; left != 0; left &= left - 1) {
        const int over = bits_first(left);
        squares_t captors = plan->captors[over];
        for (int j = 0; j < last; j++)
            captors &= ~barred(board, over, walk->square[j]);
        capture |= captors;
    }
    return capture;
}

static void set_squares(struct walk *walk)
{
    const struct walk_plan *plan = walk->plan;
    const int last = plan->n_slots - 1;
    squares_t occupied = 0;

    walk->quiet = 0;
    for (int i = 0; i < last; i++) {
        if ((occupied & square_bit(walk->square[i])) != 0)
            return;
        occupied |= square_bit(walk->square[i]);
    }
    const squares_t vacant = ((square_bit(walk->n) - 1) << walk->first) & ~occupied;
    walk->quiet = vacant & ~capture_squares(walk);
}

static void add_group(struct walk_plan *plan, enum side side, bool king)
{
    const struct shape *shape = plan->shape;
    const struct material *material = &shape->material;
    const int n = king ? material->kings[side] : material->men[side];
    if (n == 0)
        return;
    plan->groups[plan->n_groups++] = (struct walk_group){
        .first_slot = plan->n_slots,
        .n = n,
        .offset = king ? 0 : shape->man_offset[side],
        .n_sets = king ? shape->n_king_sets[side] : shape->n_men_sets[side],
    };
    for (int i = 0; i < n; i++) {
        plan->slot_side[plan->n_slots] = side;
        plan->slot_king[plan->n_slots++] = king;
    }
}

void walk_plan_init(struct walk_plan *plan, const struct rules *rules, const struct shape *shape,
                    enum side side)
{
    memset(plan, 0, sizeof *plan);
    plan->rules = rules;
    plan->shape = shape;
    plan->side = side;
    add_group(plan, WHITE, false);
    add_group(plan, BLACK, false);
    add_group(plan, WHITE, true);
    add_group(plan, BLACK, true);
    for (int from = 0; from < rules->board.n_squares; from++)
        for (squares_t left = reach_from(plan, plan->n_slots - 1, from); left != 0;
             left &= left - 1)
            plan->captors[bits_first(left)] |= square_bit(from);
}

/* Sets the squares of the slots of a group. */
static void place_group(struct walk *walk, int g)
{
    const struct walk_group *group = &walk->plan->groups[g];
    squares_t set = walk->set[g];
    for (int i = group->n - 1; i >= 0; i--) {
        walk->square[group->first_slot + i] = (uint8_t)(bits_first(set) + group->offset);
        set &= set - 1;
    }
}

void walk_begin(struct walk *walk, const struct walk_plan *plan, uint64_t first, uint32_t n)
{
    walk->plan = plan;
    walk->left = n;
    walk->place = 0;
    walk->n = 0;
    for (int g = plan->n_groups - 1; g >= 0; g--) {
        walk->rank[g] = (uint32_t)(first % plan->groups[g].n_sets);
        first /= plan->groups[g].n_sets;
        walk->set[g] = set_unrank(walk->rank[g], plan->groups[g].n);
        place_group(walk, g);
    }
}

/* Goes to the next row: the next set in which another piece than the innermost has moved. */
static void advance(struct walk *walk)
{
    int g = walk->plan->n_groups - 1;
    while (walk->rank[g] + 1 == walk->plan->groups[g].n_sets) {
        walk->rank[g] = 0;
        walk->set[g] = square_bit(walk->plan->groups[g].n) - 1;
        place_group(walk, g);
        if (g-- == 0)
            return;
    }
    walk->rank[g]++;
    walk->set[g] = set_next(walk->set[g]);
    place_group(walk, g);
}

bool walk_row(struct walk *walk)
{
    const int last = walk->plan->n_groups - 1;
    const struct walk_group *group = &walk->plan->groups[last];

    walk->place += (uint32_t)walk->n;
    if (walk->left == 0)
        return false;
    if (walk->n > 0)
        advance(walk);
    const int low = bits_first(walk->set[last]);
    /* Alone in its group the piece runs over all squares; otherwise it stays below the next piece
     * of the group. */
    const int end =
        group->n == 1 ? (int)group->n_sets : bits_first(walk->set[last] & (walk->set[last] - 1));
    walk->first = low + group->offset;
    walk->n = end - low;
    if ((uint32_t)walk->n > walk->left)
        walk->n = (int)walk->left;
    walk->left -= (uint32_t)walk->n;
    /* Leave rank and set at the end of the row. */
    walk->rank[last] += (uint32_t)(walk->n - 1);
    walk->set[last] = (walk->set[last] & (walk->set[last] - 1)) | square_bit(low + walk->n - 1);
    set_squares(walk);
    return true;
}
