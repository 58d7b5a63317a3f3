#include "probe/handle.h"

/* What a probe asks for; the same through its whole recursion. */
struct query {
    einspul *handle;
    enum metric metric;
    bool raw; /* without the limit of limited material */
    bool cached_only;
    struct error *error;
};

static enum status find_value(const struct query *query, const struct state *state, value_t *value);

static bool side_is_empty(const struct placement *placement)
{
    return placement_own(placement, placement->side) == 0;
}

static bool has_two_kings(const struct placement *placement)
{
    return squares_count(placement->kings[placement->side]) == 2;
}

/* --- looking up ---------------------------------------------------------------------------------
 */

/* The stored value of a state whose side to move has no capture. */
static enum status look_up(const struct query *query, const struct state *state, enum metric metric,
                           value_t *value)
{
    einspul *handle = query->handle;
    const struct opened *opened = NULL;
    struct material material = material_of(&state->at);
    struct state turned;

    if (material_pieces(&material) > MAX_PIECES)
        return error_set(query->error, STATUS_NO_TABLE, "no table of %d pieces, %d at most (%s)",
                         material_pieces(&material), MAX_PIECES, handle->rules.name);
    if (!material_is_canonical(&material)) {
        turned = state_turn(&handle->rules.board, state);
        state = &turned;
        material = material_turn(&material);
    } else if (state->at.side == BLACK && material_is_symmetric(&material)) {
        turned = state_turn(&handle->rules.board, state);
        state = &turned;
    }
    const enum status status =
        handle_table(handle, &material, metric, query->cached_only, &opened, query->error);
    if (status != STATUS_OK)
        return status;
    const struct shape *shape = &opened->shape;
    const uint64_t index = shape_rank(shape, &state->at);
    const uint64_t number =
        (uint64_t)state->at.side * opened->blocks_per_side + (index >> opened->place_bits);
    const uint32_t place = (uint32_t)(index & (((uint64_t)1 << opened->place_bits) - 1));
    const int run_state = shape->n_run_states > 1 ? shape_run_index(shape, state) : 0;
    return cache_value(handle->cache, &opened->slots[number], opened->table, number, place,
                       run_state, query->cached_only, value, query->error);
}

/* The best capture, by making each of them. */
static enum status resolve_captures(const struct query *query, const struct state *state,
                                    value_t *value)
{
    const struct rules *rules = &query->handle->rules;
    struct move_list list;
    value_t best = VALUE_LOST;

    move_list_init(&list);
    enum status status = moves_captures(rules, &state->at, &list);
    if (status != STATUS_OK)
        error_set(query->error, status, "no memory for a list of moves");
    for (int i = 0; i < list.n_moves && status == STATUS_OK && best < VALUE_WIN_IN_1; i++) {
        const struct state after = state_after(rules, state, &list.moves[i]);
        value_t after_value = VALUE_LOST;
        status = find_value(query, &after, &after_value);
        value_t before = value_before(after_value);
        if (query->metric == METRIC_WDL)
            before = value_sign(before);
        if (before > best)
            best = before;
    }
    move_list_free(&list);
    *value = best;
    return status;
}

/* The raw value of limited material, always with its distance. Its captures lead to KvK or end the
 * game, so the distances of KvK are needed, which any table of it has. */
static enum status find_raw(const struct query *query, const struct state *state, value_t *value)
{
    struct query exact = *query;
    exact.metric = METRIC_DTW;
    if (placement_has_capture(&query->handle->rules, &state->at))
        return resolve_captures(&exact, state, value);
    return look_up(&exact, state, METRIC_DTW, value);
}

/* The value of a state for the side to move; with METRIC_WDL its sign. */
static enum status find_value(const struct query *query, const struct state *state, value_t *value)
{
    const struct rules *rules = &query->handle->rules;
    enum status status = STATUS_OK;

    if (side_is_empty(&state->at)) {
        *value = VALUE_LOST;
        return STATUS_OK;
    }
    if (placement_has_clock(rules, &state->at)) {
        status = find_raw(query, state, value);
        if (status == STATUS_OK && !query->raw)
            *value = value_limited(*value, rules->two_kings_limit, state->clock,
                                   has_two_kings(&state->at));
    } else if (placement_has_capture(rules, &state->at)) {
        status = resolve_captures(query, state, value);
    } else {
        status = look_up(query, state, query->metric, value);
    }
    if (status == STATUS_OK && query->metric == METRIC_WDL)
        *value = value_sign(*value);
    return status;
}

enum status probe_state(einspul *handle, const struct state *state, enum metric metric,
                        unsigned flags, value_t *value, struct error *error)
{
    const struct query query = {
        .handle = handle,
        .metric = metric,
        .cached_only = (flags & EINSPUL_CACHE_ONLY) != 0,
        .error = error,
    };
    return find_value(&query, state, value);
}

enum status probe_raw(einspul *handle, const struct state *state, value_t *value,
                      struct error *error)
{
    const struct query query = {
        .handle = handle,
        .metric = METRIC_DTW,
        .raw = true,
        .error = error,
    };
    return find_value(&query, state, value);
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
