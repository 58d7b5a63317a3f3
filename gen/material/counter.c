/* A thread's counts of a side to move, and how those of threads are put together. */
#include "gen/material/counter.h"

#include "core/index.h"

#include <omp.h>
#include <stdlib.h>

/* --- wins ------------------------------------------------------------------------------------- */

/* Values of longer wins are smaller. */
static bool win_before(const struct win *a, const struct win *b)
{
    if (a->value != b->value)
        return a->value < b->value;
    return a->index != b->index ? a->index < b->index : a->run_state < b->run_state;
}

static void win_list_add(struct win_list *list, const struct win *win)
{
    if (list->n == list->most && !win_before(win, &list->win[list->n - 1]))
        return;
    int place = list->n < list->most ? list->n++ : list->n - 1;
    for (; place > 0 && win_before(win, &list->win[place - 1]); place--)
        list->win[place] = list->win[place - 1];
    list->win[place] = *win;
}

void counter_add_fresh(struct counter *counter, value_t value, uint64_t index)
{
    if (counter->top.most > 0 && value > VALUE_DRAW)
        win_list_add(&counter->top, &(struct win){.index = index, .value = value});
}

static void keep_longest(struct win *longest, const struct win *win)
{
    if (win_before(win, longest))
        *longest = *win;
}

/* --- counting --------------------------------------------------------------------------------- */

static void count_value(struct counter *counter, int kind, uint64_t n, const struct win *state)
{
    counter->of_value[kind][state->value] += n;
    if (state->value > VALUE_DRAW && counter->distances)
        keep_longest(&counter->longest[kind], state);
}

/* Run state 0 is the fresh one: no king has moved. */
static void count_pattern(struct counter *counter, uint32_t number)
{
    const struct counted_patterns *from = &counter->patterns;
    const size_t length = (size_t)counter->shape->n_run_states;
    for (int kind = 0; kind < counter->n_kinds; kind++) {
        const value_t *values = kind == RAW ? from->values : from->entry;
        const size_t n_values = kind == FRESH ? 1 : length;
        for (size_t run = 0; run < n_values; run++) {
            const struct win state = {
                .index = counter->of_pattern[number].first,
                .value = values[(size_t)number * length + run],
                .run_state = (uint16_t)run,
            };
            count_value(counter, kind, counter->of_pattern[number].n, &state);
        }
    }
}

void counter_turn(struct counter *counter, const struct counted_patterns *patterns)
{
    for (uint32_t i = 0; i < counter->patterns.n_patterns; i++) {
        if (counter->of_pattern[i].n > 0)
            count_pattern(counter, i);
        counter->of_pattern[i].n = 0;
    }
    counter->patterns = patterns != NULL ? *patterns : (struct counted_patterns){0};
}

/* Runs that follow each other mostly have the same value: it is counted once for all of them. */
void counter_add_capture(struct counter *counter, const value_t *values, uint64_t index)
{
    const struct shape *shape = counter->shape;
    const int side = counter->side;
    const int n_runs = shape_capture_values(shape, side);
    const int step = side == WHITE ? 1 : shape->n_runs[BLACK]; /* of run states without own run */
    struct win state = {.index = index, .value = values[0]};

    count_value(counter, FRESH, 1, &state);
    counter_add_fresh(counter, state.value, index);
    for (int first = 0, run = 0; first < n_runs; first = run) {
        state.value = values[first];
        state.run_state = (uint16_t)(first * step);
        while (run < n_runs && values[run] == state.value)
            run++;
        count_value(counter, ALL, (uint64_t)(run - first) * (uint64_t)shape->n_runs[side], &state);
    }
}

/* --- the counters of threads ------------------------------------------------------------------ */

einspul_status counters_create(struct counters *counters, const struct shape *shape, bool limited,
                               bool distances, int n_top, int n_threads)
{
    const int n = shape->n_sides * n_threads;
    *counters = (struct counters){
        .n_sides = shape->n_sides,
        .n_threads = n_threads,
        .counter = calloc((size_t)n, sizeof(struct counter *)),
    };
    for (int i = 0; counters->counter != NULL && i < n; i++) {
        struct counter *counter = calloc(1, sizeof *counter);
        counters->counter[i] = counter;
        if (counter == NULL) {
            counters_free(counters);
            break;
        }
        counter->shape = shape;
        counter->side = i / n_threads;
        counter->n_kinds = limited ? N_KINDS : RAW;
        counter->distances = distances;
        counter->top.most = distances ? n_top : 0;
        for (int kind = 0; kind < N_KINDS; kind++)
            counter->longest[kind].value = VALUE_NONE;
    }
    return counters->counter != NULL ? EINSPUL_OK : EINSPUL_NO_MEMORY;
}

void counters_free(struct counters *counters)
{
    for (int i = 0; counters->counter != NULL && i < counters->n_sides * counters->n_threads; i++) {
        if (counters->counter[i] != NULL)
            block_cursor_free(&counters->counter[i]->at);
        free(counters->counter[i]);
    }
    free(counters->counter);
    *counters = (struct counters){0};
}

struct counter *counters_gather(struct counters *counters, int side)
{
    struct counter *all = counter_of(counters, side, 0);
    for (int thread = 0; thread < counters->n_threads; thread++)
        counter_turn(counter_of(counters, side, thread), NULL);
    for (int thread = 1; thread < counters->n_threads; thread++) {
        const struct counter *from = counter_of(counters, side, thread);
        for (int kind = 0; kind < all->n_kinds; kind++) {
            for (int value = 0; value < STATS_VALUES; value++)
                all->of_value[kind][value] += from->of_value[kind][value];
            keep_longest(&all->longest[kind], &from->longest[kind]);
        }
        for (int i = 0; i < from->top.n; i++)
            win_list_add(&all->top, &from->top.win[i]);
    }
    return all;
}

/* --- what was counted ------------------------------------------------------------------------- */

static struct state state_of(const struct counter *counter, const struct win *win)
{
    const struct shape *shape = counter->shape;
    struct state state = {0};
    shape_unrank(shape, win->index, (enum side)counter->side, &state.at);
    shape_set_runs(shape, win->run_state, &state);
    return state;
}

struct stats_counts counter_counts(const struct counter *counter, enum count_kind kind)
{
    struct stats_counts counts = {.max_win = -1, .max_loss = -1};
    const struct win *longest = &counter->longest[kind];
    for (int value = VALUE_LOST; value <= VALUE_WIN_IN_1; value++) {
        const uint64_t n = counter->of_value[kind][value];
        if (n == 0)
            continue;
        counts.of_value[value] = n;
        if (value > VALUE_DRAW) {
            counts.wins += n;
        } else if (value == VALUE_DRAW) {
            counts.draws += n;
        } else {
            counts.losses += n;
            if (counter->distances) /* values of longer losses come later */
                counts.max_loss = value_plies((value_t)value);
        }
    }
    if (longest->value != VALUE_NONE) {
        counts.max_win = value_plies(longest->value);
        counts.longest_win = state_of(counter, longest);
    }
    return counts;
}

void counter_list_top(const struct counter *counter, struct stats_top *top)
{
    top->n = counter->top.n;
    for (int i = 0; i < top->n; i++)
        top->win[i] = (struct stats_win){.state = state_of(counter, &counter->top.win[i]),
                                         .plies = value_plies(counter->top.win[i].value)};
}

/* --- a solved material ------------------------------------------------------------------------ */

/* It is counted span by span: the placements of a span differ in Black's kings only, so that their
 * indices follow each other. */
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
