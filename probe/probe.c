/* Single probes. A state without a capture is looked up; captures are resolved by making them, and
 * a value that the table omits is that of its best move. */
#include "probe/probe.h"
#include "core/captures.h"
#include "table/table_format.h"

#include <stdlib.h>

/* The error for a value that the quiet-play limit may turn into a draw. */
static einspul_status value_undecided(einspul_error *error)
{
    return error_set(error, EINSPUL_UNDECIDED,
                     "undecided: the 25-move rule may end the game in a draw first, and the tables "
                     "do not store it");
}

/* Leaves the cache, before what takes long: another thread may be waiting to evict. */
static void leave_cache(struct query *query)
{
    if (query->reader != NULL)
        cache_leave(query->reader);
    query->reader = NULL;
}

/* A value whose block is not in memory, or not decoded up to it: decodes it. */
static einspul_status decode_value(struct query *query, const struct value_location *location,
                                   value_t *value)
{
    const struct table_view *view = location->view;
    const struct open_table *opened = view->opened;
    struct cache *cache = query->handle->cache;
    const uint64_t number = (uint64_t)(location->slot - opened->slots);
    struct block *block = NULL;
    bool kept = false;
    leave_cache(query);
    if (query->cached_only) {
        cache->misses++;
        return error_set(query->error, EINSPUL_NOT_CACHED, "%s: block %llu is not cached",
                         path_tail(opened->table->path), (unsigned long long)number);
    }
    const einspul_status status = cache_decode(cache, location->slot, opened->table, number,
                                               location->place, &block, &kept, query->error);
    if (status == EINSPUL_OK)
        *value = block_value(block, location->place, view->n_rule_states, location->rule_state);
    free(block);
    return status;
}

/* The value of a state as it is stored. */
static inline einspul_status read_value(struct query *query, const struct table_view *view,
                                        const struct state *state, value_t *value)
{
    struct value_location location;
    unsigned flags = 0;
    location_find(&location, view, state);
    if (query->reader == NULL)
        query->reader = cache_enter(query->handle->cache);
    const struct block *cached = cache_peek(location.slot, &flags);
    if (!cache_holds(cached, flags, location.place))
        return decode_value(query, &location, value);
    cache_count_hit(query->reader);
    *value = location_value(&location, cached, flags);
    return EINSPUL_OK;
}

/* A state, and what its probe finds out on the way down, each of it once. */
struct probed_state {
    const struct state *state;
    int key;         /* of its material, as handle_key; NO_KEY: not computed yet */
    bool no_capture; /* known: the side to move has no capture */
};

enum { NO_KEY = -2 };

static int probed_key(struct probed_state *probed)
{
    if (probed->key == NO_KEY)
        probed->key = handle_key(&probed->state->at);
    return probed->key;
}

/* The view of a state's table if it was found before, else NULL. */
static inline const struct table_view *known_view(const struct query *query,
                                                  struct probed_state *probed)
{
    return handle_known_view(query->handle, probed_key(probed), probed->state->at.side,
                             query->metric);
}

static einspul_status probed_value(struct query *query, const struct table_view *view,
                                   struct probed_state *probed, value_t *value);

/* The value of a state that a move leads to. */
static einspul_status query_value(struct query *query, const struct state *state, value_t *value)
{
    struct probed_state probed = {.state = state, .key = NO_KEY};
    return probed_value(query, known_view(query, &probed), &probed, value);
}

/* Searches the moves of a state whose value is known to be at most `max`, and stops at the first
 * move that reaches it. An undecided move is worth its value or a draw, so the result is bounded
 * from both sides. */
static einspul_status try_moves(struct query *query, const struct state *state, value_t max,
                                value_t *value)
{
    const struct rules *rules = &query->handle->rules;
    struct move_list list;
    value_t min = VALUE_LOST;
    value_t greatest = VALUE_LOST;
    move_list_init(&list);
    einspul_status status = moves_generate(rules, state, &list);
    if (status != EINSPUL_OK)
        moves_error(status, query->error);
    for (int i = 0; i < list.n_moves && status == EINSPUL_OK && min < max; i++) {
        const struct state after = state_after(rules, state, &list.moves[i]);
        value_t after_value = VALUE_LOST;
        status = query_value(query, &after, &after_value);
        const bool undecided = status == EINSPUL_UNDECIDED;
        status = undecided ? EINSPUL_OK : status;
        const value_t before = value_before(after_value);
        const value_t low = undecided && before > VALUE_DRAW ? VALUE_DRAW : before;
        const value_t high = undecided && before < VALUE_DRAW ? VALUE_DRAW : before;
        min = low > min ? low : min;
        greatest = high > greatest ? high : greatest;
    }
    move_list_free(&list);
    *value = min < max ? min : max;
    if (status != EINSPUL_OK || min >= max || min == greatest)
        return status;
    *value = greatest > VALUE_DRAW ? greatest : min;
    return value_undecided(query->error);
}

