/* Puts a solved frame's values into chunks. Frames of a page make one chunk together, a frame
 * larger than a page makes several. Of symmetric material a frame is solved with both sides to
 * move, and stands for its flipped twin too: Black to move here is White to move there. */
#include "core/program/flip.h"
#include "core/program/index.h"
#include "gen/material/material_work.h"

#include <omp.h>
#include <stdlib.h>

void work_fill_source(struct work *work)
{
    const struct shape *shape = &work->context.shape;
    const int n_kings = shape->material.kings[WHITE];
    for (int white = 0; white < shape->n_runs[WHITE]; white++)
        for (int black = 0; black < shape->n_runs[BLACK]; black++)
            work->source_of[shape_rule_state(shape, white, black)] = shape_rule_state(
                shape, run_index_flipped(black, n_kings), run_index_flipped(white, n_kings));
}

/* As work_put_frame, where a pattern is one value. */
static void put_values(struct builder *builder, uint32_t place, const struct frame *frame, int side,
                       uint64_t first, uint32_t n)
{
    const value_t *pattern = frame->value[side] + first;
    for (uint32_t i = 0; i < n; i++) {
        const enum placement_class class = frame_class(frame, side, first + i);
        builder_put_value(builder, place + i, pattern[i], class != CLASS_IMPOSSIBLE);
    }
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

/* The rule states of a twin are put in their order when the chunk is made. */
einspul_status work_put_frame(const struct work *work, struct builder *builder, uint32_t place,
                              const struct frame *frame, int side, uint64_t first, uint32_t n)
{
    const size_t n_bytes = frame->context->pattern_bytes;
    const uint8_t *patterns =
        frame->context->has_keys ? (const uint8_t *)frame->key[side] : frame->value[side];
    const bool is_twin = side == BLACK && work->solved->levels.twins;
    if (is_twin && is_own_twin(frame))
        return EINSPUL_OK;
    if (n_bytes == 1 && !is_twin) {
        put_values(builder, place, frame, side, first, n);
        return EINSPUL_OK;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t index = is_twin ? place_of_twin(frame->context, first + i) : first + i;
        if (frame_class(frame, side, index) == CLASS_IMPOSSIBLE)
            continue;
        const einspul_status status = builder_put(builder, place + i, patterns + index * n_bytes);
        if (status != EINSPUL_OK)
            return status;
    }
    return EINSPUL_OK;
}

/* Writes a chunk to the part file. If that fails, as on a full disk, an interrupted run merely has
 * to solve it again. */
static void keep_chunk(struct work *work, uint64_t page, struct chunk *chunk)
{
    einspul_error unheard;
    bool full;
#pragma omp atomic read
    full = work->part_is_full;
    if (!full && pages_write(work->solved->pages, page, chunk, &unheard) != EINSPUL_OK) {
#pragma omp atomic write
        work->part_is_full = true;
    }
}

einspul_status work_finish_chunk(struct work *work, const struct builder *builder, int side,
                                 uint64_t page, einspul_error *error)
{
    struct solved *solved = work->solved;
    page += (uint64_t)side * solved->levels.n_pages;
    if (pages_have(solved->pages, page))
        return EINSPUL_OK;
    const int *order = side == BLACK && solved->levels.twins ? work->source_of : NULL;
    struct chunk *chunk = builder_chunk(builder, order, (enum side)side, solved->limit);
    if (chunk == NULL)
        return error_set(error, EINSPUL_NO_MEMORY, "not enough memory for values");
    if (work->keeps_part)
        keep_chunk(work, page, chunk);
    const einspul_status status = pages_add(solved->pages, NULL, page, chunk, error);
    if (status != EINSPUL_OK)
        chunk_free(chunk);
    return status;
}

einspul_status work_finish_large_frame(struct work *work, struct worker *worker, uint64_t page,
                                       einspul_error *error)
{
    const struct levels *levels = &work->solved->levels;
    const int64_t n = (int64_t)levels->frame_pages * levels->n_sides;
    einspul_status status = EINSPUL_OK;
#pragma omp parallel for schedule(dynamic, 1) num_threads(work->n_inside) if (work->n_inside > 1)
    for (int64_t i = 0; i < n; i++) {
        struct builder *builder = worker->builders[2 * omp_get_thread_num()];
        const int side = (int)(i / levels->frame_pages);
        const uint64_t first = (uint64_t)(i % levels->frame_pages) * PAGE_ROOM;
        const uint64_t left = levels->frame_size - first;
        const uint32_t n_placements = left < PAGE_ROOM ? (uint32_t)left : PAGE_ROOM;
        einspul_error mine = {EINSPUL_OK, "not enough memory for patterns"};
        builder_begin(builder, n_placements);
        einspul_status one =
            work_put_frame(work, builder, 0, &worker->frame, side, first, n_placements);
        if (one == EINSPUL_OK)
            one = work_finish_chunk(work, builder, side, page + (uint64_t)(i % levels->frame_pages),
                                    &mine);
        if (one != EINSPUL_OK) {
#pragma omp critical(finish_large_frame)
            status = error_set(error, one, "%s", mine.text);
        }
    }
    return status;
}
