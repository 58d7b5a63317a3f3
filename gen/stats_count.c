/* Counting placements by value, on threads.
 *
 * A thread counts patterns, which are few, by their numbers in the chunk it is in, and looks at a
 * pattern's values once when it leaves the chunk. The sums do not depend on which thread counted
 * what. The longest win is looked for in a second walk, when its distance is known: the first
 * placement that has it. Parts are begun in order and those behind what is found are skipped, so
 * that walk mostly ends early, and its result is the same for any number of threads. */
#include "gen/stats_count.h"

#include <stdlib.h>

/* What a thread has counted: placements by pattern of the chunk it is in, and values. */
struct count {
    const struct chunk *chunk;
    uint32_t of_pattern[PAGE_ROOM];
    uint64_t of_value[N_KINDS][STATS_VALUES];
};

/* From patterns to values, before another chunk. */
static void count_values(const struct counter *counter, struct count *count)
{
    for (uint32_t i = 0; count->chunk != NULL && i < count->chunk->n_patterns; i++) {
        const uint64_t n = count->of_pattern[i];
        count->of_pattern[i] = 0;
        for (int kind = 0; n > 0 && kind < counter->n_kinds; kind++) {
            for (int run = 0; run < kind_length(counter, kind); run++)
                count->of_value[kind][pattern_value(counter, count->chunk, kind, i, run)] += n;
        }
    }
}

static void count_part(const struct counter *counter, int64_t part, struct count *count)
{
    const struct spans *spans = counter->spans;
    const squares_t *kings = spans->kings[BLACK];
    const uint32_t n = spans->shape->n_king_sets[BLACK];
    squares_t taken = 0;

    for (struct span span = part_start(spans, part); span.n_left > 0; span_next(spans, &span)) {
        if (!span_taken(spans, &span, &taken))
            continue;
        const uint64_t address = span_address(counter, &span);
        for (uint32_t black = 0; black < n; black++) {
            if ((kings[black] & taken) != 0)
                continue;
            const struct chunk *chunk = solved_chunk(counter->solved, address + black);
            if (chunk != count->chunk) {
                count_values(counter, count);
                count->chunk = chunk;
            }
            count->of_pattern[chunk_number(chunk, (address + black) % PAGE_ROOM)]++;
        }
    }
}

enum status counter_count(struct counter *counter)
{
    bool complete = true;
#pragma omp parallel num_threads(counter->n_threads) reduction(&& : complete)
    {
        struct count *own = calloc(1, sizeof *own);
        complete = own != NULL;
#pragma omp for schedule(dynamic, 1)
        for (int64_t part = 0; part < counter->spans->n_parts; part++)
            if (own != NULL)
                count_part(counter, part, own);
        if (own != NULL)
            count_values(counter, own);
#pragma omp critical(stats_count)
        for (int kind = 0; own != NULL && kind < counter->n_kinds; kind++)
            for (int value = 0; value < STATS_VALUES; value++)
                counter->tally[kind][value] += own->of_value[kind][value];
        free(own);
    }
    for (int kind = 0; kind < counter->n_kinds; kind++) {
        counter->longest[kind] = VALUE_DRAW;
        for (int value = VALUE_WIN_IN_1; value > VALUE_DRAW; value--)
            if (counter->tally[kind][value] > 0) /* values of longer wins are smaller */
                counter->longest[kind] = (value_t)value;
    }
    return complete ? STATUS_OK : STATUS_NO_MEMORY;
}

/* The first of a pattern's run states whose value is the kind's longest win; -1: none. */
static int longest_in(const struct counter *counter, int kind, const struct chunk *chunk,
                      uint32_t number)
{
    for (int run = 0; run < kind_length(counter, kind); run++)
        if (pattern_value(counter, chunk, kind, number, run) == counter->longest[kind])
            return run;
    return -1;
}

/* Which patterns of a chunk have a longest win: a bit per kind. */
struct marks {
    const struct chunk *chunk;
    uint8_t of_pattern[PAGE_ROOM];
};

static void mark_patterns(const struct counter *counter, const struct chunk *chunk,
                          struct marks *marks)
{
    marks->chunk = chunk;
    for (uint32_t i = 0; i < chunk->n_patterns; i++) {
        marks->of_pattern[i] = 0;
        for (int kind = 0; kind < counter->n_kinds; kind++)
            if (counter->longest[kind] != VALUE_DRAW && longest_in(counter, kind, chunk, i) >= 0)
                marks->of_pattern[i] |= (uint8_t)(1u << kind);
    }
}

