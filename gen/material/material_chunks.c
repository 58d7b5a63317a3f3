/* Puts a solved frame's values into chunks. The frames of a page share one chunk, a frame larger than
 * a page has several. Of symmetric material a frame is solved with both sides to move, and also
 * represents its flipped twin: Black to move here is White to move there. */
#include "gen/material/material_chunks.h"

#include "core/program/extensions.h"
#include "core/program/flip.h"
#include "core/program/index.h"

#include <omp.h>
#include <stdlib.h>

void work_fill_twin_states(struct work *work)
{
    const struct shape *shape = &work->context.shape;
    const int n_kings = shape->material.kings[WHITE];
    for (int white = 0; white < shape->n_runs[WHITE]; white++)
        for (int black = 0; black < shape->n_runs[BLACK]; black++)
            work->twin_rule_state[shape_rule_state(shape, white, black)] = shape_rule_state(
                shape, run_index_flipped(black, n_kings), run_index_flipped(white, n_kings));
}

MULTI_TARGET
static void possible_values(size_t n, const uint8_t *restrict class_of,
                            const value_t *restrict value, uint16_t *restrict number)
{
    for (size_t i = 0; i < n; i++)
        number[i] = (uint16_t)(class_of[i] != CLASS_IMPOSSIBLE ? value[i] : 0);
}

/* As work_put_frame, where a pattern is one value. */
static void put_values(struct chunk_builder *builder, uint32_t place, const struct frame *frame,
                       int side, uint64_t first, uint32_t n)
{
    const value_t *pattern = frame->value[side] + first;
    if (frame->class_of[side] != NULL) {
        possible_values(n, frame->class_of[side] + first, pattern, builder->number + place);
        return;
    }
    for (uint32_t i = 0; i < n; i++)
        chunk_builder_put_value(builder, place + i, pattern[i],
                                frame_class(frame, side, first + i) != CLASS_IMPOSSIBLE);
}

/* The same for a folded frame. */
static void put_folded(struct chunk_builder *builder, uint32_t place, const struct frame *frame,
                       int side, uint64_t first, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t at = frame_place(frame->context, side, first + i);
        chunk_builder_put_value(builder, place + i, frame->value[side][at],
                                frame_class(frame, side, at) != CLASS_IMPOSSIBLE);
    }
}

/* The same for keys of one word. */
static einspul_status put_keys(struct chunk_builder *builder, uint32_t place,
                               const struct frame *frame, int side, uint64_t first, uint32_t n)
{
    const uint8_t *class_of = frame->class_of[side] + first;
    const uint64_t *keys = frame->key[side] + first;
    uint16_t *number = builder->number + place;
    uint64_t last = 0;
    bool any = false;
    for (uint32_t i = 0; i < n; i++) {
        if (class_of[i] == CLASS_IMPOSSIBLE)
            continue;
        if (keys[i] != last || !any) {
            const einspul_status status = chunk_builder_find(builder, &keys[i]);
            if (status != EINSPUL_OK)
                return status;
            last = keys[i];
            any = true;
        }
        number[i] = (uint16_t)builder->last;
    }
    return EINSPUL_OK;
}

/* Enters a capture from its `n` seeds: there are few, so that their expansion and its number are
 * mostly known. */
static einspul_status put_capture(struct chunk_builder *builder, uint32_t place,
                                  const struct shape *shape, int side, const value_t *seeds,
                                  size_t n)
{
    value_t values[MAX_RULE_STATES];
    if (n > sizeof(uint64_t)) {
        frame_expand_seed(shape, side, seeds, values);
        return chunk_builder_put(builder, place, values);
    }
    const uint64_t key = bytes_hash(seeds, n); /* without collisions */
    struct known_capture *known =
        &builder->known[key * 0x9e3779b97f4a7c15u >> (64 - KNOWN_CAPTURES_BITS)];
    if (known->seeds != key) {
        frame_expand_seed(shape, side, seeds, values);
        const einspul_status status = chunk_builder_find(builder, values);
        if (status != EINSPUL_OK)
            return status;
        *known = (struct known_capture){key, builder->last};
    }
    builder->number[place] = (uint16_t)known->number;
    return EINSPUL_OK;
}

/* The index in the frame of a placement of its twin, White to move. */
static inline uint64_t place_of_twin(const struct frame_context *context, uint64_t index)
{
    const uint32_t n_sets = context->shape.n_king_sets[BLACK];
    const uint32_t *flipped = context->king_flipped[WHITE];
    return (uint64_t)flipped[index % n_sets] * n_sets + flipped[index / n_sets];
}

static bool is_own_twin(const struct frame *frame)
{
    return frame->men[WHITE] == board_rotate(&frame->context->rules->board, frame->men[BLACK]);
}

