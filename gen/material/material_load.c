/* A frame's values from a table instead of a solver. Frames are loaded in the order of the
 * table, so a thread decodes each block of its frames once. Captures are in no table: they are
 * seeded before. Where placements have one value, those of a block are copied at once. */
#include "gen/material/material_load.h"

#include "core/program/extensions.h"
#include "gen/material/material_levels.h"
#include "gen/material/material_work.h"
#include "table/block_values.h"
#include "table/table_open.h"
#include "table/value_hash.h"

#include <omp.h>

enum { PER_PART = 1 << 14 }; /* placements a thread loads at once, of a frame that has more */

/* Copies the values of a quiet placement. */
static einspul_status load_values(const struct work *work, struct block_cursor *cursor, int side,
                                  uint64_t index, value_t *values, einspul_error *error)
{
    const struct table *table = work->params->table;
    const uint64_t per_block = table->header.block_placements;
    const einspul_status status =
        block_cursor_go(cursor, table, table_block_of(table, (enum side)side, index), error);
    if (status != EINSPUL_OK)
        return status;
    block_values(cursor->block, (uint32_t)(index % per_block), work->context.shape.n_rule_states,
                 values);
    return EINSPUL_OK;
}

MULTI_TARGET
static void copy_quiet(size_t n, const uint8_t *restrict class_of, const value_t *restrict from,
                       value_t *restrict value)
{
    for (size_t i = 0; i < n; i++)
        value[i] = class_of[i] == CLASS_QUIET ? from[i] : value[i];
}

/* As load_part, where placements have one value. Blocks without possible ones are skipped. */
static einspul_status load_blocks(const struct table *table, struct frame *frame,
                                  struct block_cursor *cursor, int side, uint64_t base,
                                  uint64_t first, uint64_t last, einspul_error *error)
{
    const uint64_t per_block = table->header.block_placements;
    value_t values[PER_PART];
    for (uint64_t end; (first = frame_next(frame, side, first, last)) < last; first = end) {
        const uint64_t place = (base + first) % per_block;
        const uint64_t number = table_block_of(table, (enum side)side, base + first);
        const einspul_status status = block_cursor_go(cursor, table, number, error);
        if (status != EINSPUL_OK)
            return status;
        end = last - first < per_block - place ? last : first + per_block - place;
        block_copy_values(cursor->block, (uint32_t)place, (uint32_t)(end - first), values);
        copy_quiet((size_t)(end - first), frame->class_of[side] + first, values,
                   frame->value[side] + first);
    }
    return EINSPUL_OK;
}

/* Placements first .. last - 1 of a frame, whose placement 0 has the index `base`; `thread` is one
 * of those inside the frame. */
static einspul_status load_part(struct work *work, struct worker *worker, int thread, int side,
                                uint64_t base, uint64_t first, uint64_t last, einspul_error *error)
{
    const size_t length = (size_t)work->context.shape.n_rule_states;
    const int counting_thread = (int)(worker - work->workers) * work->n_threads_per_frame + thread;
    struct frame *frame = &worker->frame;

    if (work->counters != NULL || !frame_keeps_seeds(&work->context))
        frame_copy_captures(frame, side, first, last);
    if (length == 1 && work->counters == NULL && frame->class_of[side] != NULL)
        return load_blocks(work->params->table, frame, &worker->cursors[2 * thread + side], side,
                           base, first, last, error);
    for (uint64_t kings = frame_next(frame, side, first, last); kings < last;
         kings = frame_next(frame, side, kings + 1, last)) {
        const uint64_t place = frame_place(frame->context, side, kings);
        const enum placement_class class = frame_class(frame, side, place);
        value_t *values = frame->value[side] + place * length;
        value_t counted[MAX_RULE_STATES];
        if (class == CLASS_IMPOSSIBLE)
            continue;
        if (class == CLASS_QUIET) {
            if (work->counters != NULL)
                values = counted;
            else if (!frame_represents(frame->context, side, kings))
                continue;
            const einspul_status status = load_values(work, &worker->cursors[2 * thread + side],
                                                      side, base + kings, values, error);
            if (status != EINSPUL_OK)
                return status;
        }
        if (work->counters != NULL)
            counters_add(work->counters, side, counting_thread, values, base + kings);
    }
    return EINSPUL_OK;
}

/* Part `i` of a frame: of the sides to move, one after the other. */
static einspul_status load_numbered(struct work *work, struct worker *worker, int thread,
                                    uint64_t number, uint64_t i, einspul_error *error)
{
    const uint64_t size = work->context.shape.frame_size;
    const uint64_t n_parts = (size + PER_PART - 1) / PER_PART;
    const uint64_t first = i % n_parts * PER_PART;
    const uint64_t last = size - first < PER_PART ? size : first + PER_PART;
    const int side = (int)(i / n_parts);
    const bool needed = !worker->frame.only_after_promotion ||
                        work->context.shape.material.kings[!side] > 0; /* one has promoted */
    if (!needed || frame_is_stopped(&worker->frame))
        return EINSPUL_OK;
    return load_part(work, worker, thread, side, number * size, first, last, error);
}

static einspul_status load_frame(struct work *work, struct worker *worker, uint64_t number,
                                 einspul_error *error)
{
    const struct shape *shape = &work->context.shape;
    const uint64_t n = (shape->frame_size + PER_PART - 1) / PER_PART * (uint64_t)shape->n_sides;
    const struct frame *frame = &worker->frame;
    einspul_status status = EINSPUL_OK;
    if (work->n_threads_per_frame == 1) { /* a parallel region costs more than a small frame */
        for (uint64_t i = 0; i < n && status == EINSPUL_OK; i++)
            status = load_numbered(work, worker, 0, number, i, error);
        return status == EINSPUL_OK ? frame_check_stop(frame, error) : status;
    }
#pragma omp parallel for num_threads(work->n_threads_per_frame)
    for (uint64_t i = 0; i < n; i++) {
        einspul_error mine = {EINSPUL_OK, ""};
        const einspul_status one =
            load_numbered(work, worker, omp_get_thread_num(), number, i, &mine);
        if (one != EINSPUL_OK) {
#pragma omp critical(load_frame_error)
            status = error_set(error, one, "%s", mine.text);
        }
    }
    return status == EINSPUL_OK ? frame_check_stop(frame, error) : status;
}

/* Loads a material into the store, or only counts it. */
static einspul_status load_material(const struct material_params *params, struct counters *counters,
                                    einspul_error *error)
{
    struct work work = {
        .params = params,
        .loading = true,
        .counters = counters,
        .fill = load_frame,
        .makes_chunks = counters == NULL,
        .error = error,
    };
    if (!table_is_complete(params->table))
        return error_set(error, EINSPUL_NO_TABLE,
                         "%s: omits values that are needed; delete it and generate it again",
                         path_tail(params->table->path));
    if (work_prepare(&work))
        work_run(&work, work.makes_chunks);
    work_release(&work);
    return work.status;
}

einspul_status material_load(const struct material_params *params, einspul_error *error)
{
    /* Nothing else would detect wrong values, and all that is computed from them would be wrong. */
    struct watch watch = {.stop = params->stop};
    const einspul_status status = table_is_complete(params->table)
                                      ? value_hash_check(params->table, params->store->rules,
                                                         params->n_threads, &watch, error)
                                      : EINSPUL_OK;
    return status == EINSPUL_OK ? load_material(params, NULL, error) : status;
}

einspul_status material_count(const struct material_params *params, struct counters *counters,
                              einspul_error *error)
{
    return load_material(params, counters, error);
}
