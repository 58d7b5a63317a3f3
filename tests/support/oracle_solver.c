/* The reference solver: retrograde analysis, one state at a time.
 *
 * Ply by ply, from the end of the game backwards. A state lost in d plies is a win in d+1 for each
 * predecessor; a state won in d plies removes one escape from each predecessor, and a predecessor
 * without escapes is lost. Seeds act as one more move: a winning seed counts from its ply on, a
 * drawing one is an escape that never closes, a losing one closes at its own distance.
 *
 * A simple king move of a side with men continues its king run, so a state with run (king, c)
 * arises only from the run before: (king, c-1), or for c = 1 any run of another king, or none. */
#include "tests/support/oracle_solver.h"

#include "core/program/array.h"
#include "core/program/index.h"
#include "core/program/plies.h"

#include <stdlib.h>
#include <string.h>

/* Squares that a king on `square` reaches by simple moves over `empty` squares: those of its rays
 * with nothing in between. The production solver steps from square to square instead. */
static squares_t king_slides(const struct rules *rules, int square, squares_t empty)
{
    squares_t reach = 0;
    for (int direction = NORTH_WEST; direction <= SOUTH_EAST; direction++) {
        const squares_t ray = rules->board.ray[direction][square];
        for (squares_t left = ray & empty; left != 0; left &= left - 1) {
            const int to = bits_first(left);
            const squares_t between = ray & ~rules->board.ray[direction][to] & ~square_bit(to);
            if ((between & ~empty) == 0 && (rules->flying_kings || between == 0))
                reach |= square_bit(to);
        }
    }
    return reach;
}

/* States decided in a known number of plies, not yet processed. */
struct bucket {
    uint32_t *states;
    size_t n;
    size_t capacity;
};

enum { N_BUCKETS = MAX_WIN_PLIES + 1 };

struct plain_solver {
    const struct frame_context *context;
    uint64_t n_states;      /* of one side to move, impossible ones included */
    uint8_t *open_moves[2]; /* by state: simple king moves not yet known to lose */
    struct bucket bucket[N_BUCKETS];
    struct frame *frame;
    bool too_long;
    bool no_memory;
};

static void plain_destroy(void *self)
{
    struct plain_solver *solver = self;
    if (solver == NULL)
        return;
    for (int side = WHITE; side <= BLACK; side++)
        free(solver->open_moves[side]);
    for (int d = 0; d < N_BUCKETS; d++)
        free(solver->bucket[d].states);
    free(solver);
}

static einspul_status plain_create(const struct frame_context *context, int n_threads,
                                   void **result)
{
    (void)n_threads;
    struct plain_solver *solver = calloc(1, sizeof *solver);
    *result = NULL;
    if (solver == NULL)
        return EINSPUL_NO_MEMORY;
    solver->context = context;
    solver->n_states = context->shape.frame_size * (uint64_t)context->shape.n_rule_states;
    const bool countable = 2 * solver->n_states <= UINT32_MAX;
    for (int side = WHITE; side <= BLACK && countable; side++)
        solver->open_moves[side] = malloc((size_t)solver->n_states);
    if (solver->open_moves[WHITE] == NULL || solver->open_moves[BLACK] == NULL) {
        plain_destroy(solver);
        return EINSPUL_NO_MEMORY;
    }
    *result = solver;
    return EINSPUL_OK;
}

static uint64_t plain_bytes(const struct shape *shape, einspul_metric metric, int n_threads,
                            enum frame_form form)
{
    (void)metric;
    (void)n_threads;
    (void)form;
    /* Every state is in a bucket once or twice, and buckets grow by doubling. */
    return shape->frame_size * (uint64_t)shape->n_rule_states * 2 * (1 + 2 * sizeof(uint32_t));
}

/* One side's part of a state, and its place in the arrays. */
struct plain_state {
    enum side side; /* to move */
    uint32_t rank[2];
    int run[2];
};

static uint64_t king_index(const struct shape *shape, const struct plain_state *state)
{
    return (uint64_t)state->rank[WHITE] * shape->n_king_sets[BLACK] + state->rank[BLACK];
}

static uint32_t state_number(const struct shape *shape, const struct plain_state *state)
{
    const uint64_t kings = king_index(shape, state);
    const int run = shape_rule_state(shape, state->run[WHITE], state->run[BLACK]);
    return (uint32_t)((kings * (uint64_t)shape->n_rule_states + (uint64_t)run) * 2 + state->side);
}

