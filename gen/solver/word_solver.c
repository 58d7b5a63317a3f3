/* The word solver: retrograde analysis, one word of states at a time.
 *
 * Each side's moves are computed in that side's own layout (layout.h): a strip for every config of the
 * other side, and in it a word for every set of this side's other kings, whose bits are the squares
 * of the designated king. In plane p (run count), strip c (config) and word o (others) a state is
 * at
 *
 *   word = p * n_words + c * n_others + o,    n_words = n_strips * n_others,
 *   bit  = cell of the designated king's square.
 *
 * A simple king move then is a slide of the word's bits over the cells that are empty in that word.
 * A move by another king than the designated one is the same slide seen through a bit matrix
 * transpose. A move never leaves its strip, so strips are independent of each other. This is why it
 * is fast: some fifty operations make the moves of all fifty squares, and vectors take four words.
 *
 * A king with run c moves on to run c + 1, and so from plane c to plane c + 1; another king moves
 * to plane 1 with that king designated. The planes a move can lead to (1 to 3; without runs the
 * only one) are the after-planes 0 to n_after_planes - 1.
 *
 * Each decided state is propagated once to the other side's layout: `lost_after` gets the losses of
 * this ply, `won_after` has all wins so far. Both are kept by after-plane, as
 * successors of the other side's moves.
 *
 *   win wave (odd plies):   open states from which a slide reaches lost_after, or whose seed wins
 *                           now.
 *   loss wave (even plies): open states whose seed has lost by now, and from which no slide reaches
 *                           a cell outside won_after.
 *
 * With distances this goes ply by ply, the seeds taking part as events of their ply, until there
 * are no events and no updates left. Without distances all seeds come first, and waves continue
 * until nothing changes.
 *
 * The arrays are in word_side.c, deciding and propagating in decide.c, waves in waves.c; seeds in
 * seed_events.c, of outcomes in outcome_seeds.c, of large frames in large_seeds.c; the answer, where
 * it is not in the frame as it is decided, in answer.c. */
#include "gen/solver/word_solver.h"

#include "gen/seeds/seeds.h"
#include "gen/solver/answer.h"
#include "gen/solver/large_seeds.h"
#include "gen/solver/outcome_seeds.h"
#include "gen/solver/seed_events.h"
#include "gen/solver/seed_keys.h"
#include "gen/solver/waves.h"
#include "gen/solver/word_side.h"

#include <stdlib.h>

/* A frame of more states does not fit the cache of a thread, nor many such frames in memory. */
enum { MIN_LARGE_STATES = 8000000 };

/* With keys, frames are up to a fifth faster than large ones; with so many placements they need at
 * most 1.2 GiB. */
enum { MAX_KEY_PLACEMENTS = 1 << 24 };

/* --- memory ----------------------------------------------------------------------------------- */

/* Sets the task of the solver and the sizes that follow from it; no arrays. */
static void solver_init(struct solver *solver, const struct shape *shape, einspul_metric metric,
                        int n_threads, enum frame_form form)
{
    *solver = (struct solver){
        .n_threads = n_threads,
        .distances = metric == EINSPUL_DTW,
        .large = form == FRAME_LARGE,
        .n_sides = frame_sides(shape, form),
    };
    for (int side = WHITE; side <= BLACK; side++)
        layout_init(&solver->layout[side], shape, frames_are_folded(shape, form), (enum side)side);
    for (int side = WHITE; side <= BLACK; side++)
        word_side_init(&solver->side[side], &solver->layout[side], &solver->layout[!side],
                       shape->material.men[side] > 0);
}

static void scratch_allocate(struct solver *solver, struct allocation *allocation)
{
    size_t n = 0;
    size_t n_buffer = 0;
    for (int i = WHITE; i <= BLACK; i++) {
        const struct word_side *side = &solver->side[i];
        const bool words = !solver->distances && !solver->large;
        const size_t n_keys = words ? answer_scratch(side) : 0;
        const size_t n_seeds = words ? outcome_seeds_scratch(side) : 0;
        const size_t n_group = (size_t)side->own->n_others << side->group_shift;
        n = n_group > n ? n_group : n;
        n_buffer = n_keys > n_buffer ? n_keys : n_buffer;
        n_buffer = n_seeds > n_buffer ? n_seeds : n_buffer;
    }
    solver->scratch =
        allocation_alloc(allocation, (size_t)solver->n_threads, sizeof *solver->scratch);
    for (int i = 0; i < solver->n_threads; i++) {
        const struct scratch scratch = {
            .target_cells = allocation_alloc(allocation, MAX_AFTER * n, sizeof(cells_t)),
            .empty =
                allocation_alloc(allocation, n + MAX_AFTER * SMALL_GROUP_WORDS, sizeof(cells_t)),
            .slid = allocation_alloc(allocation, MAX_AFTER * n, sizeof(cells_t)),
            .crossed = allocation_alloc(allocation, n, sizeof(cells_t)),
            .decided = allocation_alloc(allocation, n, sizeof(cells_t)),
            .buffer = allocation_alloc(allocation, n_buffer, sizeof(cells_t)),
        };
        if (solver->scratch != NULL)
            solver->scratch[i] = scratch;
    }
}

static void solver_allocate(struct solver *solver)
{
    for (int side = WHITE; side <= BLACK; side++) {
        layout_allocate(&solver->layout[side], &solver->memory);
        if (side < solver->n_sides)
            word_side_allocate(&solver->side[side], solver->distances, solver->large,
                               &solver->memory);
        else
            solver->side[BLACK] = solver->side[WHITE];
    }
    scratch_allocate(solver, &solver->memory);
}

