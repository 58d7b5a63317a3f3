#include "gen/stats.h"

#include "gen/scan.h"

enum { N_VALUES = 256 };

/* How often each value occurs, and where first: key is placement index * n_run_states + run state.
 */
struct tally {
    uint64_t count[N_VALUES];
    uint64_t first[N_VALUES];
};

enum kind { FRESH, ALL, RAW, N_KINDS };

struct counter {
    einspul *handle;
    const struct rules *rules;
    const struct shape *shape;
    enum metric metric; /* to probe captures in */
    bool limited;
    struct tally tally[2][N_KINDS]; /* by side to move; guarded by the critical section */
};

static void tally_clear(struct tally tallies[N_KINDS])
{
    for (int kind = 0; kind < N_KINDS; kind++) {
        for (int value = 0; value < N_VALUES; value++) {
            tallies[kind].count[value] = 0;
            tallies[kind].first[value] = UINT64_MAX;
        }
    }
}

static inline void tally_add(struct tally *tally, value_t value, uint64_t n, uint64_t key)
{
    tally->count[value] += n;
    if (key < tally->first[value])
        tally->first[value] = key;
}

static void tally_merge(struct tally *into, const struct tally *from)
{
    for (int value = 0; value < N_VALUES; value++) {
        into->count[value] += from->count[value];
        if (from->first[value] < into->first[value])
            into->first[value] = from->first[value];
    }
}

/* A raw value of the limited material, both ways. White has the two kings. */
static void count_limited(const struct counter *counter, enum side side, value_t raw, uint64_t key,
                          struct tally tallies[N_KINDS])
{
    const value_t fresh = value_limited(raw, counter->rules->two_kings_limit, 0, side == WHITE);
    tally_add(&tallies[RAW], raw, 1, key);
    tally_add(&tallies[FRESH], fresh, 1, key);
    tally_add(&tallies[ALL], fresh, 1, key);
}

/* The side to move must capture: not stored. Its own run ends whatever it was; the other one's
 * matters. */
static enum status count_capture(const struct counter *counter, const struct placement *at,
                                 uint64_t index, struct tally tallies[N_KINDS], struct error *error)
{
    const struct shape *shape = counter->shape;
    const enum side side = at->side;
    const enum side other = side_other(side);
    const uint64_t key = index * (uint64_t)shape->n_run_states;
    const uint64_t step = other == BLACK ? 1 : (uint64_t)shape->n_runs[BLACK];
    struct state state = {.at = *at};
    value_t value = VALUE_NONE;
    enum status status = STATUS_OK;

    if (counter->limited) {
        status = probe_raw(counter->handle, &state, &value, error);
        if (status == STATUS_OK)
            count_limited(counter, side, value, key, tallies);
        return status;
    }
    for (int run = 0; run < shape->n_runs[other]; run++) {
        state.run[other] = run_from_index(at->kings[other], run);
        status = probe_state(counter->handle, &state, counter->metric, 0, &value, error);
        if (status != STATUS_OK)
            return status;
        if (run == 0)
            tally_add(&tallies[FRESH], value, 1, key);
        tally_add(&tallies[ALL], value, (uint64_t)shape->n_runs[side], key + (uint64_t)run * step);
    }
    return STATUS_OK;
}

static void count_stored(const struct counter *counter, enum side side, const struct block *block,
                         uint32_t place, uint64_t index, struct tally tallies[N_KINDS])
{
    const int n_run_states = counter->shape->n_run_states;
    const uint64_t key = index * (uint64_t)n_run_states;

    if (counter->limited) {
        count_limited(counter, side, block_value(block, place, 1, 0), key, tallies);
        return;
    }
    tally_add(&tallies[FRESH], block_value(block, place, n_run_states, 0), 1, key);
    for (int run_state = 0; run_state < n_run_states; run_state++)
        tally_add(&tallies[ALL], block_value(block, place, n_run_states, run_state), 1,
                  key + (uint64_t)run_state);
}

