/* A frame's values from a table instead of a solver. Frames are loaded in the order of the
 * table, so a worker decodes each block of its frames once. Captures are in no table: they are
 * seeded before. */
#include "gen/material/material_load.h"

#include "gen/material/material_work.h"
#include "table/table_facts.h"
#include "table/value_hash.h"

#include <string.h>

/* The pattern of a quiet placement of one stored side, valid until that side's next call. */
static einspul_status load_value(struct work *work, struct worker *worker, int side, uint64_t index,
                                 const value_t **values, einspul_error *error)
{
    const uint64_t per_block = table_header(work->source->table)->block_placements;
    const uint64_t number = table_block_of(work->source->table, (enum side)side, index);
    struct block_cursor *cursor = &worker->at[side];
    const einspul_status status = block_cursor_go(cursor, work->source->table, number, error);
    if (status != EINSPUL_OK)
        return status;
    const struct block *block = cursor->block;
    const uint32_t pattern =
        block_pattern(block, block_is_wide(block), (uint32_t)(index % per_block));
    *values = block->patterns + (size_t)pattern * (size_t)work->context.shape.n_run_states;
    return EINSPUL_OK;
}

static einspul_status load_frame(struct work *work, struct worker *worker, uint64_t number,
                                 einspul_error *error)
{
    const struct shape *shape = &work->context.shape;
    struct frame *frame = &worker->frame;

    for (int side = 0; side < shape->n_sides; side++) {
        frame_copy_captures(frame, side, 0, shape->frame_size);
        for (uint64_t kings = 0; kings < shape->frame_size; kings++) {
            const value_t *values = NULL;
            if (frame_class(frame, side, kings) != CLASS_QUIET)
                continue;
            const einspul_status status =
                load_value(work, worker, side, number * shape->frame_size + kings, &values, error);
            if (status != EINSPUL_OK)
                return status;
            memcpy(frame->value[side] + kings * (size_t)shape->n_run_states, values,
                   (size_t)shape->n_run_states);
        }
    }
    return EINSPUL_OK;
}

/* Whether a table's values can be brought in as they are. */
static einspul_status check_whole(const struct table *table, einspul_error *error)
{
    if (table_is_whole(table))
        return EINSPUL_OK;
    return error_set(error, EINSPUL_NO_TABLE, "%s: it leaves out values that are needed",
                     path_text(table_path(table)));
}

einspul_status material_load(const struct material_params *params,
                             const struct material_source *source, einspul_error *error)
{
    struct work work = {
        .params = params,
        .source = source,
        .fill = load_frame,
        .keeps = true,
        .error = error,
    };
    einspul_status status = check_whole(source->table, error);
    /* What is made from wrong values is wrong and has no other check. */
    if (status == EINSPUL_OK)
        status = value_hash_check(source->table, params->store->rules, params->n_threads, error);
    if (status != EINSPUL_OK)
        return status;
    if (work_prepare(&work))
        work_run(&work, work_levels, true);
    work_release(&work);
    return work.status;
}

einspul_status material_count(const struct material_params *params, const struct table *table,
                              struct counters *counters, einspul_error *error)
{
    const struct material_source source = {.table = table};
    struct work work = {
        .params = params,
        .source = &source,
        .counters = counters,
        .fill = work_count_frame,
        .error = error,
    };
    const einspul_status status = check_whole(table, error);
    if (status != EINSPUL_OK)
        return status;
    if (work_prepare(&work))
        work_run(&work, work_levels, false);
    work_release(&work);
    return work.status;
}
