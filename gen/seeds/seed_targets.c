/* The targets of moves: the material after a kind of move, in the store, and the numbers that king
 * sets have there. Set up once per material for each kind of move; the target frames of man moves
 * are found once per frame. */
#include "gen/seeds/seed_targets.h"
#include "core/program/flip.h"

/* Sets up a target from the material after a move of seeder->side; the other side is to move then.
 * False, with seeder->status set, when that material is not in the store. */
static bool target_set(struct seeder *seeder, struct target *target, struct material after)
{
    const struct frame_context *context = seeder->context;
    const bool symmetric = material_is_symmetric(&after);

    target->keeps_runs = context->rules->king_run_limit > 0 && after.men[seeder->other] > 0 &&
                         after.kings[seeder->other] > 0;
    target->flipped = !material_is_canonical(&after) || (symmetric && seeder->other == BLACK);
    if (target->flipped)
        after = material_flip(&after);
    const einspul_status status =
        store_require(context->store, &after, &target->solved, seeder->error);
    if (status != EINSPUL_OK) {
        seeder->status = status;
        return false;
    }
    target->side = target->flipped ? !seeder->other : (int)seeder->other;
    target->stride = target->side == WHITE ? (size_t)target->solved->shape.n_runs[BLACK] : 1;
    return true;
}

const struct target *find_target(struct seeder *seeder, int n_men, int n_kings, bool promotes)
{
    struct target *target = &seeder->targets[n_men][n_kings][promotes];
    struct material after = seeder->context->shape.material;
    if (target->solved != NULL)
        return target;
    after.men[seeder->other] = (uint8_t)(after.men[seeder->other] - n_men);
    after.kings[seeder->other] = (uint8_t)(after.kings[seeder->other] - n_kings);
    after.men[seeder->side] = (uint8_t)(after.men[seeder->side] - promotes);
    after.kings[seeder->side] = (uint8_t)(after.kings[seeder->side] + promotes);
    return target_set(seeder, target, after) ? target : NULL;
}

static void man_move_add(struct seeder *seeder, int from, int to)
{
    const struct frame_context *context = seeder->context;
    const struct board *board = &context->rules->board;
    const int side = (int)seeder->side;
    const bool promotes = (board->promotion[side] & square_bit(to)) != 0;
    struct man_move *move = &seeder->man_moves[seeder->n_man_moves];
    const struct target *target = find_target(seeder, 0, 0, promotes);
    struct placement men = {.men = {seeder->frame->men[WHITE], seeder->frame->men[BLACK]}};

    men.men[side] &= ~square_bit(from);
    if (target == NULL)
        return;
    if (!promotes)
        men.men[side] |= square_bit(to);
    const struct shape *shape = &target->solved->shape;
    for (int s = WHITE; s <= BLACK; s++) {
        move->rank[s] = target->flipped ? context->king_flipped[s] : seeder->tables->same[s];
        move->stride[s] = (s == WHITE) != target->flipped ? shape->n_king_sets[BLACK] : 1;
    }
    if (promotes) {
        const int k = to - promotion_square(board, side, 0);
        move->rank[side] = target->flipped ? seeder->tables->promoted_flipped[side][k]
                                           : seeder->tables->promoted[side][k];
    }
    if (target->flipped)
        men = placement_flip(board, &men);
    move->to = square_bit(to);
    move->is_contiguous = !promotes && !target->flipped;
    move->target = target;
    move->base = solved_address(target->solved, target->side, men.men);
    seeder->n_man_moves++;
}

bool man_moves_find(struct seeder *seeder)
{
    const struct frame *frame = seeder->frame;
    const struct board *board = &frame->context->rules->board;
    const squares_t men = frame->men[WHITE] | frame->men[BLACK];
    const int first = seeder->side == WHITE ? NORTH_WEST : SOUTH_WEST;

    seeder->n_man_moves = 0;
    for (squares_t left = frame->captures_only ? 0 : frame->men[seeder->side]; left != 0;
         left &= left - 1) {
        const int from = bits_first(left);
        for (int direction = first; direction < first + 2; direction++) {
            const int to = board->next[direction][from];
            if (to != NO_SQUARE && (men & square_bit(to)) == 0)
                man_move_add(seeder, from, to);
        }
    }
    return seeder->status == EINSPUL_OK;
}
