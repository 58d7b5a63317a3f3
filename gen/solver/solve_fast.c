/* The fast solver: retrograde analysis, a word of states at a time.
 *
 * Each side's moves are made in that side's own layout (layout.h): a strip for every config of the
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
 * only one) are the after-planes 0 to n_after - 1.
 *
 * Each decided state is propagated once to the other side's layout: `lost_after` gets what was lost
 * at this ply, `won_after` keeps all that is won so far. Both are kept by after-plane, as
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
 * The arrays are in fast_side.c, deciding and carrying in fast_decide.c, waves in fast_wave.c;
 * seeds in fast_seeds.c, and of outcomes in fast_words.c; the answer, where it is not in the frame
 * as it is decided, in fast_read.c. */
#include "core/program/plies.h"
#include "gen/seeds/seeder.h"
#include "gen/solver/fast.h"
#include "gen/solver/fast_keys.h"

#include <stdlib.h>

/* A frame of more states does not fit the cache of a thread, nor many such frames in memory. */
enum { LARGE_STATES = 8000000 };

/* --- memory ----------------------------------------------------------------------------------- */

/* What the solver has to do, and the sizes that follow from it; no arrays. */
static void solver_init(struct solver *solver, const struct shape *shape, einspul_metric metric,
                        int n_threads, bool large)
{
    *solver = (struct solver){
        .n_threads = n_threads,
        .distances = metric == EINSPUL_DTW,
        .large = large,
        .has_kings = shape->material.kings[WHITE] + shape->material.kings[BLACK] > 0,
    };
    for (int side = WHITE; side <= BLACK; side++)
        layout_init(&solver->layout[side], shape, (enum side)side);
    for (int side = WHITE; side <= BLACK; side++)
        fast_side_init(&solver->side[side], &solver->layout[side], &solver->layout[!side],
                       shape->material.men[side] > 0);
}

static void scratch_allocate(struct solver *solver, struct allocation *allocation)
{
    size_t n = 0;
    size_t n_room = 0;
    for (int i = WHITE; i <= BLACK; i++) {
        const struct fast_side *side = &solver->side[i];
        const bool words = !solver->distances && !solver->large;
        const size_t n_keys = words ? fast_keys_room(side) : 0;
        const size_t n_seeds = words ? fast_words_room(side) : 0;
        const size_t n_group = (size_t)side->own->n_others << side->group_shift;
        n = n_group > n ? n_group : n;
        n_room = n_keys > n_room ? n_keys : n_room;
        n_room = n_seeds > n_room ? n_seeds : n_room;
    }
    solver->scratch =
        allocation_take(allocation, (size_t)solver->n_threads, sizeof *solver->scratch);
    for (int i = 0; i < solver->n_threads; i++) {
        const struct scratch scratch = {
            .source = allocation_take(allocation, MAX_AFTER * n, sizeof(cells_t)),
            .empty = allocation_take(allocation, n + MAX_AFTER * FEW_WORDS, sizeof(cells_t)),
            .slid = allocation_take(allocation, MAX_AFTER * n, sizeof(cells_t)),
            .crossed = allocation_take(allocation, n, sizeof(cells_t)),
            .decided = allocation_take(allocation, n, sizeof(cells_t)),
            .room = allocation_take(allocation, n_room, sizeof(cells_t)),
        };
        if (solver->scratch != NULL)
            solver->scratch[i] = scratch;
    }
}

static void solver_allocate(struct solver *solver)
{
    for (int side = WHITE; side <= BLACK; side++) {
        layout_allocate(&solver->layout[side], &solver->memory);
        fast_side_allocate(&solver->side[side], solver->distances, solver->large, &solver->memory);
    }
    scratch_allocate(solver, &solver->memory);
}

static uint64_t fast_bytes(const struct shape *shape, einspul_metric metric, int n_threads,
                           enum frame_form form)
{
    struct solver solver;
    solver_init(&solver, shape, metric, n_threads, form == FRAME_LARGE);
    solver.memory.counts_only = true;
    solver_allocate(&solver);
    return solver.memory.n_bytes + sizeof solver + 2 * (uint64_t)n_threads * sizeof(struct seeder);
}

static void fast_destroy(void *self)
{
    struct solver *solver = self;
    if (solver == NULL)
        return;
    allocation_free(&solver->memory);
    free(solver);
}

