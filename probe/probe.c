#include "core/captures.h"
#include "probe/handle.h"
#include "probe/table_format.h"

/* What a probe asks for; the same through its whole recursion. */
struct query {
    einspul *handle;
    struct reader *reader; /* what it finds in the cache is pinned */
    enum metric metric;
    bool raw; /* without the limit of limited material */
    bool cached_only;
    struct error *error;
};

/* --- looking up ---------------------------------------------------------------------------------
 */

/* Where a value stands. */
struct spot {
    const struct way *way;
    struct cache_slot *slot;
    uint32_t place;
    uint32_t run_state;
};

/* The index of a side's run, 0 for none. In a table that is turned, kings count from the other end.
 */
static inline uint32_t run_number(squares_t kings, struct run run, bool turned)
{
    const squares_t before =
        turned ? kings >> run.square >> 1 : kings & (square_bit(run.square) - 1);
    return run.count == 0 ? 0 : 3 * (uint32_t)squares_count(before) + run.count;
}

/* What shape_rank and shape_run_index say, square by square, without turning the board first. */
static inline void find_spot(const struct way *way, const struct state *state, struct spot *spot)
{
    squares_t sets[4] = {state->at.men[WHITE], state->at.men[BLACK], state->at.kings[WHITE],
                         state->at.kings[BLACK]};
    const int flip = way->turned ? -1 : 0;
    uint64_t index = 0;

    for (int i = 0; i < way->n_pieces; i++) {
        const struct term *term = &way->terms[i];
        const squares_t left = sets[term->set];
        sets[term->set] = left & (left - 1);
        index += term->weight * pascal[(squares_first(left) ^ flip) + term->add][term->k];
    }
    spot->way = way;
    spot->slot = &way->slots[index >> way->place_bits];
    spot->place = (uint32_t)(index & (((uint64_t)1 << way->place_bits) - 1));
    spot->run_state = 0;
    if (way->n_run_states > 1)
        for (int side = WHITE; side <= BLACK; side++)
            spot->run_state += way->run_weight[side] *
                               run_number(state->at.kings[side], state->run[side], way->turned);
}

/* A way that may still have to be opened. */
static enum status find_way(struct query *query, const struct placement *placement,
                            const struct way **way)
{
    cache_leave(query->reader);
    const enum status status = handle_find_way(query->handle, placement, query->metric,
                                               query->cached_only, way, query->error);
    query->reader = cache_enter(query->handle->cache);
    return status;
}

/* The value at a spot whose block is not in memory. */
static enum status fetch(struct query *query, const struct spot *spot, value_t *value)
{
    const struct opened *opened = spot->way->opened;
    const uint64_t number = (uint64_t)(spot->slot - opened->slots);
    struct cache *cache = query->handle->cache;

    if (query->cached_only) {
        cache_refuse(cache);
        return error_set(query->error, STATUS_NOT_CACHED, "%s: block %llu is not in memory",
                         path_text(table_path(opened->table)), (unsigned long long)number);
    }
    cache_leave(query->reader);
    const enum status status = cache_decode(cache, spot->slot, opened->table, number, spot->place,
                                            (int)spot->run_state, value, query->error);
    query->reader = cache_enter(cache);
    return status;
}

/* The stored value of a state whose side to move has no capture. */
static enum status look_up(struct query *query, const struct state *state, value_t *value)
{
    const struct way *way = handle_known_way(query->handle, &state->at, query->metric);
    struct spot spot;
    bool wide = false;
    if (way == NULL) {
        const enum status status = find_way(query, &state->at, &way);
        if (status != STATUS_OK)
            return status;
    }
    find_spot(way, state, &spot);
    const struct block *block = cache_peek(spot.slot, &wide);
    if (block == NULL)
        return fetch(query, &spot, value);
    cache_count_hit(query->reader);
    *value =
        block
            ->patterns[block_pattern(block, wide, spot.place) * way->n_run_states + spot.run_state];
    return STATUS_OK;
}

/* --- resolving ----------------------------------------------------------------------------------
 */

static enum status find_value(struct query *query, const struct state *state, value_t *value);

/* The best capture, by making each of them; `list` has the first of `n`. */
static enum status resolve_captures(struct query *query, const struct state *state, int n,
                                    struct capture list[CAPTURES_ROOM], value_t *value)
{
    value_t best = VALUE_LOST;
    for (int i = 0; i < n && best < VALUE_WIN_IN_1; i++) {
        if (i > 0 && i % CAPTURES_ROOM == 0)
            captures_list(&query->handle->rules, &state->at, i, list);
        const struct state after = state_after_capture(state, &list[i % CAPTURES_ROOM]);
        value_t after_value = VALUE_LOST;
        const enum status status = find_value(query, &after, &after_value);
        if (status != STATUS_OK)
            return status;
        value_t before = value_before(after_value);
        if (query->metric == METRIC_WDL)
            before = value_sign(before);
        if (before > best)
            best = before;
    }
    *value = best;
    return STATUS_OK;
}

