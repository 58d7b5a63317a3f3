/* Reference seeds from the move generator, one placement at a time, easy to check against the
 * rules. */
#include "tests/support/oracle_solver.h"
#include "tests/support/ranks.h"

#include "core/moves.h"
#include "core/program/index.h"

#include <string.h>

/* Raises `seed` (by run of the other side, which moves in `after`) to the value of `after`. The
 * mover's run is gone after every move that leaves the frame; the other side keeps its run if the
 * king and a man remain. */
static einspul_status seed_raise(const struct frame_context *context, struct chunk_reader *reader,
                                 const struct placement *before, const struct placement *after,
                                 value_t *seed, einspul_error *error)
{
    const enum side other = after->side;
    const squares_t kings_before = before->kings[other];
    const squares_t kings_after = after->kings[other];
    const bool runs_after = placement_has_runs(context->rules, after, other);
    const int n_kings_after = bits_count(kings_after);
    const value_t lost = VALUE_LOST;
    struct placement_values found = {.values = &lost};

    if (placement_own(after, other) != 0) {
        const einspul_status status = store_find(context->store, reader, after, &found, error);
        if (status != EINSPUL_OK)
            return status;
    }
    for (int run = 0; run < context->shape.n_runs[other]; run++) {
        int run_after = 0; /* none: no run before, or its king or the last man was captured */
        const struct run state = run_from_index(kings_before, run);
        if (runs_after && state.count > 0 && (kings_after & square_bit(state.square)) != 0) {
            run_after = run_index(kings_after, state);
            if (found.flipped)
                run_after = run_index_flipped(run_after, n_kings_after);
        }
        const value_t value_after = found.values[run_after * found.stride];
        if (value_after == VALUE_LONGEST_WIN)
            return frame_too_long(context, error);
        value_t value = value_before(value_after);
        if (context->metric == EINSPUL_WDL)
            value = value_without_distance(value);
        if (value > seed[run])
            seed[run] = value;
    }
    return EINSPUL_OK;
}

/* The placement with an index of the frame; false if two of its pieces share a square. */
static bool placement_at(const struct frame *frame, uint64_t index, int side,
                         struct placement *placement)
{
    const struct frame_context *context = frame->context;
    const uint32_t n_black = context->shape.n_king_sets[BLACK];
    const squares_t kings[2] = {context->king_sets[WHITE][index / n_black],
                                context->king_sets[BLACK][index % n_black]};
    const squares_t sets[4] = {frame->men[WHITE], frame->men[BLACK], kings[WHITE], kings[BLACK]};
    squares_t taken = 0;
    bool apart = true;
    for (int i = 0; i < 4; i++) {
        apart = apart && (taken & sets[i]) == 0;
        taken |= sets[i];
    }
    *placement = (struct placement){
        .men = {sets[0], sets[1]}, .kings = {sets[2], sets[3]}, .side = (enum side)side};
    return apart;
}

/* Class and seeds of a possible placement, from all of its legal moves except king moves without
 * capture, which stay in the frame. */
static einspul_status seed_placement(struct frame *frame, const struct placement *placement,
                                     uint64_t index, struct move_list *moves, einspul_error *error)
{
    const struct frame_context *context = frame->context;
    const int side = (int)placement->side;
    const size_t n_seeds = (size_t)shape_capture_values(&context->shape, side);
    value_t *seed = frame->seed[side] + index * n_seeds;
    einspul_status status =
        moves_generate(context->rules, &(struct state){.at = *placement}, moves);
    if (status != EINSPUL_OK)
        return moves_error(status, error);
    const bool captures = moves->n_moves > 0 && moves->moves[0].captured != 0;
    frame->class_of[side][index] = captures ? CLASS_CAPTURE : CLASS_QUIET;
    memset(seed, VALUE_LOST, n_seeds);
    for (int i = 0; i < moves->n_moves && status == EINSPUL_OK; i++) {
        const struct move *move = &moves->moves[i];
        const bool leaves = captures || (placement->men[side] & square_bit(move->from)) != 0;
        if (!leaves || (frame->captures_only && !captures))
            continue;
        const struct placement after = placement_after(placement, move);
        status = seed_raise(context, frame->readers[0], placement, &after, seed, error);
    }
    return status;
}

static einspul_status seed_plain(void *seeders, struct frame *frame, einspul_error *error)
{
    struct move_list moves;
    einspul_status status = EINSPUL_OK;
    (void)seeders;
    move_list_init(&moves);
    chunk_reader_quiesce(frame->readers[0]);
    for (uint64_t i = 0; i < 2 * frame->context->shape.frame_size && status == EINSPUL_OK; i++) {
        const int side = (int)(i % 2);
        struct placement at;
        if (placement_at(frame, i / 2, side, &at) && frame_needs(frame, side, at.kings[!side]))
            status = seed_placement(frame, &at, i / 2, &moves, error);
        else
            frame->class_of[side][i / 2] = CLASS_IMPOSSIBLE;
    }
    chunk_reader_offline(frame->readers[0]);
    move_list_free(&moves);
    return status;
}

const struct seed_ops seeds_plain = {.make = seed_plain};
