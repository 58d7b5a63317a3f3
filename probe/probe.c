/* Single probes. A state without a capture is looked up; captures are resolved by making them, and
 * a value that the table omits is that of its best move. */
#include "core/captures.h"
#include "probe/query.h"
#include "table/table_format.h"

/* --- looking up ------------------------------------------------------------------------------- */

/* The way to the values of a placement; opens the table if necessary. */
static einspul_status query_way(struct query *query, const struct placement *placement,
                                const struct way **way)
{
    *way = handle_known_way(query->handle, placement, query->metric);
    if (*way != NULL)
        return EINSPUL_OK;
    einspul_status status =
        query->error != NULL ? EINSPUL_OK : handle_absent(query->handle, placement, query->metric);
    if (status != EINSPUL_OK)
        return status;
    cache_leave(query->reader);
    status = handle_find_way(query->handle, placement, query->metric, query->cached_only, way,
                             query->error);
    query->reader = cache_enter(query->handle->cache);
    return status;
}

/* The value at a spot whose block is not in memory. */
static einspul_status fetch(struct query *query, const struct spot *spot, value_t *value)
{
    const struct opened *opened = spot->way->opened;
    const uint64_t number = (uint64_t)(spot->slot - opened->slots);
    struct cache *cache = query->handle->cache;

    if (query->cached_only) {
        cache_refuse(cache);
        return error_set(query->error, EINSPUL_NOT_CACHED, "%s: block %llu is not in memory",
                         path_text(opened->table->path), (unsigned long long)number);
    }
    cache_leave(query->reader);
    const einspul_status status =
        cache_decode(cache, spot->slot, opened->table, number, spot->place, (int)spot->run_state,
                     value, query->error);
    query->reader = cache_enter(cache);
    return status;
}

einspul_status query_read(struct query *query, const struct spot *spot, value_t *value)
{
    unsigned flags = 0;
    const struct block *block = cache_peek(spot->slot, &flags);
    if (!cache_holds(block, flags, spot->place))
        return fetch(query, spot, value);
    cache_count_hit(query->reader);
    *value = *spot_value(spot, block, flags);
    return EINSPUL_OK;
}

static einspul_status query_value(struct query *query, const struct state *state, value_t *value);

/* The value of a state from its moves, but `most` if they give a better one; so trying them ends
 * with the first that reaches it. An undecided move may be worth a draw instead, so the best one
 * has a least and a greatest value. */
static einspul_status try_moves(struct query *query, const struct state *state, value_t most,
                                value_t *value)
{
    const struct rules *rules = &query->handle->rules;
    struct move_list list;
    value_t least = VALUE_LOST;
    value_t greatest = VALUE_LOST;
    move_list_init(&list);
    einspul_status status = moves_generate(rules, state, &list);
    if (status != EINSPUL_OK)
        moves_error(status, query->error);
    for (int i = 0; i < list.n_moves && status == EINSPUL_OK && least < most; i++) {
        const struct state after = state_after(rules, state, &list.moves[i]);
        value_t after_value = VALUE_LOST;
        status = query_value(query, &after, &after_value);
        const bool undecided = status == EINSPUL_UNDECIDED;
        status = undecided ? EINSPUL_OK : status;
        const value_t before = value_before(after_value);
        const value_t low = undecided && before > VALUE_DRAW ? VALUE_DRAW : before;
        const value_t high = undecided && before < VALUE_DRAW ? VALUE_DRAW : before;
        least = low > least ? low : least;
        greatest = high > greatest ? high : greatest;
    }
    move_list_free(&list);
    *value = least < most ? least : most;
    if (status != EINSPUL_OK || least >= most || least == greatest)
        return status;
    *value = greatest > VALUE_DRAW ? greatest : least;
    return value_undecided(query->error);
}

/* The value of a state of a stored side with a run that is too long to be stored. A longer run
 * never helps its owner, so the value of the longest stored one bounds it: mostly one of the
 * first moves reaches that, and a loss needs none. Not with a clock, which may make moves worse
 * than that. */
static einspul_status try_bounded(struct query *query, const struct way *way,
                                  const struct state *state, value_t *value)
{
    struct state shorter = *state;
    struct spot spot;
    value_t most = VALUE_WIN_IN_1;
    einspul_status status = EINSPUL_OK;
    if (!state_has_clock(&query->handle->rules, state)) {
        shorter.run[state->at.side].count = (uint8_t)way->most_own_run;
        spot_find(&spot, way, &shorter);
        status = query_read(query, &spot, &most);
        if (query->metric == EINSPUL_WDL)
            most = value_sign(most);
    }
    return status == EINSPUL_OK ? try_moves(query, state, most, value) : status;
}

