/* The list of the longest wins.
 *
 * The histogram says which distances the longest wins have. Only placements of such values are
 * looked at, and of those of the least distance the first ones count, so the list does not depend on
 * the order in which threads come to them. */
#include "gen/stats_count.h"

/* A fresh state by its value and placement. */
struct found {
    uint64_t index;
    value_t value;
};

struct found_list {
    int n;
    int most;
    struct found found[STATS_MOST_TOP];
};

static bool found_before(const struct found *a, const struct found *b)
{
    return a->value != b->value ? a->value < b->value : a->index < b->index;
}

static void found_add(struct found_list *list, struct found found)
{
    if (list->n == list->most && !found_before(&found, &list->found[list->n - 1]))
        return;
    int place = list->n < list->most ? list->n++ : list->n - 1;
    for (; place > 0 && found_before(&found, &list->found[place - 1]); place--)
        list->found[place] = list->found[place - 1];
    list->found[place] = found;
}

/* The largest winning value that may be in the list: values of longer wins are smaller. */
static int top_limit(const struct counter *counter, int n_top)
{
    uint64_t n = 0;
    int value = VALUE_DRAW;
    while (value < VALUE_WIN_IN_1 && n < (uint64_t)n_top)
        n += counter->tally[FRESH][++value];
    return value;
}

static void top_of_part(const struct counter *counter, int64_t part, int limit,
                        struct found_list *list)
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
            const uint64_t index = span.first + black;
            const struct chunk *chunk = solved_chunk(counter->solved, address + black);
            const value_t value = pattern_value(
                counter, chunk, FRESH, chunk_number(chunk, (address + black) % PAGE_ROOM), 0);
            if (value > VALUE_DRAW && value <= limit)
                found_add(list, (struct found){.index = index, .value = value});
        }
    }
}

void counter_list_top(const struct counter *counter, int n_top, struct stats_top *top)
{
    struct found_list all = {.n = 0, .most = n_top};
    const int limit = top_limit(counter, n_top);

#pragma omp parallel num_threads(counter->n_threads)
    {
        struct found_list own = {.n = 0, .most = n_top};
#pragma omp for schedule(dynamic, 1)
        for (int64_t part = 0; part < counter->spans->n_parts; part++)
            top_of_part(counter, part, limit, &own);
#pragma omp critical(stats_top)
        for (int i = 0; i < own.n; i++)
            found_add(&all, own.found[i]);
    }
    top->n = all.n;
    for (int i = 0; i < all.n; i++) {
        top->win[i] = (struct stats_win){.plies = value_plies(all.found[i].value)};
        shape_unrank(counter->spans->shape, all.found[i].index, (enum side)counter->side,
                     &top->win[i].state.at);
    }
}
