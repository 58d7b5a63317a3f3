/* Counting a solved material, all of whose chunks are in memory, span by span: the placements of a
 * span differ in Black's kings only, so that their indices follow each other. */
#include "gen/material/stats_count.h"
#include "gen/values/store.h"

#include <omp.h>

enum { SPANS_OF_A_TURN = 64 }; /* that a thread counts one after the other */

static void turn_to_chunk(struct counter *counter, const struct chunk *chunk)
{
    const struct counted_patterns patterns = {
        .values = chunk->values,
        .entry = chunk->entry,
        .n_patterns = chunk->n_patterns,
    };
    counter_turn(counter, &patterns);
}

static void count_span(struct counter *counter, const struct solved *solved, uint64_t first,
                       const struct chunk **current)
{
    const struct shape *shape = &solved->shape;
    const uint32_t n = shape->n_king_sets[BLACK];
    struct placement at;
    shape_unrank(shape, first, (enum side)counter->side, &at);
    const squares_t men = at.men[WHITE] | at.men[BLACK];
    const squares_t taken = men | at.kings[WHITE];
    if ((at.men[WHITE] & at.men[BLACK]) != 0 || (men & at.kings[WHITE]) != 0)
        return;
    const uint64_t address =
        solved_address(solved, counter->side, at.men) + first % shape->frame_size;
    squares_t kings = at.kings[BLACK];
    for (uint32_t i = 0; i < n; i++, kings = i < n ? set_next(kings) : 0) {
        if ((kings & taken) != 0)
            continue;
        const struct chunk *chunk = solved_chunk(solved, address + i);
        if (chunk != *current)
            turn_to_chunk(counter, chunk);
        *current = chunk;
        counter_add(counter, chunk_number(chunk, (address + i) % PAGE_ROOM), first + i);
    }
}

void counters_count_solved(struct counters *counters, const struct solved *solved)
{
    const uint64_t n_black = solved->shape.n_king_sets[BLACK];
    const int64_t n_spans = (int64_t)(solved->shape.n_placements / n_black);
    for (int side = WHITE; side < counters->n_sides; side++) {
#pragma omp parallel num_threads(counters->n_threads)
        {
            struct counter *counter = counter_of(counters, side, omp_get_thread_num());
            const struct chunk *current = NULL;
#pragma omp for schedule(dynamic, SPANS_OF_A_TURN)
            for (int64_t span = 0; span < n_spans; span++)
                count_span(counter, solved, (uint64_t)span * n_black, &current);
            counter_turn(counter, NULL);
        }
    }
}
