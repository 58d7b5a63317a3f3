/* The arrays of one side to move in the word solver: their sizes, and their content when a frame
 * begins. They are allocated once per material and reset for every frame.
 *
 * Which cells of a word are quiet is not gathered from the frame bit by bit: all captures of a word
 * are found at once, as the seeds find those of a line. With distances, and in large frames, values
 * are entered in the frame as they are decided; it begins with the captures, and draws. */
#include "gen/solver/word_side.h"

#include "gen/seeds/capture_lines.h"
#include "gen/solver/king_sets.h"
#include "gen/solver/large_seeds.h"
#include "gen/solver/seed_events.h"
#include "gen/solver/seed_keys.h"

#include <string.h>

/* A single word is too little work to decide separately whether to skip it. */
enum { GROUP_SHIFT = 4 };

void word_side_init(struct word_side *side, const struct layout *own, const struct layout *other,
                    bool has_men)
{
    memset(side, 0, sizeof *side);
    side->own = own;
    side->other = other;
    side->has_men = has_men;
    side->n_strips = other->n_strips;
    side->n_words = own->n_kings > 0 ? (size_t)side->n_strips * own->n_others : 0;
    side->n_final = own->n_kings > 0 ? (size_t)other->n_sets * own->n_others : 0;
    side->n_final_planes = own->has_runs ? own->n_after_planes + 1 : own->n_after_planes;
    side->group_shift = own->n_others == 1 ? GROUP_SHIFT : 0;
    side->n_groups =
        ((size_t)side->n_strips + ((size_t)1 << side->group_shift) - 1) >> side->group_shift;
}

void word_side_allocate(struct word_side *side, bool distances, bool large,
                        struct allocation *allocation)
{
    const struct layout *own = side->own;
    const struct layout *other = side->other;
    const size_t n_planes = (size_t)own->n_planes * side->n_words;
    const size_t n_after_planes = (size_t)own->n_after_planes * side->n_words;

    side->open = allocation_alloc(allocation, n_planes, sizeof(cells_t));
    if (side->has_men)
        side->seed_lost = allocation_alloc(allocation, side->n_words, sizeof(cells_t));
    side->lost_after = allocation_alloc(allocation, n_after_planes, sizeof(cells_t));
    side->won_after = allocation_alloc(allocation, n_after_planes, sizeof(cells_t));
    side->lost_touched = allocation_alloc(allocation, side->n_groups + 1, 1);
    side->won_touched = allocation_alloc(allocation, side->n_groups + 1, 1);
    if (large ? other->has_runs : own->has_runs || other->has_runs) {
        const size_t n_final = (size_t)side->n_final_planes * side->n_final;
        side->lost_final = allocation_alloc(allocation, n_final, sizeof(cells_t));
        side->won_final = allocation_alloc(allocation, n_final, sizeof(cells_t));
        side->lost_final_touched = allocation_alloc(allocation, other->n_sets, 1);
        side->won_final_touched = allocation_alloc(allocation, other->n_sets, 1);
    }
    if (large) {
        side->n_blocks = seed_blocks(side);
        side->seen = allocation_alloc(allocation, side->n_blocks, sizeof *side->seen);
        return;
    }
    if (distances) {
        seed_events_allocate(side, allocation);
    } else {
        side->quiet = allocation_alloc(allocation, side->n_final, sizeof(cells_t));
        side->won = allocation_alloc(allocation, n_planes, sizeof(cells_t));
        side->pending = allocation_alloc(allocation, n_planes, sizeof(cells_t));
        side->pending_strip = allocation_alloc(allocation, side->n_strips + 1, 1);
        if (own->has_runs || other->has_runs)
            side->spread = allocation_alloc(allocation, seed_keys_spread(side), sizeof(uint64_t));
    }
}

/* --- a frame begins --------------------------------------------------------------------------- */

enum { PART = 1 << 20 }; /* bytes */

/* Sets `n` bytes, which may be none (NULL), on all threads. With one thread, without the overhead
 * of a parallel region. */
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
        if (!frame_is_stopped(solver->frame))
            memset((uint8_t *)bytes + first, byte, n - first < PART ? n - first : PART);
    }
}

static void clear(const struct solver *solver, cells_t *words, size_t n)
{
    fill(solver, words, 0, n * sizeof *words);
}

