/* Finds quiet placements a row at a time: the lines of the other pieces give at once all squares on
 * which the innermost piece captures or can be captured. */
#include "table/walk.h"

#include <string.h>

/* --- captures --------------------------------------------------------------------------------- */

/* The empty squares from `from` on in a direction, up to the first occupied one: all, or one. */
static squares_t open_line(const struct board *board, int direction, int from, squares_t occupied,
                           bool far)
{
    squares_t line = 0;
    for (int s = board->next[direction][from]; s != NO_SQUARE && (occupied & square_bit(s)) == 0;
         s = board->next[direction][s]) {
        line |= square_bit(s);
        if (!far)
            break;
    }
    return line;
}

/* The squares from which the innermost piece, of the side to move, captures the piece on `over`. */
static squares_t captures_from(const struct walk_plan *plan, bool king, int over,
                               squares_t occupied)
{
    const struct rules *rules = plan->rules;
    const struct board *board = &rules->board;
    const unsigned directions = king ? rules->king_captures : rules->man_captures[plan->side];
    squares_t from = 0;
    for (int d = 0; d < N_DIRECTIONS; d++) {
        const int landing = board->next[d][over];
        if ((directions >> d & 1) != 0 && landing != NO_SQUARE &&
            (occupied & square_bit(landing)) == 0)
            from |=
                open_line(board, board_opposite(d), over, occupied, king && rules->flying_kings);
    }
    return from;
}

/* The squares on which the innermost piece, of the other side, is captured from `from`. */
static squares_t captured_from(const struct walk_plan *plan, bool king, int from,
                               squares_t occupied)
{
    const struct rules *rules = plan->rules;
    const struct board *board = &rules->board;
    const unsigned directions = king ? rules->king_captures : rules->man_captures[plan->side];
    squares_t over = 0;
    for (int d = 0; d < N_DIRECTIONS; d++) {
        if ((directions >> d & 1) == 0)
            continue;
        for (int s = board->next[d][from]; s != NO_SQUARE && (occupied & square_bit(s)) == 0;) {
            const int landing = board->next[d][s];
            if (landing != NO_SQUARE && (occupied & square_bit(landing)) == 0)
                over |= square_bit(s);
            s = king && rules->flying_kings ? landing : NO_SQUARE;
        }
    }
    return over;
}

/* The squares of the innermost piece where the side to move has a capture. */
static squares_t capture_squares(const struct walk *walk, squares_t occupied)
{
    const struct walk_plan *plan = walk->plan;
    const int last = plan->n_slots - 1;
    const struct rules *rules = plan->rules;
    const enum side side = plan->side;
    squares_t enemy = 0;
    squares_t capture = 0;

    for (int i = 0; i < last; i++)
        if (plan->slot_side[i] != side)
            enemy |= square_bit(walk->square[i]);

    for (int i = 0; i < last; i++) {
        if (plan->slot_side[i] != side) {
            if (plan->slot_side[last] == side)
                capture |= captures_from(plan, plan->slot_king[last], walk->square[i], occupied);
            continue;
        }
        if (plan->slot_side[last] != side)
            capture |= captured_from(plan, plan->slot_king[i], walk->square[i], occupied);
        const squares_t reach = plan->slot_king[i] ? rules->king_reach[walk->square[i]]
                                                   : rules->man_reach[side][walk->square[i]];
        for (squares_t left = reach & enemy; left != 0; left &= left - 1) {
            const squares_t empty = rules->board.jump[walk->square[i]][squares_first(left)];
            if ((occupied & empty) == 0)
                capture |= ~empty;
        }
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
    walk->quiet =
        ((square_bit(walk->n) - 1) << walk->first) & ~occupied & ~capture_squares(walk, occupied);
}

/* --- walking ---------------------------------------------------------------------------------- */

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
}

/* Sets the squares of the slots of a group. */
static void place_group(struct walk *walk, int g)
{
    const struct walk_group *group = &walk->plan->groups[g];
    squares_t set = walk->set[g];
    for (int i = group->n - 1; i >= 0; i--) {
        walk->square[group->first_slot + i] = (uint8_t)(squares_first(set) + group->offset);
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

/* Goes to the next set of the innermost group that moves a piece beyond the innermost. */
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
    const int low = squares_first(walk->set[last]);
    /* In a group of one the ranks are the squares; else the piece stays below the next one. */
    const int end =
        group->n == 1 ? (int)group->n_sets : squares_first(walk->set[last] & (walk->set[last] - 1));
    walk->first = low + group->offset;
    walk->n = end - low;
    if ((uint32_t)walk->n > walk->left)
        walk->n = (int)walk->left;
    walk->left -= (uint32_t)walk->n;
    /* To the last set of the row. */
    walk->rank[last] += (uint32_t)(walk->n - 1);
    walk->set[last] = (walk->set[last] & (walk->set[last] - 1)) | square_bit(low + walk->n - 1);
    set_squares(walk);
    return true;
}
