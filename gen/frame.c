#include "gen/frame.h"

#include "gen/seed.h"
#include "gen/seed_tables.h"

#include <stdlib.h>
#include <string.h>

/* All sets of `size` squares by rank, and the ranks of these turned; squares below the offsets do
 * not count. */
static enum status list_sets(const struct board *board, uint32_t n, int size, int offset,
                             int turned_offset, squares_t **sets, uint32_t **turned)
{
    squares_t set = square_bit(size) - 1;
    *sets = malloc(n * sizeof **sets);
    *turned = malloc(n * sizeof **turned);
    if (*sets == NULL || *turned == NULL)
        return STATUS_NO_MEMORY;
    for (uint32_t rank = 0; rank < n; rank++) {
        (*sets)[rank] = set << offset;
        (*turned)[rank] = set_rank(board_turn(board, set << offset) >> turned_offset);
        if (rank + 1 < n)
            set = set_next(set);
    }
    return STATUS_OK;
}

enum status frame_context_init(struct frame_context *context, const struct store *store,
                               const struct material *material, enum metric metric)
{
    memset(context, 0, sizeof *context);
    context->rules = store->rules;
    context->store = store;
    context->metric = metric;
    shape_init(&context->shape, store->rules, material);
    enum status status = STATUS_OK;
    for (int side = WHITE; side <= BLACK && status == STATUS_OK; side++) {
        const struct shape *shape = &context->shape;
        status = list_sets(&store->rules->board, shape->n_men_sets[side], material->men[side],
                           shape->man_offset[side], shape->man_offset[!side],
                           &context->men_sets[side], &context->men_turned[side]);
        if (status == STATUS_OK)
            status =
                list_sets(&store->rules->board, shape->n_king_sets[side], material->kings[side], 0,
                          0, &context->king_sets[side], &context->king_turned[side]);
    }
    if (status != STATUS_OK || seed_tables_create(context, &context->seeds) != STATUS_OK) {
        frame_context_free(context);
        return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

void frame_context_free(struct frame_context *context)
{
    for (int side = WHITE; side <= BLACK; side++) {
        free(context->men_sets[side]);
        free(context->men_turned[side]);
        free(context->king_sets[side]);
        free(context->king_turned[side]);
    }
    seed_tables_free(context->seeds);
    memset(context, 0, sizeof *context);
}

enum status frame_create(struct frame *frame, const struct frame_context *context, int n_threads)
{
    const struct shape *shape = &context->shape;
    memset(frame, 0, sizeof *frame);
    frame->context = context;
    frame->n_threads = n_threads;
    for (int side = WHITE; side <= BLACK; side++) {
        frame->class_of[side] = malloc(shape->frame_size);
        frame->seed[side] = malloc(shape->frame_size * (size_t)shape->n_runs[!side]);
        frame->value[side] = malloc(shape->frame_size * (size_t)shape->n_run_states);
        if (frame->class_of[side] == NULL || frame->seed[side] == NULL ||
            frame->value[side] == NULL) {
            frame_free(frame);
            return STATUS_NO_MEMORY;
        }
    }
    if (seeders_create(context, n_threads, &frame->seeders) != STATUS_OK) {
        frame_free(frame);
        return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

void frame_free(struct frame *frame)
{
    for (int side = WHITE; side <= BLACK; side++) {
        free(frame->class_of[side]);
        free(frame->seed[side]);
        free(frame->value[side]);
    }
    free(frame->seeders);
    memset(frame, 0, sizeof *frame);
}

uint64_t frame_bytes(const struct shape *shape)
{
    return shape->frame_size *
           (2 + (uint64_t)(shape->n_runs[WHITE] + shape->n_runs[BLACK] + 2 * shape->n_run_states));
}

uint64_t frame_context_bytes(const struct shape *shape)
{
    return ((uint64_t)shape->n_men_sets[WHITE] + shape->n_men_sets[BLACK]) *
           (sizeof(squares_t) + sizeof(uint32_t));
}

void frame_set(struct frame *frame, uint64_t number)
{
    const struct frame_context *context = frame->context;
    frame->men[WHITE] = context->men_sets[WHITE][number / context->shape.n_men_sets[BLACK]];
    frame->men[BLACK] = context->men_sets[BLACK][number % context->shape.n_men_sets[BLACK]];
}

void frame_copy_captures(struct frame *frame)
{
    const struct shape *shape = &frame->context->shape;
    const size_t n_black = (size_t)shape->n_runs[BLACK];
    const size_t n_white = (size_t)shape->n_runs[WHITE];

    for (size_t index = 0; index < shape->frame_size; index++) {
        if (frame->class_of[WHITE][index] == CLASS_CAPTURE) {
            value_t *value = frame->value[WHITE] + index * n_white * n_black;
            const value_t *seed = frame->seed[WHITE] + index * n_black;
            for (size_t run = 0; run < n_white; run++)
                for (size_t other = 0; other < n_black; other++)
                    *value++ = seed[other];
        }
        if (frame->class_of[BLACK][index] == CLASS_CAPTURE) {
            value_t *value = frame->value[BLACK] + index * n_white * n_black;
            const value_t *seed = frame->seed[BLACK] + index * n_white;
            for (size_t other = 0; other < n_white; other++)
                for (size_t run = 0; run < n_black; run++)
                    *value++ = seed[other];
        }
    }
}
