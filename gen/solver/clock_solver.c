/* Seeds and solver of material that is stored with its clock: a lone king that has a draw after so
 * many plies (struct rules). Nothing else in the generator knows of clocks.
 *
 * A move within the frame advances the clock by a ply, so there are no cycles: the values at a
 * clock follow from those at the next one, and at the limit every state is drawn in which a move
 * can still be made. What leaves the frame is in the seeds, a value for every clock. Uses the move
 * generator, a placement at a time; these materials are few and small. */
#include "gen/solver/clock_solver.h"

#include "core/moves.h"
#include "core/program/index.h"

#include <omp.h>
#include <string.h>

/* --- seeds ------------------------------------------------------------------------------------ */

/* Raises `seed`, by clock, to the value of a move. After the move the clock continues if the limit
 * is the same, and restarts otherwise. */
static einspul_status seed_raise(const struct frame_context *context, struct chunk_reader *reader,
                                 const struct placement *from, const struct move *move,
                                 struct move_list *replies, value_t *seed, einspul_error *error)
{
    const int n_clocks = context->shape.n_clocks;
    const struct state before = {.at = *from};
    const struct state after = state_after(context->rules, &before, move);
    const bool is_over = placement_own(&after.at, after.at.side) == 0;
    const value_t lost = VALUE_LOST;
    struct placement_values found = {.values = &lost};
    einspul_status status = EINSPUL_OK;

    if (!is_over)
        status = store_find(context->store, reader, &after.at, &found, error);
    for (int clock = 0; clock < n_clocks && status == EINSPUL_OK; clock++) {
        const int next = after.clock > 0 ? clock + 1 : 0;
        value_t value = VALUE_DRAW;
        if (next < n_clocks) {
            if (found.values[next] == VALUE_LONGEST_WIN)
                return frame_too_long(context, error);
            value = value_before(found.values[next]);
        } else { /* the limit is reached */
            status = moves_generate(context->rules, &after, replies);
            if (status != EINSPUL_OK)
                return moves_error(status, error);
            value = replies->n_moves == 0 ? VALUE_WIN_IN_1 : VALUE_DRAW;
        }
        if (value > seed[clock])
            seed[clock] = value;
    }
    return status;
}

static einspul_status seed_placement(struct frame *frame, struct chunk_reader *reader,
                                     const struct placement *placement, uint64_t index,
                                     struct move_list lists[2], einspul_error *error)
{
    const struct frame_context *context = frame->context;
    const struct rules *rules = context->rules;
    const enum side side = placement->side;
    const size_t n_seeds = (size_t)shape_capture_values(&context->shape, (int)side);
    struct move_list *list = &lists[0];
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
        status = seed_raise(context, reader, placement, &list->moves[i], &lists[1], seed, error);
    }
    return status;
}

/* Classes and seeds of all placements with the white king set of one rank. */
static einspul_status seed_white_set(struct frame *frame, struct chunk_reader *reader,
                                     uint32_t white, struct move_list lists[2],
                                     einspul_error *error)
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
            status = seed_placement(frame, reader, &placement, index, lists, error);
        }
    }
    return status;
}

static einspul_status seed_clock(void *seeders, struct frame *frame, einspul_error *error)
{
    (void)seeders;
    const int64_t n_white = frame->context->shape.n_king_sets[WHITE];
    einspul_status status = EINSPUL_OK;

#pragma omp parallel num_threads(frame->n_threads) if (frame->n_threads > 1)
    {
        struct chunk_reader *reader = frame->readers[omp_get_thread_num()];
        struct move_list lists[2];
        move_list_init(&lists[0]);
        move_list_init(&lists[1]);
        chunk_reader_quiesce(reader);
#pragma omp for schedule(dynamic, 16)
        for (int64_t white = 0; white < n_white; white++) {
            einspul_error mine = {0};
            const einspul_status one = seed_white_set(frame, reader, (uint32_t)white, lists, &mine);
            if (one != EINSPUL_OK) {
#pragma omp critical(seed_clock_error)
                if (status == EINSPUL_OK) {
                    status = one;
                    error_set(error, one, "%s", mine.text);
                }
            }
        }
        move_list_free(&lists[0]);
        move_list_free(&lists[1]);
        chunk_reader_offline(reader);
    }
    return status;
}

static const struct seed_ops clock_seeds = {.make = seed_clock};

/* Squares a king on `square` reaches by simple moves over `empty` squares. */
static squares_t king_slides(const struct rules *rules, int square, squares_t empty)
{
    squares_t reach = 0;
    for (int direction = NORTH_WEST; direction <= SOUTH_EAST; direction++) {
        for (int to = rules->board.next[direction][square];
             to != NO_SQUARE && (empty & square_bit(to)) != 0;
             to = rules->board.next[direction][to]) {
            reach |= square_bit(to);
            if (!rules->flying_kings)
                break;
        }
    }
    return reach;
}

/* --- solver ----------------------------------------------------------------------------------- */