/* The value of a state whose side to move has no capture: as stored, or, if the table omits it,
 * from its moves. */
static einspul_status look_up(struct query *query, const struct state *state, value_t *value)
{
    const struct way *way = NULL;
    struct spot spot;
    const einspul_status status = query_way(query, &state->at, &way);
    if (status != EINSPUL_OK)
        return status;
    if (way_leaves_out(way, state))
        return way->most_own_run < 0 ? try_moves(query, state, VALUE_WIN_IN_1, value)
                                     : try_bounded(query, way, state, value);
    spot_find(&spot, way, state);
    return query_read(query, &spot, value);
}

/* --- resolving -------------------------------------------------------------------------------- */

/* Whether a capture also occurs earlier in a list, because there are several ways to make it. */
static bool is_repeated(const struct capture *list, int at)
{
    for (int i = 0; i < at; i++)
        if (list[i].captured == list[at].captured && list[i].to == list[at].to &&
            list[i].from == list[at].from)
            return true;
    return false;
}

/* Makes a capture; `*best` is the value of the best one so far. */
static einspul_status try_capture(struct query *query, const struct state *state,
                                  const struct capture *capture, value_t *best)
{
    struct state after;
    value_t after_value = VALUE_LOST;
    if (capture_takes_all(capture, &state->at)) {
        *best = VALUE_WIN_IN_1;
        return EINSPUL_OK;
    }
    state_after_capture(state, capture, &after);
    const einspul_status status = query_value(query, &after, &after_value);
    value_t before = value_before(after_value);
    if (query->metric == EINSPUL_WDL)
        before = value_sign(before);
    if (before > *best)
        *best = before;
    return status;
}

/* The captures of a state that are too many for captures_list. */
static einspul_status try_many(struct query *query, const struct state *state, value_t *best)
{
    struct move_list list;
    move_list_init(&list);
    einspul_status status = moves_captures(&query->handle->rules, &state->at, &list);
    if (status != EINSPUL_OK)
        moves_error(status, query->error);
    for (int i = 0; i < list.n_moves && status == EINSPUL_OK && *best < VALUE_WIN_IN_1; i++) {
        const struct move *move = &list.moves[i];
        const struct capture capture = {move->captured, move->from, move->to, move->by_king,
                                        move->promotes};
        status = try_capture(query, state, &capture, best);
    }
    move_list_free(&list);
    return status;
}

/* The value of a state without regard to its clock. */
static einspul_status find_raw(struct query *query, const struct state *state, value_t *value)
{
    struct capture list[CAPTURES_ROOM];
    einspul_status status = EINSPUL_OK;

    *value = VALUE_LOST;
    if (placement_own(&state->at, state->at.side) == 0)
        return EINSPUL_OK;
    const int n = captures_list(&query->handle->rules, &state->at, list);
    if (n == 0)
        return look_up(query, state, value);
    if (n == CAPTURES_MANY)
        status = try_many(query, state, value);
    for (int i = 0; i < n && status == EINSPUL_OK && *value < VALUE_WIN_IN_1; i++)
        if (!is_repeated(list, i))
            status = try_capture(query, state, &list[i], value);
    return status;
}

/* The value of a state with a running clock: its raw value, always with distance, is compared with
 * the limit. Captures lead to KvK or end the game, so the distances of KvK are needed, which every
 * table of it has. */
static einspul_status find_limited(struct query *query, const struct state *state, value_t *value)
{
    const einspul_metric metric = query->metric;
    query->metric = EINSPUL_DTW;
    const einspul_status status = find_raw(query, state, value);
    query->metric = metric;
    if (status == EINSPUL_OK && !query->raw)
        *value = value_limited(*value, query->handle->rules.two_kings_limit, state->clock,
                               state_limited_side(state) == state->at.side);
    return status;
}

/* The value where the limit is reached: a draw, unless the game has ended. */
static einspul_status at_limit(struct query *query, const struct state *state, value_t *value)
{
    struct move_list list;
    move_list_init(&list);
    const einspul_status status = moves_generate(&query->handle->rules, state, &list);
    *value = list.n_moves == 0 ? VALUE_LOST : VALUE_DRAW;
    move_list_free(&list);
    return status == EINSPUL_OK ? status : moves_error(status, query->error);
}

/* What was found of all material with few pieces (docs/rules.md): best play is quiet for so many
 * plies at most before a man moves, a piece is captured or the game ends. */
enum { FEW_PIECES = 5, LONGEST_QUIET = 22 };

