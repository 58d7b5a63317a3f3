/* Neighbouring placements often have the same values: they are counted together. */
#include "gen/material/counting.h"

#include "core/program/bytes_set.h"
#include "core/program/index.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

/* A won state: its value, placement and rule state. */
struct win {
    uint64_t index;
    value_t value;
    uint16_t rule_state;
};

/* The longest wins, sorted by length, placement and rule state. */
struct win_list {
    int n, max;
    struct win win[MAX_LONGEST_WINS];
};

struct counter {
    const struct shape *shape;
    int side; /* to move */
    int limit;
    bool distances;                /* the values have distances; if not, no wins are listed */
    value_t last[MAX_RULE_STATES]; /* values met last, ... */
    uint64_t n_last, first;        /* ... how often, and where first */
    uint64_t n_by_value[N_KINDS][STATS_VALUES];
    struct win longest[N_KINDS]; /* value VALUE_NONE: none */
    struct win_list top;         /* of fresh states */
};

/* --- wins ------------------------------------------------------------------------------------- */

/* Values of longer wins are smaller. */
static bool win_before(const struct win *a, const struct win *b)
{
    if (a->value != b->value)
        return a->value < b->value;
    return a->index != b->index ? a->index < b->index : a->rule_state < b->rule_state;
}

static void win_list_add(struct win_list *list, const struct win *win)
{
    if (list->n == list->max && (list->n == 0 || !win_before(win, &list->win[list->n - 1])))
        return;
    int place = list->n < list->max ? list->n++ : list->n - 1;
    for (; place > 0 && win_before(win, &list->win[place - 1]); place--)
        list->win[place] = list->win[place - 1];
    list->win[place] = *win;
}

static void keep_longest(struct win *longest, const struct win *win)
{
    if (win_before(win, longest))
        *longest = *win;
}

/* --- a counter -------------------------------------------------------------------------------- */

static int n_kinds(const struct counter *counter)
{
    return counter->limit > 0 ? N_KINDS : RAW;
}

/* A value as it counts: in canonical material White has two kings. */
static inline value_t value_of(const struct counter *counter, enum count_kind kind, value_t value)
{
    return counter->limit == 0 || kind == RAW ? value : value_limited(value, counter->limit, 0);
}

/* Counts the placements with the values met last. Rule state 0 is the fresh one; states that follow
 * each other mostly have the same value. */
static void count_last(struct counter *counter)
{
    for (int kind = 0; kind < n_kinds(counter) && counter->n_last > 0; kind++) {
        const int n_states = kind == FRESH ? 1 : counter->shape->n_rule_states;
        for (int first = 0, next = 0; first < n_states; first = next) {
            const value_t value = value_of(counter, (enum count_kind)kind, counter->last[first]);
            while (next < n_states && counter->last[next] == counter->last[first])
                next++;
            counter->n_by_value[kind][value] += counter->n_last * (uint64_t)(next - first);
            if (value > VALUE_DRAW && value <= counter->longest[kind].value && counter->distances)
                keep_longest(&counter->longest[kind],
                             &(struct win){counter->first, value, (uint16_t)first});
        }
    }
    counter->n_last = 0;
}

static inline void counter_add(struct counter *counter, const value_t *values, uint64_t index)
{
    const size_t length = (size_t)counter->shape->n_rule_states;
    if (counter->n_last == 0 || !bytes_equal(values, counter->last, length)) {
        count_last(counter);
        memcpy(counter->last, values, length);
        counter->first = index;
    }
    counter->n_last++;
    if (counter->top.max == 0)
        return;
    const value_t fresh = value_of(counter, FRESH, values[0]);
    if (fresh > VALUE_DRAW)
        win_list_add(&counter->top, &(struct win){.index = index, .value = fresh});
}

static struct state state_of(const struct counter *counter, const struct win *win)
{
    const struct shape *shape = counter->shape;
    struct state state = {0};
    shape_unrank(shape, win->index, (enum side)counter->side, &state.at);
    shape_set_runs(shape, win->rule_state, &state);
    return state;
}