static uint64_t word_solver_bytes(const struct shape *shape, einspul_metric metric, int n_threads,
                                  enum frame_form form)
{
    struct solver solver;
    solver_init(&solver, shape, metric, n_threads, form);
    solver.memory.counts_only = true;
    solver_allocate(&solver);
    return solver.memory.n_bytes + sizeof solver;
}

static void word_solver_destroy(void *self)
{
    struct solver *solver = self;
    if (solver == NULL)
        return;
    allocation_free(&solver->memory);
    free(solver);
}

static einspul_status word_solver_create(const struct frame_context *context, int n_threads,
                                         void **result)
{
    const struct board *board = &context->rules->board;
    struct solver *solver = malloc(sizeof *solver);

    *result = NULL;
    if (solver == NULL)
        return EINSPUL_NO_MEMORY;
    solver_init(solver, &context->shape, context->metric, n_threads,
                context->has_keys ? FRAME_KEYS
                : context->large  ? FRAME_LARGE
                                  : FRAME_VALUES);
    solver_allocate(solver);
    if (solver->memory.failed) {
        word_solver_destroy(solver);
        return EINSPUL_NO_MEMORY;
    }
    solver->context = context;
    solver->all_cells = cells_of_squares(board, board->all);
    for (int square = 0; square < board->n_squares; square++)
        solver->square_of_cell[cell_of_square(board, square)] = (uint8_t)square;
    for (int side = WHITE; side <= BLACK; side++)
        layout_fill(&solver->layout[side], context, (enum side)side);
    for (int side = WHITE; side <= BLACK; side++)
        if (solver->side[side].spread != NULL)
            seed_keys_fill(solver, side);
    *result = solver;
    return EINSPUL_OK;
}

/* --- a frame ---------------------------------------------------------------------------------- */

/* Resets all arrays for a frame and applies its seeds. */
static void solver_start(struct solver *solver)
{
    const squares_t *men = solver->frame->men;
    solver->no_men = solver->all_cells &
                     ~cells_of_squares(&solver->context->rules->board, men[WHITE] | men[BLACK]);
    for (int side = WHITE; side < solver->n_sides; side++) {
        word_side_start(solver, side);
        if (solver->large)
            seed_blocks_start(solver, side);
        else if (solver->distances)
            seed_events_create(solver, side);
    }
    for (int side = WHITE; side < solver->n_sides && solver->large && !solver->distances; side++) {
        seed_blocks_apply(solver, side, VALUE_WIN_IN_1);
        seed_blocks_apply(solver, side, VALUE_LOST);
    }
    if (!solver->large && !solver->distances)
        outcome_seeds_apply(solver);
}

static bool anything_touched(const struct solver *solver)
{
    for (int i = WHITE; i < solver->n_sides; i++) {
        const struct word_side *side = &solver->side[i];
        if (side->lost_touched[side->n_groups] != 0 || side->won_touched[side->n_groups] != 0)
            return true;
    }
    return false;
}

static uint64_t count_open(const struct solver *solver)
{
    uint64_t n = 0;
    for (int i = WHITE; i < solver->n_sides; i++) {
        const struct word_side *side = &solver->side[i];
        const size_t n_words = (size_t)side->own->n_planes * side->n_words;
        for (size_t word = 0; word < n_words; word++)
            n += (uint64_t)bits_count(side->open[word]);
    }
    return n;
}

/* True if a state is lost in more plies than a value can hold. */
static bool is_loss_beyond(struct solver *solver)
{
    const uint64_t n_open = count_open(solver);
    for (int side = WHITE; side < solver->n_sides; side++)
        wave_run(solver, side, VALUE_LOST);
    return count_open(solver) < n_open;
}

static einspul_status solve_distances(struct solver *solver, einspul_error *error)
{
    for (int ply = 0; ply <= MAX_WIN_PLIES && !frame_is_stopped(solver->frame); ply++) {
        const value_t value = value_from_plies(ply);
        bool left = false;
        for (int side = WHITE; side < solver->n_sides; side++) {
            if (solver->large)
                seed_blocks_apply(solver, side, value);
            else
                seed_events_apply(solver, side, ply);
            left = left || ply + 1 < solver->side[side].n_event_plies;
        }
        for (int side = WHITE; side < solver->n_sides; side++)
            wave_run(solver, side, value);
        if (!left && !anything_touched(solver))
            return EINSPUL_OK;
    }
    if (frame_is_stopped(solver->frame))
        return EINSPUL_OK; /* word_solver_solve reports it */
    return is_loss_beyond(solver) ? frame_too_long(solver->context, error) : EINSPUL_OK;
}

static void solve_outcomes(struct solver *solver)
{
    while (anything_touched(solver) && !frame_is_stopped(solver->frame)) {
        for (int side = WHITE; side < solver->n_sides; side++) {
            wave_run(solver, side, VALUE_WIN_IN_1);
            wave_run(solver, side, VALUE_LOST);
        }
    }
}

static einspul_status word_solver_solve(void *self, struct frame *frame, einspul_error *error)
{
    struct solver *solver = self;
    einspul_status status = EINSPUL_OK;
    solver->frame = frame;
    solver_start(solver);
    if (solver->distances)
        status = solve_distances(solver, error);
    else
        solve_outcomes(solver);
    if (status == EINSPUL_OK)
        status = frame_check_stop(frame, error);
    if (status == EINSPUL_OK)
        answer_write(solver);
    return status == EINSPUL_OK ? frame_check_stop(frame, error) : status;
}

const struct solver_ops word_solver = {
    .large_states = MIN_LARGE_STATES,
    .key_placements = MAX_KEY_PLACEMENTS,
    .seeds = &line_seeds,
    .create = word_solver_create,
    .destroy = word_solver_destroy,
    .bytes = word_solver_bytes,
    .solve = word_solver_solve,
};