static struct plain_state state_of_number(const struct shape *shape, uint32_t number)
{
    struct plain_state state;
    uint32_t rest = number / 2;
    state.side = (enum side)(number % 2);
    const int run = (int)(rest % (uint32_t)shape->n_rule_states);
    rest /= (uint32_t)shape->n_rule_states;
    state.run[WHITE] = shape_run(shape, WHITE, run);
    state.run[BLACK] = shape_run(shape, BLACK, run);
    state.rank[WHITE] = rest / shape->n_king_sets[BLACK];
    state.rank[BLACK] = rest % shape->n_king_sets[BLACK];
    return state;
}

static void push(struct plain_solver *solver, int plies, uint32_t number)
{
    if (plies > MAX_WIN_PLIES) {
        solver->too_long = true;
        return;
    }
    struct bucket *bucket = &solver->bucket[plies];
    uint32_t *states =
        array_reserve(bucket->states, bucket->n, &bucket->capacity, 64, sizeof *states);
    if (states == NULL) {
        solver->no_memory = true;
        return;
    }
    bucket->states = states;
    bucket->states[bucket->n++] = number;
}

static squares_t empty_squares(const struct plain_solver *solver, const struct plain_state *state)
{
    const struct frame_context *context = solver->context;
    return context->rules->board.all & ~(solver->frame->men[WHITE] | solver->frame->men[BLACK] |
                                         context->king_sets[WHITE][state->rank[WHITE]] |
                                         context->king_sets[BLACK][state->rank[BLACK]]);
}

/* Puts a state without remaining simple king moves into the bucket of its seed; a draw is final. */
static void push_without_moves(struct plain_solver *solver, value_t seed, int plies,
                               uint32_t number)
{
    if (seed < VALUE_DRAW) {
        const int seed_plies = value_plies(seed);
        push(solver, seed_plies > plies ? seed_plies : plies, number);
    }
}

/* Counts the simple king moves of all quiet states of a placement, and puts states decided by their
 * seeds into the buckets. */
static void start_placement(struct plain_solver *solver, enum side side, uint32_t white,
                            uint32_t black)
{
    const struct frame_context *context = solver->context;
    const struct shape *shape = &context->shape;
    struct frame *frame = solver->frame;
    struct plain_state state = {.side = side, .rank = {white, black}};
    const uint64_t kings = king_index(shape, &state);
    const enum side other = side_other(side);
    const squares_t empty = empty_squares(solver, &state);
    const bool capture = frame->class_of[side][kings] == CLASS_CAPTURE;
    const value_t *seeds = frame->seed[side];
    value_t *values = frame->value[side];
    int n_moves[MAX_SET] = {0};
    int n_all = 0;

    if (!capture) {
        squares_t left = context->king_sets[side][state.rank[side]];
        for (int king = 0; left != 0; left &= left - 1, king++) {
            n_moves[king] = bits_count(king_slides(context->rules, bits_first(left), empty));
            n_all += n_moves[king];
        }
    }
    for (int run = 0; run < shape->n_runs[side]; run++) {
        /* At count 3 the running king may not make a simple move. */
        const int n_open = n_all - (run_count(run) == MAX_RUN_COUNT ? n_moves[run_king(run)] : 0);
        for (int other_run = 0; other_run < shape->n_runs[other]; other_run++) {
            state.run[side] = run;
            state.run[other] = other_run;
            const uint32_t number = state_number(shape, &state);
            const value_t seed =
                seeds[kings * (uint64_t)shape->n_runs[other] + (uint64_t)other_run];
            values[number / 2] = VALUE_NONE;
            solver->open_moves[side][number / 2] = (uint8_t)n_open;
            if (seed > VALUE_DRAW)
                push(solver, value_plies(seed), number);
            else if (n_open == 0)
                push_without_moves(solver, seed, 0, number);
        }
    }
}

/* A quiet state from which one simple king move leads to a state just decided in `plies`. */
static void reach_before(struct plain_solver *solver, const struct plain_state *before, int plies)
{
    const struct shape *shape = &solver->context->shape;
    struct frame *frame = solver->frame;
    const uint32_t number = state_number(shape, before);

    if (frame->value[before->side][number / 2] != VALUE_NONE)
        return;
    if (plies % 2 == 0) {
        push(solver, plies + 1, number);
    } else if (--solver->open_moves[before->side][number / 2] == 0) {
        const enum side other = side_other(before->side);
        const uint64_t seed_index = king_index(shape, before) * (uint64_t)shape->n_runs[other] +
                                    (uint64_t)before->run[other];
        const value_t *seeds = frame->seed[before->side];
        push_without_moves(solver, seeds[seed_index], plies + 1, number);
    }
}