static squares_t clock_empty_squares(const struct frame *frame, uint32_t white, uint32_t black)
{
    const struct frame_context *context = frame->context;
    return context->rules->board.all &
           ~(frame->men[WHITE] | frame->men[BLACK] | context->king_sets[WHITE][white] |
             context->king_sets[BLACK][black]);
}

/* The values of a placement by clock. */
static value_t *values_of(const struct frame *frame, int side, uint32_t white, uint32_t black)
{
    const struct shape *shape = &frame->context->shape;
    return frame->value[side] +
           ((size_t)white * shape->n_king_sets[BLACK] + black) * (size_t)shape->n_clocks;
}

/* The initial values of a quiet placement: lost without a move, else drawn until their clock is
 * solved. */
static void clock_start_placement(struct frame *frame, int side, uint32_t white, uint32_t black)
{
    const struct frame_context *context = frame->context;
    const size_t n_clocks = (size_t)context->shape.n_clocks;
    const squares_t empty = clock_empty_squares(frame, white, black);
    value_t *values = values_of(frame, side, white, black);
    const value_t *seed = frame->seed[side] + (values - frame->value[side]);
    bool can_move = seed[0] != VALUE_LOST;
    for (squares_t left = context->king_sets[side][side == WHITE ? white : black];
         left != 0 && !can_move; left &= left - 1)
        can_move = king_slides(context->rules, bits_first(left), empty) != 0;
    memset(values, can_move ? VALUE_DRAW : VALUE_LOST, n_clocks);
}

static void clock_start(struct frame *frame)
{
    const struct shape *shape = &frame->context->shape;
    for (int side = WHITE; side <= BLACK; side++) {
        frame_copy_captures(frame, side, 0, shape->frame_size);
        for (uint32_t white = 0; white < shape->n_king_sets[WHITE]; white++)
            for (uint32_t black = 0; black < shape->n_king_sets[BLACK]; black++)
                if (frame_class(frame, side, (uint64_t)white * shape->n_king_sets[BLACK] + black) ==
                    CLASS_QUIET)
                    clock_start_placement(frame, side, white, black);
    }
}

/* The value of a quiet placement at a clock, from those at the next one. At the limit a side has
 * lost only if it has no move, which the value at clock 0, decided last, still shows. */
static value_t decide_one(const struct frame *frame, int side, uint32_t white, uint32_t black,
                          int clock)
{
    const struct frame_context *context = frame->context;
    const int n_clocks = context->shape.n_clocks;
    const int next = clock + 1 < n_clocks ? clock + 1 : 0;
    const squares_t empty = clock_empty_squares(frame, white, black);
    const squares_t kings = context->king_sets[side][side == WHITE ? white : black];
    const value_t *values = values_of(frame, side, white, black);
    value_t best = (frame->seed[side] + (values - frame->value[side]))[clock];
    if (values[0] == VALUE_LOST)
        return VALUE_LOST;
    for (squares_t left = kings; left != 0; left &= left - 1) {
        const int from = bits_first(left);
        for (squares_t ends = king_slides(context->rules, from, empty); ends != 0;
             ends &= ends - 1) {
            const uint32_t moved =
                set_rank((kings & ~square_bit(from)) | square_bit(bits_first(ends)));
            const value_t after = values_of(frame, !side, side == WHITE ? moved : white,
                                            side == WHITE ? black : moved)[next];
            const value_t value =
                next > 0 || after == VALUE_LOST ? value_before(after) : VALUE_DRAW;
            if (value > best)
                best = value;
        }
    }
    return best;
}

static einspul_status solve_clock(void *solver, struct frame *frame, einspul_error *error)
{
    const struct shape *shape = &frame->context->shape;
    const int64_t n_white = shape->n_king_sets[WHITE];
    bool too_long = false;
    (void)solver;
    clock_start(frame);
    for (int clock = shape->n_clocks - 1; clock >= 0; clock--)
#pragma omp parallel for num_threads(frame->n_threads) schedule(dynamic, 4)                        \
    reduction(||                                                                                   \
              : too_long) if (frame->n_threads > 1)
        for (int64_t white = 0; white < n_white; white++)
            for (uint32_t black = 0; black < shape->n_king_sets[BLACK]; black++)
                for (int side = WHITE; side <= BLACK; side++)
                    if (frame_class(frame, side,
                                    (uint64_t)white * shape->n_king_sets[BLACK] + black) ==
                        CLASS_QUIET) {
                        const value_t value =
                            decide_one(frame, side, (uint32_t)white, black, clock);
                        values_of(frame, side, (uint32_t)white, black)[clock] = value;
                        too_long = too_long || value == VALUE_LONGEST_WIN;
                    }
    for (int side = WHITE; side <= BLACK && frame->context->metric == EINSPUL_WDL; side++)
        for (uint64_t i = 0; i < shape->frame_size * (uint64_t)shape->n_clocks; i++)
            frame->value[side][i] = value_without_distance(frame->value[side][i]);
    return too_long ? frame_too_long(frame->context, error) : EINSPUL_OK;
}

const struct solver_ops clock_solver = {
    .large_states = UINT64_MAX,
    .seeds = &clock_seeds,
    .solve = solve_clock,
};
