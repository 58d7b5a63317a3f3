/* The captures of one placement, for the fast seeds: all complete ones that the rules allow, and the
 * smallest value for the other side among what they lead to.
 *
 * A depth-first search over pairs of a square and a victim; a table says which squares must be empty
 * for the jump (seed_tables.h). Captures that take the same pieces and end on different squares are
 * looked up together: the index of what is left is the same but for the capturing piece. A capture
 * that takes everything wins at once and ends the search. */
#include "gen/seed_fast.h"

#include <string.h>

/* The capture moves of one placement. */
struct search {
    struct seeder *seeder;
    squares_t own_men, own_kings, enemy_men, enemy_kings;
    squares_t occupied; /* without the capturing piece */
    squares_t captured;
    const squares_t (*jump)[MAX_SQUARES]; /* of the capturing piece's kind */
    int n_men, n_kings;                   /* captured */
    int from;
    bool by_king;
    bool takes_all; /* a capture of all enemy pieces was found: nothing can be better */
    int best;
    value_t *worst; /* by run: the smallest value for the other side */
};

/* Which of the other side's kings are left, by their order. */
static unsigned kings_left(squares_t kings, squares_t captured)
{
    unsigned left = 0;
    for (int i = 0; kings != 0; kings &= kings - 1, i++)
        if ((captured & kings & (0 - kings)) == 0)
            left |= 1u << i;
    return left;
}

/* Looks up what captures lead to that take the same pieces and end on the squares `ends`: the
 * index but for the capturing piece is the same for all of them. */
static void take_ends(struct search *search, squares_t ends, bool promotes)
{
    struct seeder *seeder = search->seeder;
    const struct board *board = &seeder->context->rules->board;
    const int side = (int)seeder->side;
    const int other = (int)seeder->other;
    struct target *target = &seeder->captures[search->n_men][search->n_kings][promotes];
    struct placement after;

    if (target->solved == NULL) {
        struct material material = seeder->context->shape.material;
        material.men[other] = (uint8_t)(material.men[other] - search->n_men);
        material.kings[other] = (uint8_t)(material.kings[other] - search->n_kings);
        material.men[side] = (uint8_t)(material.men[side] - promotes);
        material.kings[side] = (uint8_t)(material.kings[side] + promotes);
        if (!target_set(seeder, target, material))
            return;
    }
    after.men[other] = search->enemy_men & ~search->captured;
    after.kings[other] = search->enemy_kings & ~search->captured;
    after.men[side] = search->own_men & ~square_bit(search->from);
    after.kings[side] = search->own_kings & ~square_bit(search->from);
    after.side = seeder->other;
    if (target->turned) {
        after = placement_turn(board, &after);
        ends = board_turn(board, ends);
    }
    const struct shape *shape = &target->solved->shape;
    const int mover = target->turned ? other : side;
    const unsigned left =
        seeder->n_runs > 1 ? kings_left(search->enemy_kings, search->captured) : 0;
    if (!search->by_king && !promotes) { /* a man comes to one square only */
        after.men[mover] |= ends;
        take_values(seeder, target,
                    solved_address(target->solved, target->side, after.men) +
                        shape_kings(shape, &after),
                    left, search->worst);
        return;
    }
    const uint64_t stride = mover == WHITE ? shape->n_king_sets[BLACK] : 1;
    const squares_t others = after.kings[mover];
    after.kings[mover] = 0;
    const uint64_t rest =
        solved_address(target->solved, target->side, after.men) + shape_kings(shape, &after);
    for (; ends != 0; ends &= ends - 1)
        take_values(seeder, target, rest + stride * set_rank(others | (ends & (0 - ends))), left,
                    search->worst);
}