/* All states from which one simple king move leads to `after`. */
static void go_back(struct plain_solver *solver, const struct plain_state *after, int plies)
{
    const struct frame_context *context = solver->context;
    const struct shape *shape = &context->shape;
    const enum side mover = side_other(after->side);
    const squares_t kings = context->king_sets[mover][after->rank[mover]];
    const squares_t empty = empty_squares(solver, after);
    const int run = after->run[mover];
    const bool has_runs = shape->n_runs[mover] > 1;

    if (has_runs && run == 0)
        return; /* a simple king move would have left a run */
    squares_t moved = kings;
    if (has_runs)
        moved = square_bit(run_from_index(kings, run).square);
    for (; moved != 0; moved &= moved - 1) {
        const int to = bits_first(moved);
        squares_t from_set = king_slides(context->rules, to, empty);
        for (; from_set != 0; from_set &= from_set - 1) {
            const int from = bits_first(from_set);
            const squares_t kings_before = (kings & ~square_bit(to)) | square_bit(from);
            struct plain_state before = *after;
            before.side = mover;
            before.rank[mover] = set_rank(kings_before);
            if (solver->frame->class_of[mover][king_index(shape, &before)] != CLASS_QUIET)
                continue;
            const int king = bits_count(kings_before & (square_bit(from) - 1));
            const int count = has_runs ? run_count(run) : 0;
            if (count > 1) {
                before.run[mover] = run_index_of(king, count - 1);
                reach_before(solver, &before, plies);
                continue;
            }
            before.run[mover] = 0;
            reach_before(solver, &before, plies);
            for (int other = 1; other < shape->n_runs[mover]; other++) {
                if (run_king(other) == king)
                    continue;
                before.run[mover] = other;
                reach_before(solver, &before, plies);
            }
        }
    }
}

static einspul_status plain_start(void *self, struct frame *frame, einspul_error *error)
{
    struct plain_solver *solver = self;
    const struct shape *shape = &solver->context->shape;
    solver->frame = frame;
    solver->too_long = false;
    solver->no_memory = false;
    for (int plies = 0; plies < N_BUCKETS; plies++)
        solver->bucket[plies].n = 0;
    for (uint32_t white = 0; white < shape->n_king_sets[WHITE]; white++)
        for (uint32_t black = 0; black < shape->n_king_sets[BLACK]; black++)
            for (int side = WHITE; side <= BLACK; side++)
                if (frame->class_of[side][(uint64_t)white * shape->n_king_sets[BLACK] + black] !=
                    CLASS_IMPOSSIBLE)
                    start_placement(solver, (enum side)side, white, black);
    return solver->no_memory
               ? error_set(error, EINSPUL_NO_MEMORY, "not enough memory to solve a frame")
               : EINSPUL_OK;
}

static einspul_status plain_decide(void *self, struct frame *frame, einspul_error *error)
{
    struct plain_solver *solver = self;
    const struct shape *shape = &solver->context->shape;

    for (int plies = 0; plies < N_BUCKETS; plies++) {
        struct bucket *bucket = &solver->bucket[plies];
        for (size_t i = 0; i < bucket->n; i++) {
            const struct plain_state state = state_of_number(shape, bucket->states[i]);
            value_t *value = frame->value[state.side] + bucket->states[i] / 2;
            if (*value != VALUE_NONE)
                continue;
            *value = value_from_plies(plies);
            go_back(solver, &state, plies);
        }
    }
    if (solver->no_memory)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory to solve a frame");
    if (solver->too_long)
        return frame_too_long(solver->context, error);
    return EINSPUL_OK;
}

static void plain_read(void *self, struct frame *frame)
{
    struct plain_solver *solver = self;
    for (int side = WHITE; side <= BLACK; side++) {
        value_t *values = frame->value[side];
        for (uint64_t i = 0; i < solver->n_states; i++)
            if (values[i] == VALUE_NONE)
                values[i] = VALUE_DRAW;
        frame_copy_captures(frame, side, 0, frame->context->shape.frame_size);
        for (uint64_t i = 0; i < solver->n_states && solver->context->metric == EINSPUL_WDL; i++)
            values[i] = value_without_distance(values[i]);
    }
}

static einspul_status plain_solve(void *solver, struct frame *frame, einspul_error *error)
{
    einspul_status status = plain_start(solver, frame, error);
    if (status == EINSPUL_OK)
        status = plain_decide(solver, frame, error);
    if (status == EINSPUL_OK)
        plain_read(solver, frame);
    return status;
}

const struct solver_ops solver_plain = {
    .large_states = UINT64_MAX,
    .seeds = &seeds_plain,
    .create = plain_create,
    .destroy = plain_destroy,
    .bytes = plain_bytes,
    .solve = plain_solve,
};