/* Whether the limit of quiet play cannot change an outcome. */
static bool quiet_limit_is_idle(const struct rules *rules, const struct state *state)
{
    return squares_count(placement_occupied(&state->at)) <= FEW_PIECES &&
           state->clock + LONGEST_QUIET <= rules->quiet_limit;
}

/* Whether it cannot change a distance either: nothing counts yet, or a side of men alone ends the
 * count with every move. */
static bool quiet_limit_is_far(const struct rules *rules, const struct state *state)
{
    const struct placement *at = &state->at;
    const bool is_ended = at->kings[at->side] == 0 || (at->kings[side_other(at->side)] == 0 &&
                                                       state->clock + 1 < rules->quiet_limit);
    return squares_count(placement_occupied(at)) <= FEW_PIECES && (state->clock == 0 || is_ended);
}

/* The value of a state without captures under the limit of quiet play. A win that takes no longer
 * than what is left is certain. Otherwise that depends on when men move or pieces are captured on
 * the way, which no table stores: the state is undecided. */
static einspul_status find_quiet(struct query *query, const struct state *state, value_t *value)
{
    const struct rules *rules = &query->handle->rules;
    const einspul_metric metric = query->metric;
    const bool certain = quiet_limit_is_far(rules, state) ||
                         (metric == EINSPUL_WDL && quiet_limit_is_idle(rules, state));
    bool told = true;
    if (!certain)
        query->metric = EINSPUL_DTW;
    einspul_status status = look_up(query, state, value);
    query->metric = metric;
    if (status == EINSPUL_NO_METRIC && metric == EINSPUL_WDL) {
        told = false;
        status = look_up(query, state, value);
    }
    if (status != EINSPUL_OK || certain || *value == VALUE_DRAW ||
        (told && value_plies(*value) <= rules->quiet_limit - state->clock))
        return status;
    return value_undecided(query->error);
}

/* The value of a state whose clock counts, but for Article 18. Captures may keep it, so they are
 * made by the mover. */
static einspul_status find_clocked(struct query *query, const struct state *state, value_t *value)
{
    const struct rules *rules = &query->handle->rules;
    if (placement_own(&state->at, state->at.side) == 0) {
        *value = VALUE_LOST;
        return EINSPUL_OK;
    }
    if (state_is_drawn(rules, state))
        return at_limit(query, state, value);
    if (placement_has_capture(rules, &state->at))
        return try_moves(query, state, VALUE_WIN_IN_1, value);
    return placement_limit(rules, &state->at) == rules->quiet_limit
               ? find_quiet(query, state, value)
               : look_up(query, state, value);
}

static einspul_status find_value(struct query *query, const struct state *state, value_t *value)
{
    const struct rules *rules = &query->handle->rules;
    if (!state_has_clock(rules, state))
        return find_raw(query, state, value);
    return rules->two_kings_limit > 0 ? find_limited(query, state, value)
                                      : find_clocked(query, state, value);
}

/* --- keeping ---------------------------------------------------------------------------------- */

/* What the value of a state is kept under: different for every state and metric. 0: it is not kept,
 * as it is stored or depends on a limit, or its table is not open, too large, or omits no side. */
static uint64_t answer_key(const einspul *handle, const struct state *state, einspul_metric metric)
{
    enum { INDEX_BITS = 43, RUN_BITS = 5, NUMBER_BITS = 8 };
    const struct way *way =
        handle_keeps_answers(handle, metric) ? handle_known_way(handle, &state->at, metric) : NULL;
    if (way == NULL || way->number == 0 || way->has_clock || state->limited != 0 ||
        (state->clock != 0 && handle->rules.quiet_limit == 0) ||
        !(way_leaves_out(way, state) || placement_has_capture(&handle->rules, &state->at)))
        return 0;
    uint64_t key = way_index(way, state);
    if (key >> INDEX_BITS != 0)
        return 0;
    /* Where quiet play has a limit, runs have none. */
    if (handle->rules.quiet_limit > 0)
        key = key << 2 * RUN_BITS | state->clock;
    else
        for (int side = WHITE; side <= BLACK; side++)
            key = key << RUN_BITS | run_either_way(state->at.kings[side], state->run[side], false);
    key = key << 3 | (unsigned)way->turned << 2 | (unsigned)state->at.side << 1 |
          (metric == EINSPUL_DTW);
    return key << NUMBER_BITS | way->number;
}

/* The key of a state that a probe meets; 0: its value is not kept. */
static uint64_t key_of(struct query *query, const struct state *state)
{
    if (query->raw || (query->n_states > 1 && query->n_states <= QUICK_STATES))
        return 0;
    if (query->n_states > QUICK_STATES) { /* other threads may be waiting to evict */
        cache_leave(query->reader);
        query->reader = cache_enter(query->handle->cache);
    }
    return answer_key(query->handle, state, query->metric);
}