/* The value of a state that the table omits. If the state's run is too long to be stored, the value
 * with the longest stored run is an upper bound, because a longer run never helps its owner.
 * Usually one of the first moves reaches it, and if the bound is a loss no move need be tried. With
 * a clock the bound is of no use, because moves may fall short of it. */
static einspul_status try_omitted(struct query *query, const struct table_view *view,
                                  const struct state *state, value_t *value)
{
    struct state shorter = *state;
    value_t max = VALUE_WIN_IN_1;
    einspul_status status = EINSPUL_OK;
    if (view->most_own_run >= 0 && state_limit(&query->handle->rules, state) == 0) {
        shorter.run[state->at.side].count = (uint8_t)view->most_own_run;
        status = read_value(query, view, &shorter, &max);
        if (query->metric == EINSPUL_WDL)
            max = value_without_distance(max);
    }
    return status == EINSPUL_OK ? try_moves(query, state, max, value) : status;
}

/* The value of a state whose side to move has no capture; `view` may be NULL. */
static inline einspul_status look_up_in(struct query *query, const struct table_view *view,
                                        struct probed_state *probed, value_t *value)
{
    const struct state *state = probed->state;
    if (view == NULL) {
        const int key = probed_key(probed);
        leave_cache(query);
        const einspul_status status = handle_find_view(
            query->handle, key, &state->at, query->metric, query->cached_only, &view, query->error);
        if (status != EINSPUL_OK)
            return status;
    }
    return view_omits(view, state) ? try_omitted(query, view, state, value)
                                   : read_value(query, view, state, value);
}

static einspul_status look_up(struct query *query, struct probed_state *probed, value_t *value)
{
    return look_up_in(query, known_view(query, probed), probed, value);
}

/* The value of a state without regard to its clock; `view` is its known view. */
static inline einspul_status find_raw(struct query *query, const struct table_view *view,
                                      struct probed_state *probed, value_t *value)
{
    const struct state *state = probed->state;
    struct capture list[CAPTURES_ROOM];
    einspul_status status = EINSPUL_OK;
    *value = VALUE_LOST;
    if (placement_own(&state->at, state->at.side) == 0)
        return EINSPUL_OK;
    const int n = probed->no_capture ? 0 : captures_list(&query->handle->rules, &state->at, list);
    if (n == 0)
        return look_up_in(query, view, probed, value);
    if (n == CAPTURES_MANY)
        return try_moves(query, state, VALUE_WIN_IN_1, value);
    for (int i = 0; i < n && status == EINSPUL_OK && *value < VALUE_WIN_IN_1; i++) {
        struct state after;
        value_t after_value = VALUE_LOST;
        state_after_capture(state, &list[i], &after);
        status = query_value(query, &after, &after_value);
        value_t before = value_before(after_value);
        if (query->metric == EINSPUL_WDL)
            before = value_without_distance(before);
        *value = before > *value ? before : *value;
    }
    return status;
}

/* The value of a state with a running clock: its raw value, always with distance, is compared with
 * the limit. Captures lead to KvK or end the game, so the distances of KvK are needed, which every
 * table of it has. */
static einspul_status find_limited(struct query *query, struct probed_state *probed, value_t *value)
{
    const struct state *state = probed->state;
    const einspul_metric metric = query->metric;
    query->metric = EINSPUL_DTW;
    const einspul_status status = find_raw(query, known_view(query, probed), probed, value);
    query->metric = metric;
    if (status == EINSPUL_OK && !query->raw)
        *value = value_limited(*value, query->handle->rules.two_kings_limit, state->clock);
    return status;
}

/* Found by exhaustive search of all material of up to FEW_PIECES pieces (docs/rules.md): in best
 * play at most LONGEST_QUIET plies pass before a man moves, a capture is made or the game ends. */
enum { FEW_PIECES = 5, LONGEST_QUIET = 22 };

/* True if the quiet-play limit cannot change the answer: the clock is 0, or a side has only men, so
 * that each of its moves resets the clock. An outcome (not a distance) is safe, too, while
 * LONGEST_QUIET plies of the limit are left. */
static bool quiet_limit_is_idle(const struct rules *rules, const struct state *state,
                                einspul_metric metric)
{
    const struct placement *at = &state->at;
    const bool is_ended = at->kings[at->side] == 0 || (at->kings[side_other(at->side)] == 0 &&
                                                       state->clock + 1 < rules->quiet_limit);
    return bits_count(placement_occupied(at)) <= FEW_PIECES &&
           (state->clock == 0 || is_ended ||
            (metric == EINSPUL_WDL && state->clock + LONGEST_QUIET <= rules->quiet_limit));
}