/* The raw value of limited material, always with its distance. Its captures lead to KvK or end the
 * game, so the distances of KvK are needed, which any table of it has. */
static enum status find_limited(struct query *query, const struct state *state, value_t *value)
{
    const enum metric metric = query->metric;
    struct capture list[CAPTURES_ROOM];
    query->metric = METRIC_DTW;
    const int n = captures_list(&query->handle->rules, &state->at, 0, list);
    const enum status status =
        n > 0 ? resolve_captures(query, state, n, list, value) : look_up(query, state, value);
    query->metric = metric;
    if (status == STATUS_OK && !query->raw)
        *value = value_limited(*value, query->handle->rules.two_kings_limit, state->clock,
                               squares_count(state->at.kings[state->at.side]) == 2);
    return status;
}

/* The value of a state for the side to move; with METRIC_WDL its sign. */
static enum status find_value(struct query *query, const struct state *state, value_t *value)
{
    const struct rules *rules = &query->handle->rules;
    struct capture list[CAPTURES_ROOM];
    enum status status = STATUS_OK;

    if (placement_own(&state->at, state->at.side) == 0) {
        *value = VALUE_LOST;
        return STATUS_OK;
    }
    if (placement_has_clock(rules, &state->at)) {
        status = find_limited(query, state, value);
    } else {
        const int n = captures_list(rules, &state->at, 0, list);
        status =
            n > 0 ? resolve_captures(query, state, n, list, value) : look_up(query, state, value);
    }
    if (status == STATUS_OK && query->metric == METRIC_WDL)
        *value = value_sign(*value);
    return status;
}

static enum status answer(einspul *handle, const struct state *state, enum metric metric,
                          bool cached_only, bool raw, value_t *value, struct error *error)
{
    struct query query = {
        .handle = handle,
        .reader = cache_enter(handle->cache),
        .metric = metric,
        .raw = raw,
        .cached_only = cached_only,
        .error = error,
    };
    const enum status status = find_value(&query, state, value);
    cache_leave(query.reader);
    return status;
}

enum status probe_state(einspul *handle, const struct state *state, enum metric metric,
                        unsigned flags, value_t *value, struct error *error)
{
    return answer(handle, state, metric, (flags & EINSPUL_CACHE_ONLY) != 0, false, value, error);
}

enum status probe_raw(einspul *handle, const struct state *state, value_t *value,
                      struct error *error)
{
    return answer(handle, state, METRIC_DTW, false, true, value, error);
}

enum status probe_table(einspul *handle, const struct material *material, enum metric metric,
                        const struct table **table, struct error *error)
{
    const struct opened *opened = NULL;
    const enum status status = handle_table(handle, material, metric, false, &opened, error);
    *table = status == STATUS_OK ? opened->table : NULL;
    return status;
}

/* --- public probes ------------------------------------------------------------------------------
 */

static einspul_status probe_position(einspul *handle, const einspul_position *position,
                                     enum metric metric, unsigned flags, value_t *value,
                                     einspul_error *error)
{
    struct error own;
    struct error *inner = error == NULL ? NULL : &own;
    struct state state;
    enum status status = probe_state_from_position(handle, position, &state, inner);
    if (status == STATUS_OK)
        status = probe_state(handle, &state, metric, flags, value, inner);
    return public_error(status, &own, error);
}

einspul_status einspul_probe_wdl(einspul *handle, const einspul_position *position, unsigned flags,
                                 einspul_outcome *outcome, einspul_error *error)
{
    value_t value = VALUE_DRAW;
    const einspul_status status =
        probe_position(handle, position, METRIC_WDL, flags, &value, error);
    if (status == EINSPUL_OK)
        *outcome = (einspul_outcome)value_outcome(value);
    return status;
}

einspul_status einspul_probe_dtw(einspul *handle, const einspul_position *position, unsigned flags,
                                 einspul_outcome *outcome, int *plies, einspul_error *error)
{
    value_t value = VALUE_DRAW;
    const einspul_status status =
        probe_position(handle, position, METRIC_DTW, flags, &value, error);
    if (status == EINSPUL_OK) {
        *outcome = (einspul_outcome)value_outcome(value);
        *plies = value_plies(value);
    }
    return status;
}
