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

/* Adds the quiet placements of a row. */
static void store_bits(uint64_t *stored, const struct walk *walk)
{
    const uint64_t bits = walk->quiet >> walk->first;
    const uint32_t shift = walk->place % 64;
    stored[walk->place / 64] |= bits << shift;
    if (shift > 0 && bits >> (64 - shift) != 0)
        stored[walk->place / 64 + 1] |= bits >> (64 - shift);
}

/* Values of a row, or those of its quiet placements; the first has the address `address`. */
static einspul_status read_row(const struct solved_source *source, struct chunk_reader *reader,
                               const struct walk *walk, uint64_t address,
                               const struct table_values *values, einspul_error *error)
{
    const size_t length = (size_t)source->solved->shape.n_rule_states;
    for (int at = 0, end = 0; at < walk->n; at = end) {
        const struct chunk *chunk = NULL;
        const uint64_t in_page = (address + (uint64_t)at) % PAGE_CAPACITY;
        const uint64_t left = PAGE_CAPACITY - in_page;
        const einspul_status status =
            solved_fetch_chunk(source->solved, reader, true, address + (uint64_t)at, &chunk, error);
        if (status != EINSPUL_OK)
            return status;
        end = (uint64_t)(walk->n - at) <= left ? walk->n : at + (int)left;
        if (values->values != NULL) {
            memcpy(values->values + walk->place + at, chunk->number + in_page, (size_t)(end - at));
            continue;
        }
        const value_t **patterns = values->patterns + walk->place;
        squares_t quiet = walk->quiet >> walk->first & (square_bit(end) - square_bit(at));
        for (; quiet != 0; quiet &= quiet - 1) {
            const int place = bits_first(quiet);
            patterns[place] =
                chunk->values + chunk_number(chunk, in_page + (uint64_t)(place - at)) * length;
        }
    }
    return EINSPUL_OK;
}

/* The same without kings, where each placement is a frame, all of a row with the same set of
 * White's men; `first` is the index of the first. */
static einspul_status read_men(const struct solved_source *source, struct chunk_reader *reader,
                               const struct walk *walk, int side, uint64_t first,
                               const struct table_values *values, einspul_error *error)
{
    einspul_status status = EINSPUL_OK;
    for (squares_t left = walk->quiet; left != 0 && status == EINSPUL_OK; left &= left - 1) {
        const uint32_t place = (uint32_t)(bits_first(left) - walk->first);
        const uint64_t address = frame_address(source, side, first + place);
        const struct chunk *chunk = NULL;
        status = solved_fetch_chunk(source->solved, reader, true, address, &chunk, error);
        if (status == EINSPUL_OK)
            values->values[walk->place + place] = chunk->number[address % PAGE_CAPACITY];
    }
    return status;
}

static einspul_status read_values(void *context, int thread, int side, uint64_t first, uint32_t n,
                                  const struct table_values *values, einspul_error *error)
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
    memset(values->stored, 0, (n + 63) / 64 * sizeof *values->stored);
    chunk_reader_quiesce(reader);
    walk_begin(&walk, &source->plans[side], first, n);
    while (status == EINSPUL_OK && walk_row(&walk)) {
        const uint64_t index = first + walk.place;
        if (walk.quiet == 0)
            continue;
        store_bits(values->stored, &walk);
        if (frame_size == 1) {
            status = read_men(source, reader, &walk, side, index, values, error);
            continue;
        }
        if (index / frame_size != frame) {
            frame = index / frame_size;
            address = frame_address(source, side, frame);
        }
        status = read_row(source, reader, &walk, address + index % frame_size, values, error);
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

einspul_status material_write_tables(const struct table_output *outputs, int n_outputs,
                                     const struct solved *solved, int zstd_level, int n_threads,
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
        walk_plan_init(&source.plans[side], outputs->id.rules, &solved->shape, (enum side)side);
    source.readers = calloc((size_t)n_threads, sizeof(struct chunk_reader *));
    if (source.readers == NULL)
        status = EINSPUL_NO_MEMORY;
    for (int i = 0; i < n_threads && status == EINSPUL_OK; i++)
        status = chunk_reader_create(solved->pages->pager, &source.readers[i]);
    if (status != EINSPUL_OK)
        output_no_memory(outputs->path, error);
    else
        status = tables_write(outputs, n_outputs, &from, zstd_level, n_threads, error);
    for (int i = 0; source.readers != NULL && i < n_threads; i++)
        chunk_reader_free(source.readers[i]);
    free(source.readers);
    return status;
}