/* Looks for the first placements of the kinds in `wanted`; returns those that were found. */
static unsigned search_part(const struct counter *counter, int64_t part, unsigned wanted,
                            struct marks *marks, uint64_t found[N_KINDS])
{
    const struct spans *spans = counter->spans;
    const squares_t *kings = spans->kings[BLACK];
    const uint32_t n = spans->shape->n_king_sets[BLACK];
    unsigned left = wanted;
    squares_t taken = 0;

    for (struct span span = part_start(spans, part); span.n_left > 0; span_next(spans, &span)) {
        if (!span_taken(spans, &span, &taken))
            continue;
        const uint64_t address = span_address(counter, &span);
        for (uint32_t black = 0; black < n; black++) {
            if ((kings[black] & taken) != 0)
                continue;
            const struct chunk *chunk = solved_chunk(counter->solved, address + black);
            if (chunk != marks->chunk)
                mark_patterns(counter, chunk, marks);
            const unsigned mark =
                marks->of_pattern[chunk_number(chunk, (address + black) % PAGE_ROOM)] & left;
            if (mark == 0)
                continue;
            for (int kind = 0; kind < N_KINDS; kind++)
                if ((mark >> kind & 1) != 0)
                    found[kind] = span.first + black;
            left &= ~mark;
            if (left == 0)
                return wanted;
        }
    }
    return wanted & ~left;
}

/* Takes over what a thread has found if it comes before what is known. */
static void take_found(struct counter *counter, unsigned hits, const uint64_t found[N_KINDS])
{
#pragma omp critical(stats_find)
    for (int kind = 0; kind < counter->n_kinds; kind++) {
        if ((hits >> kind & 1) != 0 && found[kind] < counter->found[kind]) {
#pragma omp atomic write
            counter->found[kind] = found[kind];
        }
    }
}

/* Finds the first placements with the longest wins. Parts start in order, so most of what is
 * behind them is not looked at. */
void counter_find_longest(struct counter *counter)
{
    for (int kind = 0; kind < counter->n_kinds; kind++)
        counter->found[kind] = UINT64_MAX;
#pragma omp parallel num_threads(counter->n_threads)
    {
        struct marks marks = {.chunk = NULL};
#pragma omp for schedule(dynamic, 1)
        for (int64_t part = 0; part < counter->spans->n_parts; part++) {
            const uint64_t first = part_start(counter->spans, part).first;
            uint64_t found[N_KINDS] = {0};
            unsigned wanted = 0;
            for (int kind = 0; kind < counter->n_kinds; kind++) {
                uint64_t best;
#pragma omp atomic read
                best = counter->found[kind];
                if (counter->longest[kind] != VALUE_DRAW && first < best)
                    wanted |= 1u << kind;
            }
            if (wanted != 0)
                take_found(counter, search_part(counter, part, wanted, &marks, found), found);
        }
    }
}

static struct state longest_state(const struct counter *counter, int kind)
{
    const struct shape *shape = counter->spans->shape;
    const uint64_t index = counter->found[kind];
    struct state state = {0};
    shape_unrank(shape, index, (enum side)counter->side, &state.at);
    const uint64_t address =
        solved_address(counter->solved, counter->side, state.at.men) + index % shape->frame_size;
    const struct chunk *chunk = solved_chunk(counter->solved, address);
    const int run_state =
        longest_in(counter, kind, chunk, chunk_number(chunk, address % PAGE_ROOM));
    state.run[WHITE] = run_from_index(state.at.kings[WHITE], shape_run(shape, WHITE, run_state));
    state.run[BLACK] = run_from_index(state.at.kings[BLACK], shape_run(shape, BLACK, run_state));
    return state;
}

struct stats_counts counter_summary(const struct counter *counter, int kind, bool distances)
{
    struct stats_counts counts = {.max_win = -1, .max_loss = -1};
    for (int value = VALUE_LOST; value <= VALUE_WIN_IN_1; value++) {
        const uint64_t n = counter->tally[kind][value];
        if (n == 0)
            continue;
        counts.of_value[value] = n;
        if (value > VALUE_DRAW) {
            counts.wins += n;
        } else if (value == VALUE_DRAW) {
            counts.draws += n;
        } else {
            counts.losses += n;
            if (distances) /* values of longer losses come later */
                counts.max_loss = value_plies((value_t)value);
        }
    }
    if (distances && counter->longest[kind] != VALUE_DRAW) {
        counts.max_win = value_plies(counter->longest[kind]);
        counts.longest_win = longest_state(counter, kind);
    }
    return counts;
}
