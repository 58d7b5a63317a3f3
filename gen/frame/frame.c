/* Men frames, and what all frames of a material share: lists of the sets of men and kings by rank,
 * and what these ranks become when the board is rotated. */
#include "gen/frame/frame.h"

#include "core/program/extensions.h"
#include "core/program/flip.h"
#include "core/program/index.h"
#include "core/program/plies.h"

#include <stdlib.h>
#include <string.h>

/* --- what frames share ------------------------------------------------------------------------ */

static void context_allocate(struct frame_context *context)
{
    const struct shape *shape = &context->shape;
    struct allocation *memory = &context->memory;
    for (int side = WHITE; side <= BLACK; side++) {
        const uint32_t n_men = shape->n_men_sets[side];
        const uint32_t n_kings = shape->n_king_sets[side];
        context->men_sets[side] = allocation_alloc(memory, n_men, sizeof(squares_t));
        context->king_sets[side] = allocation_alloc(memory, n_kings, sizeof(squares_t));
        context->king_flipped[side] = allocation_alloc(memory, n_kings, sizeof(uint32_t));
        if (context->folded)
            king_orbits_allocate(&context->orbits[side], shape->n_squares,
                                 shape->material.kings[side], memory);
    }
}

/* The sets of `size` squares by rank; squares are counted from `offset`. */
static void list_sets(squares_t *sets, uint32_t n, int size, int offset)
{
    squares_t set = square_bit(size) - 1;
    for (uint32_t rank = 0; rank < n; rank++) {
        sets[rank] = set << offset;
        if (rank + 1 < n) /* the empty set has no next one */
            set = set_next(set);
    }
}

static void context_fill(struct frame_context *context)
{
    const struct shape *shape = &context->shape;
    const struct board *board = &context->rules->board;
    for (int side = WHITE; side <= BLACK; side++) {
        const uint32_t n_men = shape->n_men_sets[side];
        const uint32_t n_kings = shape->n_king_sets[side];
        list_sets(context->men_sets[side], n_men, shape->material.men[side],
                  shape->man_offset[side]);
        list_sets(context->king_sets[side], n_kings, shape->material.kings[side], 0);
        for (uint32_t rank = 0; rank < n_kings; rank++)
            context->king_flipped[side][rank] =
                set_rank(board_rotate(board, context->king_sets[side][rank]));
        context->promotion[side] = board->promotion[side];
        if (context->folded) {
            context->promotion[side] = squares_images(board, board->promotion[side]);
            king_orbits_fill(&context->orbits[side], board, shape->material.kings[side]);
        }
    }
}

static void set_form(struct frame_context *context, enum frame_form form)
{
    context->large = form == FRAME_LARGE;
    context->folded = frames_are_folded(&context->shape, form);
    context->n_sides = frame_sides(&context->shape, form);
    context->has_keys = form == FRAME_KEYS;
    context->pattern_bytes = pattern_bytes(context->has_keys, context->shape.n_rule_states);
}

einspul_status frame_context_init(struct frame_context *context, const struct store *store,
                                  const struct material *material, einspul_metric metric,
                                  enum frame_form form)
{
    memset(context, 0, sizeof *context);
    context->rules = store->rules;
    context->store = store;
    context->metric = metric;
    shape_init(&context->shape, store->rules, material);
    set_form(context, form);
    context->has_kings = material->kings[WHITE] + material->kings[BLACK] > 0;
    context_allocate(context);
    if (context->memory.failed) {
        frame_context_free(context);
        return EINSPUL_NO_MEMORY;
    }
    context_fill(context);
    return EINSPUL_OK;
}

void frame_context_free(struct frame_context *context)
{
    allocation_free(&context->memory);
    memset(context, 0, sizeof *context);
}

einspul_status frame_check_stop(const struct frame *frame, einspul_error *error)
{
    return frame_is_stopped(frame) ? error_set(error, EINSPUL_STOPPED, "stopped") : EINSPUL_OK;
}

einspul_status frame_too_long(const struct frame_context *context, einspul_error *error)
{
    return error_set(error, EINSPUL_TOO_LONG,
                     "%s: losses longer than %d plies cannot be stored; use --metric wdl",
                     material_name(&context->shape.material).text, MAX_LOSS_PLIES);
}

uint64_t frame_context_bytes(const struct shape *shape, enum frame_form form)
{
    struct frame_context context = {.shape = *shape, .memory.counts_only = true};
    set_form(&context, form);
    context_allocate(&context);
    return context.memory.n_bytes;
}

/* --- a frame ---------------------------------------------------------------------------------- */

uint64_t frame_places(const struct frame_context *context, int side)
{
    const struct shape *shape = &context->shape;
    if (!context->folded)
        return shape->frame_size;
    return (uint64_t)king_orbits_count(shape->n_squares, shape->material.kings[!side]) *
           shape->n_king_sets[side];
}