/* --- the counters of threads ------------------------------------------------------------------ */

static struct counter *counter_of(const struct counters *counters, int side, int thread)
{
    return &counters->counter[side * counters->n_threads + thread];
}

einspul_status counters_create(struct counters *counters, const struct shape *shape, int limit,
                               bool distances, int n_longest, int n_threads)
{
    const int n = shape->n_sides * n_threads;
    *counters = (struct counters){
        .n_sides = shape->n_sides,
        .n_threads = n_threads,
        .counter = calloc((size_t)n, sizeof *counters->counter),
    };
    for (int i = 0; counters->counter != NULL && i < n; i++) {
        struct counter *counter = &counters->counter[i];
        counter->shape = shape;
        counter->side = i / n_threads;
        counter->limit = limit;
        counter->distances = distances;
        counter->top.max = distances ? n_longest : 0;
        for (int kind = 0; kind < N_KINDS; kind++)
            counter->longest[kind].value = VALUE_NONE;
    }
    return counters->counter != NULL ? EINSPUL_OK : EINSPUL_NO_MEMORY;
}

void counters_free(struct counters *counters)
{
    free(counters->counter);
}

void counters_add(struct counters *counters, int side, int thread, const value_t *values,
                  uint64_t index)
{
    counter_add(counter_of(counters, side, thread), values, index);
}

/* Counts placements that differ in Black's kings only, from index `first` on. */
static void count_span(struct counter *counter, const struct solved *solved, uint64_t first)
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
    for (uint32_t i = 0; i < n; i++, kings = i < n ? set_next(kings) : 0)
        if ((kings & taken) == 0)
            counter_add(counter,
                        chunk_values(solved_cached_chunk(solved, address + i), address + i,
                                     shape->n_rule_states),
                        first + i);
}

void counters_add_solved(struct counters *counters, const struct solved *solved)
{
    const uint64_t n_black = solved->shape.n_king_sets[BLACK];
    const int64_t n_spans = (int64_t)(solved->shape.n_placements / n_black);
    for (int side = WHITE; side < counters->n_sides; side++)
#pragma omp parallel for schedule(dynamic, 64) num_threads(counters->n_threads)
        for (int64_t span = 0; span < n_spans; span++)
            count_span(counter_of(counters, side, omp_get_thread_num()), solved,
                       (uint64_t)span * n_black);
}

void counters_merge(struct counters *counters, int side)
{
    struct counter *all = counter_of(counters, side, 0);
    for (int thread = 0; thread < counters->n_threads; thread++)
        count_last(counter_of(counters, side, thread));
    for (int thread = 1; thread < counters->n_threads; thread++) {
        const struct counter *from = counter_of(counters, side, thread);
        for (int kind = 0; kind < n_kinds(all); kind++) {
            for (int value = 0; value < STATS_VALUES; value++)
                all->n_by_value[kind][value] += from->n_by_value[kind][value];
            keep_longest(&all->longest[kind], &from->longest[kind]);
        }
        for (int i = 0; i < from->top.n; i++)
            win_list_add(&all->top, &from->top.win[i]);
    }
}

struct stats_counts counters_result(const struct counters *counters, int side, enum count_kind kind)
{
    const struct counter *counter = counter_of(counters, side, 0);
    const struct win *longest = &counter->longest[kind];
    struct stats_counts counts = {.max_win = -1, .max_loss = -1};
    for (int value = VALUE_LOST; value <= VALUE_WIN_IN_1; value++) {
        const uint64_t n = counter->n_by_value[kind][value];
        if (n == 0)
            continue;
        counts.n_by_value[value] = n;
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

void counters_top(const struct counters *counters, int side, struct stats_top *top)
{
    const struct counter *counter = counter_of(counters, side, 0);
    top->n = counter->top.n;
    for (int i = 0; i < top->n; i++)
        top->win[i] = (struct stats_win){.state = state_of(counter, &counter->top.win[i]),
                                         .plies = value_plies(counter->top.win[i].value)};
}