static einspul_status fast_create(const struct frame_context *context, int n_threads, void **result)
{
    const struct board *board = &context->rules->board;
    struct solver *solver = malloc(sizeof *solver);

    *result = NULL;
    if (solver == NULL)
        return EINSPUL_NO_MEMORY;
    solver_init(solver, &context->shape, context->metric, n_threads, context->large);
    solver_allocate(solver);
    if (solver->memory.failed) {
        fast_destroy(solver);
        return EINSPUL_NO_MEMORY;
    }
    solver->context = context;
    solver->all_cells = cells_of_squares(board, board->all);
    for (int square = 0; square < board->n_squares; square++) {
        const int cell = cell_of_square(board, square);
        solver->cell_of[square] = (uint8_t)cell;
        solver->square_of_cell[cell] = (uint8_t)square;
    }
    for (int side = WHITE; side <= BLACK; side++)
        layout_fill(&solver->layout[side], context, (enum side)side);
    for (int side = WHITE; side <= BLACK; side++)
        if (solver->side[side].spread != NULL)
            fast_keys_fill(solver, side);
    *result = solver;
    return EINSPUL_OK;
}

/* --- a frame ---------------------------------------------------------------------------------- */

/* Resets all arrays for a frame and applies its seeds. */
static void fast_start(struct solver *solver)
{
    const squares_t *men = solver->frame->men;
    solver->no_men = solver->all_cells &
                     ~cells_of_squares(&solver->context->rules->board, men[WHITE] | men[BLACK]);
    for (int side = WHITE; side <= BLACK; side++) {
        fast_side_start(solver, side);
        if (solver->large)
            fast_scan_start(solver, side);
        else if (solver->distances)
            fast_events_create(solver, side);
    }
    for (int side = WHITE; side <= BLACK && solver->large && !solver->distances; side++) {
        fast_scan_apply(solver, side, VALUE_WIN_IN_1);
        fast_scan_apply(solver, side, VALUE_LOST);
    }
    if (!solver->large && !solver->distances)
        fast_words_apply(solver);
}

static bool anything_touched(const struct solver *solver)
{
    for (int i = WHITE; i <= BLACK; i++) {
        const struct fast_side *side = &solver->side[i];
        if (side->lost_touched[side->n_groups] != 0 || side->won_touched[side->n_groups] != 0)
            return true;
    }
    return false;
}

static uint64_t count_open(const struct solver *solver)
{
    uint64_t n = 0;
    for (int i = WHITE; i <= BLACK; i++) {
        const struct fast_side *side = &solver->side[i];
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
    for (int side = WHITE; side <= BLACK; side++)
        fast_wave(solver, side, VALUE_LOST);
    return count_open(solver) < n_open;
}

static einspul_status solve_distances(struct solver *solver, einspul_error *error)
{
    for (int ply = 0; ply <= MAX_WIN_PLIES; ply++) {
        const value_t value = value_from_plies(ply);
        bool left = false;
        for (int side = WHITE; side <= BLACK; side++) {
            if (solver->large)
                fast_scan_apply(solver, side, value);
            else
                fast_events_apply(solver, side, ply);
            left = left || ply + 1 < solver->side[side].n_event_plies;
        }
        for (int side = WHITE; side <= BLACK; side++)
            fast_wave(solver, side, value);
        if (!left && !anything_touched(solver))
            return EINSPUL_OK;
    }
    return is_loss_beyond(solver) ? frame_too_long(solver->context, error) : EINSPUL_OK;
}

static void solve_outcomes(struct solver *solver)
{
    while (anything_touched(solver)) {
        for (int side = WHITE; side <= BLACK; side++) {
            fast_wave(solver, side, VALUE_WIN_IN_1);
            fast_wave(solver, side, VALUE_LOST);
        }
    }
}

/* Without kings the seeds are all there is. */
static einspul_status fast_solve(void *self, struct frame *frame, einspul_error *error)
{
    struct solver *solver = self;
    einspul_status status = EINSPUL_OK;
    solver->frame = frame;
    if (solver->has_kings) {
        fast_start(solver);
        if (solver->distances)
            status = solve_distances(solver, error);
        else
            solve_outcomes(solver);
    }
    if (status == EINSPUL_OK)
        fast_read(solver);
    return status;
}

const struct solver_type solver_fast = {
    .large_states = LARGE_STATES,
    .has_keys = true,
    .seeds = &seeds_fast,
    .create = fast_create,
    .destroy = fast_destroy,
    .bytes = fast_bytes,
    .solve = fast_solve,
};
