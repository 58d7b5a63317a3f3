/* Large frames in the fast solver: memory, not the processor's cache, is what limits them, so nothing is
 * held twice, nor what can be recomputed.
 *
 * Values are entered in the frame, by king index and run state, as they are decided; they take
 * the place of the seeds where those are values (frame.h), and are not read out at the end.
 * Seeds are not sorted (fast_seeds.c). Which cells of a word are quiet is not carried
 * from the frame bit by bit: all captures of a word are found at once, as the seeds find those
 * of a line. */
#include "gen/seeds/capture_lines.h"
#include "gen/solver/fast.h"

#include <string.h>

enum { PART = 1 << 20 }; /* bytes */

/* Sets `n` bytes, which may be none (NULL), on all threads. A single one does so without a parallel
 * region, which would take it longer. */
static void fill(const struct solver *solver, void *bytes, int byte, size_t n)
{
    const size_t n_parts = bytes == NULL ? 0 : (n + PART - 1) / PART;
    if (n_parts == 1 || solver->n_threads == 1) {
        if (bytes != NULL)
            memset(bytes, byte, n);
        return;
    }
#pragma omp parallel for num_threads(solver->n_threads) schedule(static)
    for (size_t part = 0; part < n_parts; part++) {
        const size_t first = part * PART;
        memset((uint8_t *)bytes + first, byte, n - first < PART ? n - first : PART);
    }
}

static void clear(const struct solver *solver, cells_t *words, size_t n)
{
    fill(solver, words, 0, n * sizeof *words);
}

void fast_clear(const struct solver *solver, const struct fast_side *side)
{
    const size_t n_after = (size_t)side->own->n_after * side->n_words;
    const size_t n_final = (size_t)side->n_final_planes * side->n_final;

    memset(side->lost_touched, 0, side->n_groups + 1);
    memset(side->won_touched, side->own->n_kings > 0, side->n_groups + 1);
    clear(solver, side->lossable, side->n_words);
    clear(solver, side->lost_after, n_after);
    clear(solver, side->won_after, n_after);
    clear(solver, side->lost_final, n_final);
    clear(solver, side->won_final, n_final);
    if (side->lost_final != NULL) {
        memset(side->lost_final_touched, 0, side->other->n_sets);
        memset(side->won_final_touched, 0, side->other->n_sets);
    }
}

/* The quiet cells of the words of one king set of the other side. */
static void quiet_words(const struct solver *solver, int to_move, uint32_t other_set,
                        cells_t *quiet)
{
    const struct frame_context *context = solver->context;
    const struct board *board = &context->rules->board;
    const struct fast_side *side = &solver->side[to_move];
    const struct layout *own = side->own;
    const squares_t *men = solver->frame->men;
    const cells_t free = solver->no_men & ~side->other->config_cells[other_set];
    struct still still = {
        .men = {cells_of_squares(board, men[WHITE]), cells_of_squares(board, men[BLACK])}};
    squares_t kings[2];

    still.kings[!to_move] = side->other->config_cells[other_set];
    kings[!to_move] = context->king_sets[!to_move][other_set];
    for (uint32_t others = 0; others < own->n_others; others++) {
        still.kings[to_move] = own->others_cells[others];
        if ((still.kings[to_move] & ~free) != 0 || (still.kings[!to_move] & ~solver->no_men) != 0) {
            quiet[others] = 0; /* two pieces on one square */
            continue;
        }
        kings[to_move] = squares_of_cells(board, still.kings[to_move]);
        const squares_t among_still =
            still_captures(context->seeds, men, kings, (enum side)to_move);
        const cells_t captures = capture_cells(context->rules, &still, solver->all_cells,
                                               (enum side)to_move, (enum side)to_move);
        quiet[others] = free & ~still.kings[to_move] & ~captures;
        if (among_still != 0)
            quiet[others] &= ~cells_of_squares(board, among_still);
    }
}

/* `open` of all planes. */
static void start_open(struct solver *solver, int to_move)
{
    struct fast_side *side = &solver->side[to_move];
    const struct layout *own = side->own;
    const struct layout *other = side->other;
    const size_t n_bytes = own->n_others * sizeof *side->open;

#pragma omp parallel for num_threads(solver->n_threads) schedule(dynamic, 8)
    for (uint32_t set = 0; set < other->n_sets; set++) {
        const uint32_t *configs = other->config_of_run + set * (size_t)other->n_runs;
        const cells_t *quiet = side->open + (size_t)set * own->n_others; /* without a run */
        quiet_words(solver, to_move, set, side->open + (size_t)set * own->n_others);
        for (int plane = 0; plane < own->n_planes; plane++) {
            cells_t *open = side->open + (size_t)plane * side->n_words;
            for (int run = 0; run < other->n_runs; run++)
                if (plane > 0 || run > 0)
                    memcpy(open + (size_t)configs[run] * own->n_others, quiet, n_bytes);
        }
    }
}

/* Everything is drawn but the captures. */
static void start_values(struct solver *solver, int to_move)
{
    const struct shape *shape = &solver->context->shape;
    struct frame *frame = solver->frame;
    const int64_t n_white = shape->n_king_sets[WHITE];
    const uint64_t n_black = shape->n_king_sets[BLACK];

    if (frame_seed_is_value(solver->context, to_move))
        return; /* seeds were made that way */
    fill(solver, frame->value[to_move], VALUE_DRAW,
         (size_t)shape->frame_size * (size_t)shape->n_run_states);
#pragma omp parallel for num_threads(solver->n_threads) schedule(dynamic, 8)
    for (int64_t white = 0; white < n_white; white++)
        frame_copy_captures(frame, to_move, (uint64_t)white * n_black,
                            (uint64_t)(white + 1) * n_black);
}

void fast_large_start(struct solver *solver, int to_move)
{
    const struct fast_side *side = &solver->side[to_move];
    fast_clear(solver, side);
    start_values(solver, to_move);
    if (side->own->n_kings > 0)
        start_open(solver, to_move);
}

void fast_large_enter(const struct solver *solver, int to_move, uint32_t strip, uint32_t others,
                      int plane, cells_t bits, value_t value)
{
    const struct shape *shape = &solver->context->shape;
    const struct layout *own = solver->side[to_move].own;
    const struct layout *other = solver->side[to_move].other;
    const size_t n_black = shape->n_king_sets[BLACK];
    const size_t n_run_states = (size_t)shape->n_run_states;
    /* A value stands at own set * own_stride + own run * run_stride + what the strip says. */
    const size_t own_stride = (to_move == WHITE ? n_black : 1) * n_run_states;
    const size_t other_stride = (to_move == WHITE ? 1 : n_black) * n_run_states;
    const size_t run_stride = to_move == WHITE ? (size_t)shape->n_runs[BLACK] : 1;
    const size_t other_run_stride = to_move == WHITE ? 1 : (size_t)shape->n_runs[BLACK];
    value_t *values = solver->frame->value[to_move] + other->config_set[strip] * other_stride +
                      other->config_run[strip] * other_run_stride;

    const struct layout_configs configs = layout_configs(own, others, plane);

    if (plane == 0)
        bits &= own->highest[others]; /* the placement stands in a word for each of its kings */
    for (; bits != 0; bits &= bits - 1) {
        const uint32_t square = solver->square_of_cell[squares_first(bits)];
        const uint32_t config = configs.first + configs.by_square[square];
        values[own->config_set[config] * own_stride + own->config_run[config] * run_stride] = value;
    }
}