static einspul_status query_value(struct query *query, const struct state *state, value_t *value)
{
    enum { WORTH_KEEPING = 8 }; /* a value that took fewer states is found again as fast */
    const uint32_t before = query->n_states++;
    const uint64_t key = key_of(query, state);
    if (key != 0 && answers_find(query->handle->answers, key, value))
        return EINSPUL_OK;
    const einspul_status status = find_value(query, state, value);
    if (query->metric == EINSPUL_WDL)
        *value = value_sign(*value);
    if (key != 0 && status == EINSPUL_OK && query->n_states - before > WORTH_KEEPING)
        answers_add(query->handle->answers, key, *value);
    return status;
}

einspul_status query_state(struct query *query, const struct state *state, value_t *value)
{
    const bool over = placement_own(&state->at, state->at.side) == 0;
    einspul_status status =
        over ? EINSPUL_OK : handle_check_pieces(query->handle, &state->at, query->error);
    if (status != EINSPUL_OK)
        return status;
    query->reader = cache_enter(query->handle->cache);
    status = query_value(query, state, value);
    cache_leave(query->reader);
    return status;
}

/* Why a state has no value, where that is known without a look into the cache, as of most states a
 * search asks for: no table of its material, and no capture into another. */
static einspul_status known_refusal(const einspul *handle, const struct state *state,
                                    einspul_metric metric)
{
    const einspul_status status = handle_absent(handle, &state->at, metric);
    return status == EINSPUL_OK || state_has_clock(&handle->rules, state) ||
                   placement_has_capture(&handle->rules, &state->at)
               ? EINSPUL_OK
               : status;
}

static einspul_status answer(einspul *handle, const struct state *state, einspul_metric metric,
                             bool cached_only, value_t *value, einspul_error *error)
{
    struct query query = {
        .handle = handle,
        .metric = metric,
        .cached_only = cached_only,
        .error = error,
    };
    const einspul_status status = error == NULL ? known_refusal(handle, state, metric) : EINSPUL_OK;
    return status != EINSPUL_OK ? status : query_state(&query, state, value);
}

einspul_status probe_state(einspul *handle, const struct state *state, einspul_metric metric,
                           unsigned flags, value_t *value, einspul_error *error)
{
    if ((flags & ~(unsigned)EINSPUL_CACHE_ONLY) != 0)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "unknown flags of a probe: %#x", flags);
    return answer(handle, state, metric, flags != 0, value, error);
}

/* --- probes of positions ---------------------------------------------------------------------- */

einspul_status probe_position(einspul *handle, const einspul_position *position,
                              einspul_metric metric, unsigned flags, einspul_outcome *outcome,
                              int *plies, einspul_error *error)
{
    struct state state;
    value_t value = VALUE_DRAW;
    einspul_status status = state_from_position(&handle->rules, position, &state, error);
    if (status == EINSPUL_OK)
        status = probe_state(handle, &state, metric, flags, &value, error);
    if (status != EINSPUL_OK)
        return status;
    *outcome = value_outcome(value);
    if (plies != NULL && metric == EINSPUL_DTW)
        *plies = value_plies(value);
    return EINSPUL_OK;
}

einspul_outcome einspul_probe(einspul *handle, const einspul_position *position, unsigned flags,
                              int *plies)
{
    einspul_outcome outcome = EINSPUL_UNKNOWN;
    if (plies != NULL)
        *plies = -1;
    if (handle == NULL || position == NULL)
        return EINSPUL_UNKNOWN;
    einspul_status status = EINSPUL_NO_METRIC;
    if (plies != NULL)
        status = probe_position(handle, position, EINSPUL_DTW, flags, &outcome, plies, NULL);
    if (status == EINSPUL_NO_METRIC || status == EINSPUL_UNDECIDED)
        probe_position(handle, position, EINSPUL_WDL, flags, &outcome, NULL, NULL);
    return outcome;
}

einspul_status einspul_why(einspul *handle, const einspul_position *position, einspul_metric metric,
                           unsigned flags, einspul_error *error)
{
    einspul_outcome outcome = EINSPUL_UNKNOWN;
    if (handle == NULL || position == NULL)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "a handle or a position is NULL");
    if (metric != EINSPUL_WDL && metric != EINSPUL_DTW)
        return error_set(error, EINSPUL_BAD_ARGUMENT, "unknown metric: %d", (int)metric);
    return probe_position(handle, position, metric, flags, &outcome, NULL, error);
}
