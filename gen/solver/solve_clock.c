/* The solver of material that is stored with its clock: a lone king that has a draw after so many
 * plies (struct rules).
 *
 * A move within the frame takes the clock on by a ply, so nothing goes round in circles: the
 * values at a clock follow from those at the next one, and at the limit every state is drawn in
 * which a move can still be made. What leaves the frame is in the seeds, a value for every
 * clock. Through the mover, to read beside the rules; these materials are few and small. */
#include "core/index.h"
#include "gen/solver/solve.h"

#include <string.h>

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

/* What a quiet placement begins with: lost where no move can be made, else drawn until it is its
 * clock's turn. */
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
        can_move = king_slides(context->rules, squares_first(left), empty) != 0;
    memset(values, can_move ? VALUE_DRAW : VALUE_LOST, n_clocks);
}

static einspul_status clock_start(void *solver, struct frame *frame, einspul_error *error)
{
    const struct shape *shape = &frame->context->shape;
    (void)solver, (void)error;
    for (int side = WHITE; side <= BLACK; side++) {
        frame_copy_captures(frame, side, 0, shape->frame_size);
        for (uint32_t white = 0; white < shape->n_king_sets[WHITE]; white++)
            for (uint32_t black = 0; black < shape->n_king_sets[BLACK]; black++)
                if (frame_class(frame, side, (uint64_t)white * shape->n_king_sets[BLACK] + black) ==
                    CLASS_QUIET)
                    clock_start_placement(frame, side, white, black);
    }
    return EINSPUL_OK;
}

/* The value of a quiet placement at a clock, from those at the next one. At the limit only who
 * cannot move has lost, and clock 0, whose turn comes last, still tells that. */
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
        const int from = squares_first(left);
        for (squares_t ends = king_slides(context->rules, from, empty); ends != 0;
             ends &= ends - 1) {
            const uint32_t moved =
                set_rank((kings & ~square_bit(from)) | square_bit(squares_first(ends)));
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

static einspul_status clock_decide(void *solver, struct frame *frame, einspul_error *error)
{
    const struct shape *shape = &frame->context->shape;
    const int64_t n_white = shape->n_king_sets[WHITE];
    bool too_long = false;
    (void)solver;
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
    return too_long ? frame_too_long(frame->context, error) : EINSPUL_OK;
}

static void clock_read(void *solver, struct frame *frame)
{
    const struct shape *shape = &frame->context->shape;
    const uint64_t n = shape->frame_size * (uint64_t)shape->n_clocks;
    (void)solver;
    for (int side = WHITE; side <= BLACK && frame->context->metric == EINSPUL_WDL; side++)
        for (uint64_t i = 0; i < n; i++)
            (frame->value[side])[i] = value_sign((frame->value[side])[i]);
}

const struct solver_type solver_clock = {
    .name = "clock",
    .large_states = UINT64_MAX,
    .seeds = &seeds_clock,
    .start = clock_start,
    .decide = clock_decide,
    .read = clock_read,
};