/* The rule states of a twin are reordered when the chunk is created. */
einspul_status work_put_frame(const struct work *work, struct chunk_builder *builder,
                              uint32_t place, const struct frame *frame, int side, uint64_t first,
                              uint32_t n)
{
    const size_t n_bytes = frame->context->pattern_bytes;
    const uint8_t *patterns =
        frame->context->has_keys ? (const uint8_t *)frame->key[side] : frame->value[side];
    const size_t n_seeds = (size_t)shape_capture_values(&frame->context->shape, side);
    const bool is_twin = side == BLACK && work->solved->order.twins;
    const bool from_seeds = frame_keeps_seeds(frame->context);
    if (is_twin && is_own_twin(frame))
        return EINSPUL_OK;
    if (frame->context->folded) {
        put_folded(builder, place, frame, side, first, n);
        return EINSPUL_OK;
    }
    if (n_bytes == 1 && !is_twin) {
        put_values(builder, place, frame, side, first, n);
        return EINSPUL_OK;
    }
    if (n_bytes == sizeof(uint64_t) && frame->context->has_keys && !is_twin)
        return put_keys(builder, place, frame, side, first, n);
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t index = is_twin ? place_of_twin(frame->context, first + i) : first + i;
        const enum placement_class class = frame_class(frame, side, index);
        if (class == CLASS_IMPOSSIBLE)
            continue;
        const einspul_status status =
            class == CLASS_CAPTURE && from_seeds
                ? put_capture(builder, place + i, &frame->context->shape, side,
                              frame->seed[side] + index * n_seeds, n_seeds)
                : chunk_builder_put(builder, place + i, patterns + index * n_bytes);
        if (status != EINSPUL_OK)
            return status;
    }
    return EINSPUL_OK;
}

/* Writes a chunk to the part file. If that fails, as on a full disk, an interrupted run merely has
 * to solve it again. */
static void save_chunk(struct work *work, uint64_t page, struct chunk *chunk)
{
    einspul_error ignored;
    bool full;
#pragma omp atomic read
    full = work->part_has_failed;
    if (!full && pages_write(work->solved->pages, page, chunk, &ignored) != EINSPUL_OK) {
#pragma omp atomic write
        work->part_has_failed = true;
    }
}

einspul_status work_finish_chunk(struct work *work, const struct chunk_builder *builder, int side,
                                 uint64_t page, einspul_error *error)
{
    struct solved *solved = work->solved;
    page += (uint64_t)side * solved->order.n_pages;
    if (pages_have(solved->pages, page))
        return EINSPUL_OK;
    const int *order = side == BLACK && solved->order.twins ? work->twin_rule_state : NULL;
    struct chunk *chunk = chunk_builder_make(builder, order, &solved->pages->form, page);
    if (chunk == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for values");
    if (work->saves_part)
        save_chunk(work, page, chunk);
    const einspul_status status = pages_add(solved->pages, NULL, page, chunk, error);
    if (status != EINSPUL_OK)
        chunk_free(chunk);
    return status;
}

einspul_status work_finish_large_frame(struct work *work, struct worker *worker, uint64_t page,
                                       einspul_error *error)
{
    const struct frame_order *order = &work->solved->order;
    const int64_t n = (int64_t)order->frame_pages * order->n_sides;
    einspul_status status = EINSPUL_OK;
#pragma omp parallel for schedule(dynamic, 1)                                                      \
    num_threads(work->n_threads_per_frame) if (work->n_threads_per_frame > 1)
    for (int64_t i = 0; i < n; i++) {
        struct chunk_builder *builder = worker->builders[2 * omp_get_thread_num()];
        const int side = (int)(i / order->frame_pages);
        const uint64_t first = (uint64_t)(i % order->frame_pages) * PAGE_CAPACITY;
        const uint64_t left = order->frame_size - first;
        const uint32_t n_placements = left < PAGE_CAPACITY ? (uint32_t)left : PAGE_CAPACITY;
        einspul_error mine = {EINSPUL_OK, "not enough memory for patterns"};
        if (frame_is_stopped(&worker->frame))
            continue;
        chunk_builder_begin(builder, n_placements);
        einspul_status one =
            work_put_frame(work, builder, 0, &worker->frame, side, first, n_placements);
        if (one == EINSPUL_OK)
            one = work_finish_chunk(work, builder, side, page + (uint64_t)(i % order->frame_pages),
                                    &mine);
        if (one != EINSPUL_OK) {
#pragma omp critical(finish_large_frame)
            status = error_set(error, one, "%s", mine.text);
        }
    }
    return status == EINSPUL_OK ? frame_check_stop(&worker->frame, error) : status;
}
