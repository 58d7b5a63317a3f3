/* Where the moves of the fast seeds lead to: the material after a kind of move, in the store,
 * and how king sets here are numbered there. Set up once a material for each kind of move; for
 * man moves the frame they lead to is found once a frame. */
#ifndef EINSPUL_GEN_SEEDS_SEED_TARGETS_TEMPLATE_H
#define EINSPUL_GEN_SEEDS_SEED_TARGETS_TEMPLATE_H

#include "gen/seeds/seeder_template.h"

/* Sets up a target from the material after a move of seeder->side; the other side is to move then.
 * False, with seeder->status set, when that material is not in the store. */
static bool target_set(struct seeder *seeder, struct target *target, struct material after)
{
    const struct frame_context *context = seeder->context;
    const bool symmetric = material_is_symmetric(&after);

    target->runs_last = context->rules->king_run_limit > 0 && after.men[seeder->other] > 0 &&
                        after.kings[seeder->other] > 0;
    target->turned = !material_is_canonical(&after) || (symmetric && seeder->other == BLACK);
    if (target->turned)
        after = material_turn(&after);
    const einspul_status status =
        store_need(context->store, &after, &target->solved, seeder->error);
    if (status != EINSPUL_OK) {
        seeder->status = status;
        return false;
    }
    target->side = target->turned ? !seeder->other : (int)seeder->other;
    target->stride = target->side == WHITE ? (size_t)target->solved->shape.n_runs[BLACK] : 1;
    return true;
}

/* Sets at[run] to where the values of a placement of the target have the other side's run.
 * `left` says which of its kings are still there. */
static inline void runs_after(const struct seeder *seeder, const struct target *target,
                              unsigned left, uint8_t at[MAX_RUNS])
{
    const uint8_t *after = seeder->tables->run_after[seeder->other][left][target->turned];
    for (int run = 0; run < seeder->n_runs; run++)
        at[run] = (uint8_t)(target->runs_last ? after[run] * target->stride : 0);
}

/* The chunk of an address; NULL, with seeder->status set, when it cannot be had. */
static inline const struct chunk *target_chunk(struct seeder *seeder, const struct target *target,
                                               uint64_t address)
{
    const struct chunk *chunk = NULL;
    const einspul_status status =
        solved_get(target->solved, seeder->reader, false, address, &chunk, seeder->error);
    if (status == EINSPUL_OK)
        return chunk;
    seeder->status = status;
    return NULL;
}

/* Lowers worst[run] to the values of a placement of the target, as runs_after says. */
static inline void take_values(struct seeder *seeder, const struct target *target,
                               const struct chunk *chunk, uint64_t address,
                               const uint8_t at[MAX_RUNS], value_t *worst)
{
    const value_t *values = chunk_entry(chunk, address, target->solved->shape.n_run_states);
    if (seeder->n_runs == 1)
        worst[0] = smaller(values[0], worst[0]);
    else
        for (int run = 0; run < seeder->n_runs; run++)
            worst[run] = smaller(values[at[run]], worst[run]);
}

/* The same for a single placement. */
static inline void take_address(struct seeder *seeder, const struct target *target,
                                uint64_t address, const uint8_t at[MAX_RUNS], value_t *worst)
{
    const struct chunk *chunk = target_chunk(seeder, target, address);
    if (chunk != NULL)
        take_values(seeder, target, chunk, address, at, worst);
}

static void man_move_add(struct seeder *seeder, int from, int to)
{
    const struct frame_context *context = seeder->context;
    const struct board *board = &context->rules->board;
    const int side = (int)seeder->side;
    const bool promotes = (board->promotion[side] & square_bit(to)) != 0;
    struct man_move *move = &seeder->man_moves[seeder->n_man_moves];
    struct target *target = &seeder->man_targets[promotes];
    struct material after = context->shape.material;
    struct placement men = {.men = {seeder->frame->men[WHITE], seeder->frame->men[BLACK]}};

    men.men[side] &= ~square_bit(from);
    if (promotes) {
        after.men[side]--;
        after.kings[side]++;
    } else {
        men.men[side] |= square_bit(to);
    }
    if (target->solved == NULL && !target_set(seeder, target, after))
        return;
    const struct shape *shape = &target->solved->shape;
    for (int s = WHITE; s <= BLACK; s++) {
        move->rank[s] = target->turned ? context->king_turned[s] : seeder->tables->same[s];
        move->stride[s] = (s == WHITE) != target->turned ? shape->n_king_sets[BLACK] : 1;
    }
    if (promotes) {
        const int k = to - promotion_square(board, side, 0);
        move->rank[side] = target->turned ? seeder->tables->promoted_turned[side][k]
                                          : seeder->tables->promoted[side][k];
    }
    if (target->turned)
        men = placement_turn(board, &men);
    move->to = square_bit(to);
    move->is_strip = !promotes && !target->turned && shape->n_run_states == 1;
    move->target = target;
    move->base = solved_address(target->solved, target->side, men.men);
    seeder->n_man_moves++;
}

/* Finds the man moves of the seeder's frame, captures aside. False as target_set. */
static bool man_moves_find(struct seeder *seeder)
{
    const struct frame *frame = seeder->frame;
    const struct board *board = &frame->context->rules->board;
    const squares_t men = frame->men[WHITE] | frame->men[BLACK];
    const int first = seeder->side == WHITE ? NORTH_WEST : SOUTH_WEST;

    seeder->n_man_moves = 0;
    for (squares_t left = frame->captures_only ? 0 : frame->men[seeder->side]; left != 0;
         left &= left - 1) {
        const int from = squares_first(left);
        for (int direction = first; direction < first + 2; direction++) {
            const int to = board->next[direction][from];
            if (to != NO_SQUARE && (men & square_bit(to)) == 0)
                man_move_add(seeder, from, to);
        }
    }
    return seeder->status == EINSPUL_OK;
}

#endif