/* The value of a state without captures under the limit of quiet play. A win within the
 * remaining plies is certain. Otherwise the outcome depends on when men move or pieces are captured on
 * the way, which no table stores: the state is undecided. */
static einspul_status find_quiet(struct query *query, struct probed_state *probed, value_t *value)
{
    const struct rules *rules = &query->handle->rules;
    const struct state *state = probed->state;
    const einspul_metric metric = query->metric;
    if (quiet_limit_is_idle(rules, state, metric))
        return look_up(query, probed, value);
    query->metric = EINSPUL_DTW;
    einspul_status status = look_up(query, probed, value);
    query->metric = metric;
    const bool has_distance = status != EINSPUL_NO_METRIC;
    if (!has_distance && metric == EINSPUL_WDL)
        status = look_up(query, probed, value);
    if (status != EINSPUL_OK || *value == VALUE_DRAW ||
        (has_distance && value_plies(*value) <= rules->quiet_limit - state->clock))
        return status;
    return value_undecided(query->error);
}

/* The value of a state in which a limit has drawn the game, unless the move that reached the limit
 * ended it. */
static einspul_status find_over(struct query *query, const struct state *state, value_t *value)
{
    const struct rules *rules = &query->handle->rules;
    int n_moves = 0;
    const einspul_status status = query_count_moves(rules, state, &n_moves, query->error);
    *value = n_moves == 0 && state->clock <= state_limit(rules, state) ? VALUE_LOST : VALUE_DRAW;
    return status;
}

/* Under limits other than Article 18's a capture may leave the clock running, so captures go
 * through the general move code (try_moves). */
static einspul_status find_value(struct query *query, struct probed_state *probed, value_t *value)
{
    const struct rules *rules = &query->handle->rules;
    const struct state *state = probed->state;
    if (state_limit(rules, state) == 0)
        return find_raw(query, known_view(query, probed), probed, value);
    if (!query->raw && state_is_drawn(rules, state))
        return find_over(query, state, value);
    if (rules->two_kings_limit > 0)
        return find_limited(query, probed, value);
    if (placement_own(&state->at, state->at.side) == 0)
        return find_raw(query, NULL, probed, value);
    if (!probed->no_capture && placement_has_capture(rules, &state->at))
        return try_moves(query, state, VALUE_WIN_IN_1, value);
    return placement_limit(rules, &state->at) == rules->quiet_limit
               ? find_quiet(query, probed, value)
               : look_up(query, probed, value);
}

/* The key of a state and metric in `values`, unique. 0 if the value is not kept there: it is
 * stored in a table, it depends on a limit, or its table is not open or omits no side. */
static uint64_t value_key(const struct query *query, struct probed_state *probed)
{
    const einspul *handle = query->handle;
    const struct state *state = probed->state;
    const struct table_view *view =
        !query->raw && atomic_load_explicit(&handle->n_value_keys, memory_order_relaxed) > 0
            ? handle_known_view(handle, probed_key(probed), state->at.side, query->metric)
            : NULL;
    if (view == NULL || view->first_key == 0 || view->has_clock || state->limited != 0 ||
        (state->clock != 0 && handle->rules.quiet_limit == 0))
        return 0;
    if (!view_omits(view, state)) {
        probed->no_capture = !placement_has_capture(&handle->rules, &state->at);
        if (probed->no_capture)
            return 0;
    }
    return (view->first_key + view_index(view, state) * view->n_rule_states +
            view_rule_state(view, state))
               << 9 |
           (uint64_t)state->clock << 1 | (query->metric == EINSPUL_DTW);
}

/* The value of a state that a limit may change, or of a table that omits a side; `before` states were
 * met before it. */
static einspul_status special_value(struct query *query, struct probed_state *probed,
                                    uint32_t before, value_t *value)
{
    enum { WORTH_KEEPING = 8 }; /* a value that took fewer states is recomputed as fast */
    uint64_t key = 0;
    if (before == query->first || before >= QUICK_STATES)
        key = value_key(query, probed);
    if (key != 0 && value_cache_find(query->handle->values, key, value))
        return EINSPUL_OK;
    const einspul_status status = find_value(query, probed, value);
    if (query->metric == EINSPUL_WDL)
        *value = value_without_distance(*value);
    if (key != 0 && status == EINSPUL_OK && query->n_states - before > WORTH_KEEPING)
        value_cache_add(query->handle->values, key, *value);
    return status;
}

/* `view` is the state's known view. */
static einspul_status probed_value(struct query *query, const struct table_view *view,
                                   struct probed_state *probed, value_t *value)
{
    const struct state *state = probed->state;
    const uint32_t before = query->n_states++;
    if (before >= QUICK_STATES)
        leave_cache(query);
    if (view != NULL && view->is_plain && state->clock == 0 && state->limited == 0) {
        const einspul_status status = find_raw(query, view, probed, value);
        if (query->metric == EINSPUL_WDL)
            *value = value_without_distance(*value);
        return status;
    }
    return special_value(query, probed, before, value);
}

