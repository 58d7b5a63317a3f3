#include "core/fen.h"
#include "probe/handle.h"

#include <stdlib.h>

_Static_assert((int)EINSPUL_MOVE_TEXT_SIZE == MOVE_TEXT_SIZE, "the room is what move_write needs");

/* A legal move by its number in the list, and what it is worth to the side that makes it. */
struct ranked {
    const struct move *move;
    value_t value;
};

/* Best first, then in the order of squares. */
static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *first = a;
    const struct ranked *second = b;
    if (first->value != second->value)
        return first->value > second->value ? -1 : 1;
    if (first->move->from != second->move->from)
        return first->move->from < second->move->from ? -1 : 1;
    if (first->move->to != second->move->to)
        return first->move->to < second->move->to ? -1 : 1;
    return first->move->captured < second->move->captured   ? -1
           : first->move->captured > second->move->captured ? 1
                                                            : 0;
}

/* What a move is worth to its side. A capture that ends limited material does not end its limit:
 * the win it allows the other side may come too late. */
static enum status rank_move(einspul *handle, const struct state *state, const struct move *move,
                             enum metric metric, value_t *value, struct error *error)
{
    const struct rules *rules = &handle->rules;
    const struct state after = state_after(rules, state, move);
    const bool leaves_limit =
        placement_has_clock(rules, &state->at) && !placement_has_clock(rules, &after.at);
    value_t after_value = VALUE_LOST;
    enum status status = STATUS_OK;

    if (placement_own(&after.at, after.at.side) != 0)
        status = leaves_limit ? probe_raw(handle, &after, &after_value, error)
                              : probe_state(handle, &after, metric, 0, &after_value, error);
    if (status != STATUS_OK)
        return status;
    *value = value_before(after_value);
    if (leaves_limit)
        *value = value_limited(*value, rules->two_kings_limit, state->clock,
                               squares_count(state->at.kings[state->at.side]) == 2);
    if (metric == METRIC_WDL)
        *value = value_sign(*value);
    return STATUS_OK;
}

static enum status rank_moves(einspul *handle, const struct state *state,
                              const struct move_list *list, enum metric metric,
                              struct ranked *ranked, struct error *error)
{
    enum status status = STATUS_OK;
    for (int i = 0; i < list->n_moves && status == STATUS_OK; i++) {
        ranked[i].move = &list->moves[i];
        status = rank_move(handle, state, &list->moves[i], metric, &ranked[i].value, error);
    }
    return status;
}

static void fill_move(const struct rules *rules, const struct state *state,
                      const struct move_list *list, const struct ranked *ranked, enum metric metric,
                      einspul_move *move)
{
    const struct state after = state_after(rules, state, ranked->move);
    move_write(list, ranked->move, move->text);
    probe_position_from_state(&after, &move->after);
    move->outcome = (einspul_outcome)value_outcome(ranked->value);
    move->plies = metric == METRIC_DTW ? value_plies(ranked->value) : -1;
}

einspul_status einspul_probe_moves(einspul *handle, const einspul_position *position,
                                   einspul_move *moves, size_t capacity, size_t *n_moves,
                                   einspul_error *error)
{
    struct error own = {STATUS_OK, ""};
    struct move_list list;
    struct ranked *ranked = NULL;
    struct state state;
    enum metric metric = METRIC_DTW;

    *n_moves = 0;
    move_list_init(&list);
    enum status status = probe_state_from_position(handle, position, &state, &own);
    if (status != STATUS_OK)
        goto cleanup;
    status = moves_generate(&handle->rules, &state, &list);
    const size_t n = (size_t)list.n_moves;
    if (status == STATUS_OK)
        ranked = malloc((n + 1) * sizeof *ranked);
    if (ranked == NULL) {
        status = error_set(&own, STATUS_NO_MEMORY, "no memory for a list of moves");
        goto cleanup;
    }
    status = rank_moves(handle, &state, &list, metric, ranked, &own);
    if (status == STATUS_NO_METRIC) {
        metric = METRIC_WDL;
        status = rank_moves(handle, &state, &list, metric, ranked, &own);
    }
    if (status != STATUS_OK)
        goto cleanup;
    qsort(ranked, n, sizeof *ranked, compare_ranked);
    *n_moves = n;
    for (size_t i = 0; i < n && i < capacity; i++)
        fill_move(&handle->rules, &state, &list, &ranked[i], metric, &moves[i]);
cleanup:
    free(ranked);
    move_list_free(&list);
    return public_error(status, &own, error);
}
