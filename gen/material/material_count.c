/* A frame's values counted, and not kept: those of captures as they were seeded, the others by the
 * patterns of the table's blocks. */
#include "core/index.h"
#include "gen/material/material_work.h"
#include "table/table_facts.h"

#include <omp.h>

enum { PER_TURN = 1 << 14 }; /* placements a thread counts at once, of a frame that has more */

/* Goes on to the block of an index. Its patterns are counted by before it goes away when they
 * are its own; those that all blocks share stay turned to. */
static einspul_status go_to_block(const struct table *table, struct counter *counter,
                                  uint64_t index, einspul_error *error)
{
    const uint64_t number = table_block_of(table, (enum side)counter->side, index);
    struct block_cursor *cursor = &counter->at;
    if (block_cursor_holds(cursor, number))
        return EINSPUL_OK;
    if (cursor->block != NULL && cursor->block->patterns != table_patterns(table))
        counter_turn(counter, NULL);
    const einspul_status status = block_cursor_go(cursor, table, number, error);
    if (status != EINSPUL_OK)
        return status;
    const struct counted_patterns patterns = {
        .values = cursor->block->patterns,
        .entry = cursor->block->patterns,
        .n_patterns = cursor->block->n_patterns,
    };
    if (counter->patterns.values != patterns.values)
        counter_turn(counter, &patterns);
    return EINSPUL_OK;
}

/* Counts placements first .. last - 1 of a frame, whose own placement 0 has the index `base`. */
static einspul_status count_kings(const struct table *table, struct counter *counter,
                                  const struct frame *frame, uint64_t base, uint64_t first,
                                  uint64_t last, einspul_error *error)
{
    const int side = counter->side;
    const size_t n_seeds = (size_t)shape_capture_values(counter->shape, side);
    const uint64_t per_block = table_header(table)->block_placements;

    for (uint64_t kings = first; kings < last; kings++) {
        const uint64_t index = base + kings;
        const enum placement_class class = frame_class(frame, side, kings);
        if (class == CLASS_CAPTURE) {
            counter_add_capture(counter, frame->seed[side] + kings * n_seeds, index);
        } else if (class == CLASS_QUIET) {
            const einspul_status status = go_to_block(table, counter, index, error);
            if (status != EINSPUL_OK)
                return status;
            const struct block *block = counter->at.block;
            counter_add(counter,
                        block_pattern(block, block_is_wide(block), (uint32_t)(index % per_block)),
                        index);
        }
    }
    return EINSPUL_OK;
}

/* The same for a whole frame, by the threads inside it. */
static einspul_status count_shared(struct work *work, struct worker *worker, int side,
                                   uint64_t base, int first_thread, einspul_error *error)
{
    const uint64_t size = work->context.shape.frame_size;
    const int64_t n_turns = (int64_t)((size + PER_TURN - 1) / PER_TURN);
    einspul_status status = EINSPUL_OK;
#pragma omp parallel for num_threads(work->n_inside)
    for (int64_t turn = 0; turn < n_turns; turn++) {
        const int thread = first_thread + omp_get_thread_num();
        const uint64_t first = (uint64_t)turn * PER_TURN;
        const uint64_t last = size - first < PER_TURN ? size : first + PER_TURN;
        einspul_error own;
        const einspul_status result =
            count_kings(work->source->table, counter_of(work->counters, side, thread),
                        &worker->frame, base, first, last, &own);
#pragma omp critical(count_error)
        if (result != EINSPUL_OK) {
            status = result;
            *error = own;
        }
    }
    return status;
}

einspul_status work_count_frame(struct work *work, struct worker *worker, uint64_t number,
                                einspul_error *error)
{
    const struct shape *shape = &work->context.shape;
    const int first_thread = (int)(worker - work->workers) * work->n_inside;
    const uint64_t base = number * shape->frame_size;
    einspul_status status = EINSPUL_OK;

    for (int side = 0; side < shape->n_sides && status == EINSPUL_OK; side++)
        status =
            work->n_inside > 1
                ? count_shared(work, worker, side, base, first_thread, error)
                : count_kings(work->source->table, counter_of(work->counters, side, first_thread),
                              &worker->frame, base, 0, shape->frame_size, error);
    return status;
}
