/* Counting a solved material, all of whose chunks are in memory, part by part (spans.h). */
#include "gen/frame/spans.h"
#include "gen/material/stats_count.h"
#include "gen/values/store.h"

#include <omp.h>

static void turn_to_chunk(struct counter *counter, const struct chunk *chunk)
{
    const struct counted_patterns patterns = {
        .values = chunk->values,
        .entry = chunk->entry,
        .value_bytes = chunk->value_bytes,
        .n_patterns = chunk->n_patterns,
    };
    counter_turn(counter, &patterns);
}

static void count_part(struct counter *counter, const struct solved *solved,
                       const struct spans *spans, int64_t part)
{
    const squares_t *kings = spans->kings[BLACK];
    const uint32_t n = spans->shape->n_king_sets[BLACK];
    const struct chunk *current = NULL;
    squares_t taken = 0;

    for (struct span span = part_start(spans, part); span.n_left > 0; span_next(spans, &span)) {
        if (!span_taken(spans, &span, &taken))
            continue;
        const uint64_t address =
            solved_frame_address(solved, counter->side, span.men[WHITE], span.men[BLACK]) +
            (uint64_t)span.white_kings * n;
        for (uint32_t black = 0; black < n; black++) {
            if ((kings[black] & taken) != 0)
                continue;
            const struct chunk *chunk = solved_chunk(solved, address + black);
            if (chunk != current)
                turn_to_chunk(counter, chunk);
            current = chunk;
            counter_add(counter, chunk_number(chunk, (address + black) % PAGE_ROOM),
                        span.first + black);
        }
    }
    counter_turn(counter, NULL);
}

enum status counters_count_solved(struct counters *counters, const struct solved *solved)
{
    struct spans spans;
    const enum status status = spans_init(&spans, &solved->shape);
    if (status != STATUS_OK)
        return status;
    for (int side = WHITE; side < counters->n_sides; side++) {
#pragma omp parallel for schedule(dynamic, 1) num_threads(counters->n_threads)
        for (int64_t part = 0; part < spans.n_parts; part++)
            count_part(counter_of(counters, side, omp_get_thread_num()), solved, &spans, part);
    }
    spans_free(&spans);
    return STATUS_OK;
}