static enum status visit(void *context, const struct slice *slice, struct error *error)
{
    struct counter *counter = context;
    struct tally tallies[N_KINDS];
    enum status status = STATUS_OK;

    tally_clear(tallies);
    for (uint32_t i = 0; i < slice->n_placements && status == STATUS_OK; i++) {
        struct placement at;
        const uint64_t index = slice->first + i;
        if (!shape_unrank(counter->shape, index, slice->side, &at))
            continue;
        if (placement_has_capture(counter->rules, &at))
            status = count_capture(counter, &at, index, tallies, error);
        else
            count_stored(counter, slice->side, slice->block, slice->place + i, index, tallies);
    }
#pragma omp critical(stats_tally)
    for (int kind = 0; kind < N_KINDS; kind++)
        tally_merge(&counter->tally[slice->side][kind], &tallies[kind]);
    return status;
}

static struct state state_of_key(const struct shape *shape, enum side side, uint64_t key)
{
    const int run_state = (int)(key % (uint64_t)shape->n_run_states);
    struct state state = {0};
    shape_unrank(shape, key / (uint64_t)shape->n_run_states, side, &state.at);
    state.run[WHITE] = run_from_index(state.at.kings[WHITE], run_state / shape->n_runs[BLACK]);
    state.run[BLACK] = run_from_index(state.at.kings[BLACK], run_state % shape->n_runs[BLACK]);
    return state;
}

static struct stats_counts summarise(const struct shape *shape, enum side side, bool distances,
                                     const struct tally *tally)
{
    struct stats_counts counts = {.max_win = -1, .max_loss = -1};
    for (int value = VALUE_WIN_IN_1; value >= 0; value--) {
        const uint64_t n = tally->count[value];
        const int plies = value_plies((value_t)value);
        if (n == 0)
            continue;
        if (value > VALUE_DRAW) {
            counts.wins += n;
            if (distances) { /* values of longer wins come later */
                counts.max_win = plies;
                counts.longest_win = state_of_key(shape, side, tally->first[value]);
            }
        } else if (value == VALUE_DRAW) {
            counts.draws += n;
        } else {
            counts.losses += n;
            if (distances && plies > counts.max_loss)
                counts.max_loss = plies;
        }
    }
    return counts;
}

static struct stats_counts counts_turn(const struct board *board, const struct stats_counts *counts)
{
    struct stats_counts turned = *counts;
    if (counts->max_win > 0)
        turned.longest_win = state_turn(board, &counts->longest_win);
    return turned;
}

enum status stats_table(einspul *handle, const struct material *material, enum metric metric,
                        int n_threads, struct stats *stats, struct error *error)
{
    const struct table *table = NULL;
    struct counter counter = {
        .handle = handle,
        .rules = probe_rules(handle),
        .metric = metric,
    };
    enum status status = probe_table(handle, material, metric, &table, error);

    *stats = (struct stats){0};
    if (status != STATUS_OK)
        return status;
    counter.shape = table_shape(table);
    if (table_has_distances(table))
        counter.metric = METRIC_DTW; /* also where a .wdl has them */
    counter.limited = material_is_limited(counter.rules, material);
    tally_clear(counter.tally[WHITE]);
    tally_clear(counter.tally[BLACK]);
    status = scan_table(table, n_threads, NULL, visit, &counter, error);
    if (status != STATUS_OK)
        return status;

    const bool distances = table_has_distances(table);
    struct stats_counts *results[N_KINDS] = {stats->fresh, stats->all, stats->raw};
    stats->limited = counter.limited;
    for (int kind = 0; kind < N_KINDS; kind++) {
        for (int side = WHITE; side < counter.shape->n_sides; side++)
            results[kind][side] =
                summarise(counter.shape, (enum side)side, distances, &counter.tally[side][kind]);
        if (counter.shape->n_sides == 1)
            results[kind][BLACK] = counts_turn(&counter.rules->board, &results[kind][WHITE]);
    }
    return STATUS_OK;
}
