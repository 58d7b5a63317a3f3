/* Feeds the table writer. If frames are small, a block's placements come from chunks of several
 * levels. With kings, a row (table/walk.h) stays within one frame, whose address is computed
 * once. */

#include "gen/material/material_write.h"

#include "table/table_format.h"
#include "table/walk.h"
#include "table/write/output.h"

#include <stdlib.h>

struct solved_source {
    const struct solved *solved;
    struct walk_plan plans[2];
    struct chunk_reader **readers;
};

static uint64_t frame_address(const struct solved_source *source, int side, uint64_t frame)
{
    const uint64_t n_black = source->solved->shape.n_men_sets[BLACK];
    return solved_frame_address(source->solved, side, (uint32_t)(frame / n_black),
                                (uint32_t)(frame % n_black));
}

/* Values of the placements of a row that are quiet, of which the first has the index `first`. They
 * have addresses from `address` on, or without kings, where each is a frame with the same set of
 * White's men, any. */
static einspul_status read_row(const struct solved_source *source, struct chunk_reader *reader,
                               int side, const struct walk *walk, uint64_t first, uint64_t address,
                               const value_t **values, einspul_error *error)
{
    const struct shape *shape = &source->solved->shape;
    const struct chunk *chunk = NULL;
    const bool no_kings = shape->frame_size == 1;
    const uint32_t white = no_kings ? (uint32_t)(first / shape->n_men_sets[BLACK]) : 0;
    const uint32_t black = no_kings ? (uint32_t)(first % shape->n_men_sets[BLACK]) : 0;
    uint64_t page = UINT64_MAX;
    for (squares_t left = walk->quiet; left != 0; left &= left - 1) {
        const uint32_t place = (uint32_t)(bits_first(left) - walk->first);
        const uint64_t at = no_kings
                                ? solved_frame_address(source->solved, side, white, black + place)
                                : address + place;
        if (at >> PAGE_SHIFT != page) {
            page = at >> PAGE_SHIFT;
            const einspul_status status =
                solved_fetch_chunk(source->solved, reader, true, at, &chunk, error);
            if (status != EINSPUL_OK)
                return status;
        }
        values[walk->place + place] = chunk_values(chunk, at, shape->n_rule_states);
    }
    return EINSPUL_OK;
}

static einspul_status read_values(void *context, int thread, int side, uint64_t first, uint32_t n,
                                  const value_t **values, einspul_error *error)
{
    const struct solved_source *source = context;
    const uint64_t frame_size = source->solved->shape.frame_size;
    struct chunk_reader *reader = source->readers[thread];
    struct walk walk;
    uint64_t frame = UINT64_MAX;
    uint64_t address = 0;
    einspul_status status = EINSPUL_OK;

    if (source->solved->stop != NULL && atomic_load(source->solved->stop) != 0)
        return error_set(error, EINSPUL_STOPPED, "stopped");
    memset(values, 0, n * sizeof *values);
    chunk_reader_quiesce(reader);
    walk_begin(&walk, &source->plans[side], first, n);
    while (status == EINSPUL_OK && walk_row(&walk)) {
        const uint64_t index = first + walk.place;
        if (walk.quiet == 0)
            continue;
        if (frame_size > 1 && index / frame_size != frame) {
            frame = index / frame_size;
            address = frame_address(source, side, frame);
        }
        status = read_row(source, reader, side, &walk, index, address + index % frame_size, values,
                          error);
    }
    return status;
}

static void rest(void *context, int thread)
{
    const struct solved_source *source = context;
    chunk_reader_offline(source->readers[thread]);
}

uint64_t material_write_bytes(const struct shape *shape, int n_threads)
{
    const uint64_t max = MAX_BLOCK_PLACEMENTS / 4;
    const uint64_t n = shape->n_placements < max ? shape->n_placements : max;
    const uint64_t of_thread = n * (40 + 3 * (uint64_t)shape->n_rule_states) + (2 << 20);
    return (uint64_t)n_threads * of_thread +
           shape->n_placements / 8192 * 4 * (uint64_t)shape->n_sides;
}

einspul_status material_write_table(struct table_id id, const struct solved *solved,
                                    const char *path, int zstd_level, int n_threads,
                                    einspul_error *error)
{
    struct solved_source source = {.solved = solved};
    const struct table_source from = {
        .context = &source,
        .read = read_values,
        .release = rest,
    };
    einspul_status status = EINSPUL_OK;
    for (int side = 0; side < solved->shape.n_sides; side++)
        walk_plan_init(&source.plans[side], id.rules, &solved->shape, (enum side)side);
    source.readers = calloc((size_t)n_threads, sizeof(struct chunk_reader *));
    if (source.readers == NULL)
        status = EINSPUL_NO_MEMORY;
    for (int i = 0; i < n_threads && status == EINSPUL_OK; i++)
        status = chunk_reader_create(solved->pages->pager, &source.readers[i]);
    if (status != EINSPUL_OK)
        output_no_memory(path, error);
    else
        status = table_write(path, id, &from, zstd_level, n_threads, error);
    for (int i = 0; source.readers != NULL && i < n_threads; i++)
        chunk_reader_free(source.readers[i]);
    free(source.readers);
    return status;
}