/* Resets the arrays: nothing is decided, and every group takes part in the first loss wave. */
static void clear_all(const struct solver *solver, const struct word_side *side)
{
    const size_t n_after_planes = (size_t)side->own->n_after_planes * side->n_words;
    const size_t n_final = (size_t)side->n_final_planes * side->n_final;

    memset(side->lost_touched, 0, side->n_groups + 1);
    memset(side->won_touched, side->own->n_kings > 0, side->n_groups + 1);
    clear(solver, side->seed_lost, side->n_words);
    clear(solver, side->lost_after, n_after_planes);
    clear(solver, side->won_after, n_after_planes);
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
    const struct word_side *side = &solver->side[to_move];
    const struct layout *own = side->own;
    const squares_t *men = solver->frame->men;
    const cells_t free = solver->no_men & ~side->other->config_cells[other_set];
    struct stationary stationary = {
        .men = {cells_of_squares(board, men[WHITE]), cells_of_squares(board, men[BLACK])}};
    squares_t kings[2];

    stationary.kings[!to_move] = side->other->config_cells[other_set];
    kings[!to_move] = context->king_sets[!to_move][other_set];
    for (uint32_t others = 0; others < own->n_others; others++) {
        stationary.kings[to_move] = own->others_cells[others];
        if ((stationary.kings[to_move] & ~free) != 0 ||
            (stationary.kings[!to_move] & ~solver->no_men) != 0) {
            quiet[others] = 0; /* two pieces on one square */
            continue;
        }
        kings[to_move] = squares_of_cells(board, stationary.kings[to_move]);
        const squares_t among_still =
            stationary_captures(context->seed_tables, men, kings, (enum side)to_move);
        const cells_t captures = capture_cells(context->rules, &stationary, solver->all_cells,
                                               (enum side)to_move, (enum side)to_move);
        quiet[others] = free & ~stationary.kings[to_move] & ~captures;
        if (among_still != 0)
            quiet[others] &= ~cells_of_squares(board, among_still);
    }
}

/* `open` of the words of one king set of the other side (folded: one orbit), and `quiet` where that is kept. */
static void open_set(struct solver *solver, int to_move, uint32_t set, cells_t *buffer)
{
    const struct word_side *side = &solver->side[to_move];
    const struct layout *own = side->own;
    const uint32_t *configs = side->other->config_of_run + set * (size_t)side->other->n_runs;
    cells_t *quiet = (side->quiet != NULL ? side->quiet : side->open) + set * (size_t)own->n_others;
    (void)buffer;
    quiet_words(solver, to_move,
                solver->context->folded ? solver->context->orbits[!to_move].representative[set]
                                        : set,
                quiet);
    for (int plane = 0; plane < own->n_planes; plane++) {
        for (int run = 0; run < side->other->n_runs; run++) {
            cells_t *open =
                side->open + (size_t)plane * side->n_words + (size_t)configs[run] * own->n_others;
            if (open != quiet)
                memcpy(open, quiet, own->n_others * sizeof *open);
        }
    }
}

/* Copies the values of captures for one of White's king sets.  */
static void values_of_set(struct solver *solver, int to_move, uint32_t white, cells_t *buffer)
{
    const uint64_t n_black = solver->context->shape.n_king_sets[BLACK];
    (void)buffer;
    frame_copy_captures(solver->frame, to_move, white * n_black, (white + 1) * n_black);
}

/* The values of captures, if they are needed; where a side has no kings its seeds are the values. */
static void start_values(struct solver *solver, int to_move)
{
    const struct shape *shape = &solver->context->shape;
    const size_t n_bytes = (size_t)shape->frame_size * (size_t)shape->n_rule_states;
    value_t *values = solver->frame->value[to_move];
    if (frame_seed_is_value(solver->context, to_move))
        return; /* the seeds are the values already */
    if (shape->material.kings[to_move] == 0) {
        memcpy(values, solver->frame->seed[to_move], n_bytes);
        return;
    }
    fill(solver, values, VALUE_DRAW, n_bytes);
    if (frame_keeps_seeds(solver->context))
        return;
    if (solver->n_threads == 1)
        frame_copy_captures(solver->frame, to_move, 0, shape->frame_size);
    else
        for_king_sets(solver, to_move, shape->n_king_sets[WHITE], values_of_set);
}

void word_side_start(struct solver *solver, int to_move)
{
    struct word_side *side = &solver->side[to_move];
    const size_t n_planes = (size_t)side->own->n_planes * side->n_words;

    clear_all(solver, side);
    if (side->pending != NULL) {
        memset(side->won, 0, n_planes * sizeof *side->won);
        memset(side->pending, 0, n_planes * sizeof *side->pending);
        memset(side->pending_strip, 0, side->n_strips + 1);
    } else {
        start_values(solver, to_move);
    }
    if (side->own->n_kings > 0)
        for_king_sets(solver, to_move, side->other->n_strip_sets, open_set);
}