static void frame_allocate(struct frame *frame, const struct frame_context *context)
{
    const struct shape *shape = &context->shape;
    struct allocation *memory = &frame->memory;
    for (int side = WHITE; side < context->n_sides; side++) {
        const uint64_t n = frame_places(context, side);
        const uint64_t n_words = n / 64 + 2; /* a line of squares begins at any bit */
        const size_t n_seeds = (size_t)shape_capture_values(shape, side);
        if (context->large) {
            frame->quiet[side] = allocation_alloc(memory, n_words, sizeof(uint64_t));
            frame->capture[side] = allocation_alloc(memory, n_words, sizeof(uint64_t));
        } else {
            frame->class_of[side] = allocation_alloc(memory, n, sizeof(uint8_t));
        }
        if (context->has_keys) {
            frame->key[side] = allocation_alloc(memory, n, context->pattern_bytes);
            frame->seed_key[side] = allocation_alloc(memory, n, sizeof(uint64_t));
            continue;
        }
        frame->value[side] = allocation_alloc(memory, n, context->pattern_bytes);
        frame->seed[side] = frame_seed_is_value(context, side)
                                ? frame->value[side]
                                : allocation_alloc(memory, n, n_seeds);
    }
    if (context->n_sides == 1) {
        frame->quiet[BLACK] = frame->quiet[WHITE];
        frame->capture[BLACK] = frame->capture[WHITE];
        frame->value[BLACK] = frame->seed[BLACK] = frame->value[WHITE];
    }
}

einspul_status frame_create(struct frame *frame, const struct frame_context *context, int n_threads)
{
    memset(frame, 0, sizeof *frame);
    frame->context = context;
    frame->n_threads = n_threads;
    frame_allocate(frame, context);
    einspul_status status = frame->memory.failed ? EINSPUL_NO_MEMORY : EINSPUL_OK;
    frame->readers = calloc((size_t)n_threads, sizeof(struct chunk_reader *));
    if (frame->readers == NULL)
        status = EINSPUL_NO_MEMORY;
    for (int i = 0; i < n_threads && status == EINSPUL_OK; i++)
        status = chunk_reader_create(context->store->pager, &frame->readers[i]);
    if (status != EINSPUL_OK)
        frame_free(frame);
    return status;
}

void frame_free(struct frame *frame)
{
    allocation_free(&frame->memory);
    for (int i = 0; frame->readers != NULL && i < frame->n_threads; i++)
        chunk_reader_free(frame->readers[i]);
    free(frame->readers);
    memset(frame, 0, sizeof *frame);
}

uint64_t frame_bytes(const struct shape *shape, enum frame_form form)
{
    struct frame_context context = {.shape = *shape};
    struct frame frame = {.memory.counts_only = true};
    set_form(&context, form);
    frame_allocate(&frame, &context);
    return frame.memory.n_bytes;
}

void frame_set(struct frame *frame, uint64_t number)
{
    const struct frame_context *context = frame->context;
    frame->men_rank[WHITE] = (uint32_t)(number / context->shape.n_men_sets[BLACK]);
    frame->men_rank[BLACK] = (uint32_t)(number % context->shape.n_men_sets[BLACK]);
    for (int side = WHITE; side <= BLACK; side++)
        frame->men[side] = context->men_sets[side][frame->men_rank[side]];
}

/* Where a placement has one value. */
MULTI_TARGET
static void copy_captures(size_t n, const uint8_t *restrict class_of, const value_t *restrict seed,
                          value_t *restrict value)
{
    for (size_t i = 0; i < n; i++)
        value[i] = class_of[i] == CLASS_CAPTURE ? seed[i] : value[i];
}

/* Expands seeds, indexed by the other side's run, to values of all rule states: they are the same
 * for all own runs. `n_black` is the number of Black's runs, a constant at each call. */
ALWAYS_INLINE void seed_to_values(int side, int n_white, int n_black, const value_t *seed,
                                  value_t *value)
{
    for (int white = 0; white < n_white; white++, value += n_black) {
        if (side == WHITE)
            memcpy(value, seed, (size_t)n_black);
        else
            memset(value, seed[white], (size_t)n_black);
    }
}

void frame_expand_seed(const struct shape *shape, int side, const value_t *seed, value_t *value)
{
    const int n_white = shape->n_runs[WHITE];
    const int n_black = shape->n_runs[BLACK];
    if (shape_capture_values(shape, side) == shape->n_rule_states)
        memcpy(value, seed, (size_t)shape->n_rule_states); /* one for each rule state, or clock */
    else if (n_black == 1)
        seed_to_values(side, n_white, 1, seed, value);
    else if (n_black == 1 + MAX_RUN_COUNT)
        seed_to_values(side, n_white, 1 + MAX_RUN_COUNT, seed, value);
    else
        seed_to_values(side, n_white, n_black, seed, value);
}

void frame_copy_captures(struct frame *frame, int side, uint64_t first, uint64_t last)
{
    const struct shape *shape = &frame->context->shape;
    const size_t n_states = (size_t)shape->n_rule_states;
    const size_t n_seeds = (size_t)shape_capture_values(shape, side);

    if (frame->seed[side] == frame->value[side])
        return;
    if (n_states == 1 && frame->class_of[side] != NULL) {
        copy_captures((size_t)(last - first), frame->class_of[side] + first,
                      frame->seed[side] + first, frame->value[side] + first);
        return;
    }
    for (uint64_t index = frame_next(frame, side, first, last); index < last;
         index = frame_next(frame, side, index + 1, last))
        if (frame_class(frame, side, index) == CLASS_CAPTURE)
            frame_expand_seed(shape, side, frame->seed[side] + index * n_seeds,
                              frame->value[side] + index * n_states);
}
