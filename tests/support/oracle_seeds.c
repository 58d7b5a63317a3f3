/* Seeds through the mover, a placement at a time: to read beside the rules. */
#include "tests/support/oracle_solver.h"
#include "tests/support/ranks.h"

#include "core/moves.h"
#include "core/program/index.h"

#include <omp.h>
#include <string.h>

/* Raises `seed` (by run of the other side, who is to move in `after`) to what `after` is worth. The
 * mover's run is gone after every move that leaves the frame; the other side's stays with its king,
 * where king and men are still there. */
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
        int run_after = 0; /* none: there was none, or its king or the last man was captured */
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

static einspul_status seed_placement(struct frame *frame, struct chunk_reader *reader,
                                     const struct placement *placement, uint64_t index,
                                     struct move_list *list, einspul_error *error)
{
    const struct frame_context *context = frame->context;
    const struct rules *rules = context->rules;
    const enum side side = placement->side;
    const size_t n_seeds = (size_t)shape_capture_values(&context->shape, (int)side);
    value_t *seed = frame->seed[side] + index * n_seeds;
    const bool capture = placement_has_capture(rules, placement);
    einspul_status status = EINSPUL_OK;

    if (!frame_needs(frame, (int)side, placement->kings[side_other(side)])) {
        frame->class_of[side][index] = CLASS_IMPOSSIBLE;
        return EINSPUL_OK;
    }
    frame->class_of[side][index] = capture ? CLASS_CAPTURE : CLASS_QUIET;
    memset(seed, VALUE_LOST, n_seeds);
    if (!capture && frame->captures_only)
        return EINSPUL_OK;
    status =
        capture ? moves_captures(rules, placement, list) : moves_of_men(rules, placement, list);
    if (status != EINSPUL_OK)
        return moves_error(status, error);
    for (int i = 0; i < list->n_moves && status == EINSPUL_OK; i++) {
        const struct placement after = placement_after(placement, &list->moves[i]);
        status = seed_raise(context, reader, placement, &after, seed, error);
    }
    return status;
}

/* Classes and seeds of all placements with the white king set of one rank. */
static einspul_status seed_white_set(struct frame *frame, struct chunk_reader *reader,
                                     uint32_t white, struct move_list *list, einspul_error *error)
{
    const struct frame_context *context = frame->context;
    const squares_t men = frame->men[WHITE] | frame->men[BLACK];
    const squares_t white_kings = context->king_sets[WHITE][white];
    const uint32_t n_black = context->shape.n_king_sets[BLACK];
    einspul_status status = EINSPUL_OK;

    for (uint32_t black = 0; black < n_black && status == EINSPUL_OK; black++) {
        const squares_t black_kings = context->king_sets[BLACK][black];
        const uint64_t index = (uint64_t)white * n_black + black;
        struct placement placement = {.men = {frame->men[WHITE], frame->men[BLACK]},
                                      .kings = {white_kings, black_kings}};
        if ((white_kings & black_kings) != 0 || ((white_kings | black_kings) & men) != 0) {
            frame->class_of[WHITE][index] = CLASS_IMPOSSIBLE;
            frame->class_of[BLACK][index] = CLASS_IMPOSSIBLE;
            continue;
        }
        for (int side = WHITE; side <= BLACK && status == EINSPUL_OK; side++) {
            placement.side = (enum side)side;
            status = seed_placement(frame, reader, &placement, index, list, error);
        }
    }
    return status;
}

static einspul_status seed_plain(void *seeders, struct frame *frame, einspul_error *error)
{
    (void)seeders;
    const int64_t n_white = frame->context->shape.n_king_sets[WHITE];
    einspul_status status = EINSPUL_OK;

#pragma omp parallel num_threads(frame->n_threads) if (frame->n_threads > 1)
    {
        struct chunk_reader *reader = frame->readers[omp_get_thread_num()];
        struct move_list list;
        move_list_init(&list);
        chunk_reader_quiesce(reader);
#pragma omp for schedule(dynamic, 16)
        for (int64_t white = 0; white < n_white; white++) {
            einspul_error mine = {0};
            const einspul_status one = seed_white_set(frame, reader, (uint32_t)white, &list, &mine);
            if (one != EINSPUL_OK) {
#pragma omp critical(seed_plain_error)
                if (status == EINSPUL_OK) {
                    status = one;
                    error_set(error, one, "%s", mine.text);
                }
            }
        }
        move_list_free(&list);
        chunk_reader_offline(reader);
    }
    return status;
}

const struct seed_ops seeds_plain = {.make = seed_plain};