einspul_status query_count_moves(const struct rules *rules, const struct state *state, int *n_moves,
                                 einspul_error *error)
{
    struct move_list list;
    move_list_init(&list);
    const einspul_status status = moves_generate(rules, state, &list);
    *n_moves = list.n_moves;
    move_list_free(&list);
    return status == EINSPUL_OK ? status : moves_error(status, error);
}

/* Rejects quickly what most probes of a search are for: states with too many pieces, or of a
 * material without a table and without a capture into another. OK if a full probe is needed. */
static einspul_status quick_status(const struct query *query, struct probed_state *probed)
{
    const einspul *handle = query->handle;
    const struct state *state = probed->state;
    const int key = probed->key;
    if (placement_own(&state->at, state->at.side) == 0)
        return EINSPUL_OK;
    if (key < 0)
        return error_set(query->error, EINSPUL_NO_TABLE,
                         "no table for %d pieces (the tables have at most %d) (%s)",
                         bits_count(placement_occupied(&state->at)), MAX_PIECES,
                         handle->rules.name);
    if (query->error != NULL)
        return EINSPUL_OK;
    const einspul_status status = handle_has_table(handle, handle->number[key], query->metric);
    if (status == EINSPUL_OK || state_limit(&handle->rules, state) > 0)
        return EINSPUL_OK;
    probed->no_capture = probed->no_capture || !placement_has_capture(&handle->rules, &state->at);
    return probed->no_capture ? status : EINSPUL_OK;
}

einspul_status query_state(struct query *query, const struct state *state, value_t *value)
{
    struct probed_state probed = {
        .state = state, .key = handle_key(&state->at), .no_capture = query->no_capture};
    const struct table_view *view = known_view(query, &probed);
    einspul_status status = view == NULL ? quick_status(query, &probed) : EINSPUL_OK;
    if (status != EINSPUL_OK)
        return status;
    query->first = query->n_states;
    status = probed_value(query, view, &probed, value);
    leave_cache(query);
    return status;
}

einspul_status query_outcome(struct query *query, const struct state *state,
                             einspul_outcome *outcome, int *plies)
{
    value_t value = VALUE_DRAW;
    query->metric = plies == NULL ? EINSPUL_WDL : EINSPUL_DTW;
    const einspul_status status = query_state(query, state, &value);
    einspul_status of_outcome = status;
    if (plies != NULL) {
        *plies = status == EINSPUL_OK ? value_plies(value) : -1;
        query->metric = EINSPUL_WDL;
        if (status == EINSPUL_NO_METRIC || status == EINSPUL_UNDECIDED)
            of_outcome = query_state(query, state, &value);
    }
    *outcome = of_outcome == EINSPUL_OK ? value_outcome(value) : EINSPUL_UNKNOWN;
    return of_outcome != EINSPUL_OK || *outcome == EINSPUL_DRAW ? of_outcome : status;
}

einspul_status query_position(const struct rules *rules, const einspul_position *position,
                              unsigned flags, struct state *state, einspul_error *error)
{
    if ((flags & ~(unsigned)(EINSPUL_CACHE_ONLY | EINSPUL_NO_CAPTURE)) != 0)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "unknown probe flags: %#x", flags);
    *state = state_of_position(position);
    const einspul_status status = position->reserved == 0 && state_is_simple(rules, state)
                                      ? EINSPUL_OK
                                      : state_from_position(rules, position, state, error);
#ifndef NDEBUG
    if (status == EINSPUL_OK && (flags & EINSPUL_NO_CAPTURE) != 0 &&
        placement_has_capture(rules, &state->at))
        return error_set(error, EINSPUL_BAD_ARGUMENT,
                         "EINSPUL_NO_CAPTURE, but the side to move has a capture");
#endif
    return status;
}

einspul_status einspul_probe(einspul *handle, const einspul_position *position, unsigned flags,
                             einspul_outcome *outcome, int *plies, einspul_error *error)
{
    struct query query = {.handle = handle,
                          .cached_only = (flags & EINSPUL_CACHE_ONLY) != 0,
                          .no_capture = (flags & EINSPUL_NO_CAPTURE) != 0,
                          .error = error};
    struct state state;
    einspul_outcome found = EINSPUL_UNKNOWN;
    einspul_status status = EINSPUL_OK;
    if (plies != NULL)
        *plies = -1;
    if (handle == NULL || position == NULL)
        status = error_set(error, EINSPUL_BAD_ARGUMENT, "a handle or a position is NULL");
    else
        status = query_position(&handle->rules, position, flags, &state, error);
    if (status == EINSPUL_OK)
        status = query_outcome(&query, &state, &found, plies);
    if (outcome != NULL)
        *outcome = found;
    return status;
}