/* Complete captures that take the same pieces. */
static void captures_complete(struct search *search, squares_t ends)
{
    const struct seeder *seeder = search->seeder;
    const squares_t promotion =
        search->by_king ? 0 : seeder->context->rules->board.promotion[seeder->side];
    const int worth =
        capture_worth(seeder->context->rules, search->n_men, search->n_kings, search->by_king);

    if (worth < search->best)
        return;
    if (worth > search->best) {
        search->best = worth;
        values_fill(search->worst, VALUE_NONE, MAX_RUNS);
    }
    if ((ends & ~promotion) != 0)
        take_ends(search, ends & ~promotion, false);
    if ((ends & promotion) != 0)
        take_ends(search, ends & promotion, true);
}

/* Where the capturing piece can come to after it has jumped over `victim`. */
static squares_t landings(const struct search *search, int square, int victim)
{
    const struct frame_context *context = search->seeder->context;
    const struct board *board = &context->rules->board;
    const int direction = board->direction[square][victim];
    if (!search->by_king || !context->rules->flying_kings)
        return square_bit(board->next[direction][victim]);
    const squares_t beyond = board->ray[direction][victim];
    const squares_t blockers = beyond & search->occupied;
    if (blockers == 0)
        return beyond;
    const int nearest = squares_nearest(blockers, direction);
    return beyond & ~(board->ray[direction][nearest] | square_bit(nearest));
}

static inline bool can_capture(const struct search *search, int square, squares_t victims)
{
    const squares_t *jump = search->jump[square];
    for (; victims != 0; victims &= victims - 1)
        if ((search->occupied & jump[squares_first(victims)]) == 0)
            return true;
    return false;
}

/* All captures that go on from a square. */
static void capture_from(struct search *search, int square)
{
    const squares_t *jump = search->jump[square];
    const squares_t enemy = search->enemy_men | search->enemy_kings;

    for (squares_t left = enemy & ~search->captured; left != 0; left &= left - 1) {
        const int victim = squares_first(left);
        if ((search->occupied & jump[victim]) != 0)
            continue;
        const int is_king = (int)(search->enemy_kings >> victim & 1);
        search->captured |= square_bit(victim);
        if (search->captured == enemy) {
            search->takes_all = true;
            return;
        }
        search->n_kings += is_king;
        search->n_men += !is_king;
        squares_t ends = landings(search, square, victim);
        for (squares_t squares = ends; squares != 0; squares &= squares - 1) {
            const int to = squares_first(squares);
            if (!can_capture(search, to, enemy & ~search->captured))
                continue;
            ends &= ~square_bit(to);
            capture_from(search, to);
            if (search->takes_all)
                return;
        }
        if (ends != 0)
            captures_complete(search, ends);
        search->captured &= ~square_bit(victim);
        search->n_kings -= is_king;
        search->n_men -= !is_king;
    }
}

void seed_capture(struct seeder *seeder, uint64_t index, const squares_t kings[2])
{
    const struct frame *frame = seeder->frame;
    const struct seed_tables *tables = seeder->tables;
    const squares_t all = kings[WHITE] | kings[BLACK] | frame->men[WHITE] | frame->men[BLACK];
    value_t worst[MAX_RUNS];
    struct search search = {
        .seeder = seeder,
        .own_men = frame->men[seeder->side],
        .own_kings = kings[seeder->side],
        .enemy_men = frame->men[seeder->other],
        .enemy_kings = kings[seeder->other],
        .best = -1,
        .worst = worst,
    };

    values_fill(worst, VALUE_NONE, MAX_RUNS);
    search.takes_all = seeder->one_enemy;
    for (int by_king = 1; by_king >= 0; by_king--) {
        squares_t left = by_king ? search.own_kings : search.own_men;
        search.by_king = by_king != 0;
        search.jump = by_king ? tables->jump_of_king : tables->jump_of_man[seeder->side];
        for (; left != 0 && !search.takes_all; left &= left - 1) {
            search.from = squares_first(left);
            search.occupied = all & ~square_bit(search.from);
            capture_from(&search, search.from);
        }
    }
    if (search.takes_all)
        values_fill(worst, VALUE_LOST, MAX_RUNS);
    put_seed(seeder, index, worst);
}
