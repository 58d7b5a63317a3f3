/* All legal moves of a position with their outcomes, best first. */
#include "probe/replies.h"

#include <stdlib.h>

/* A legal move by its index in the list, with its value for the side that makes it. */
struct ranked {
    const struct move *move;
    value_t value;
    int plies;                    /* of the move and what follows; -1: not known */
    struct probe_replies replies; /* n = 0: not weighed */
    bool untold; /* the outcome alone is certain: its distance is longer than any that is told */
};

/* Best first, then by replies where they are weighed, then in the order of squares. */
static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *first = a;
    const struct ranked *second = b;
    if (first->value != second->value)
        return first->value > second->value ? -1 : 1;
    if (replies_are_better(&first->replies, &second->replies))
        return -1;
    if (replies_are_better(&second->replies, &first->replies))
        return 1;
    return move_compare(first->move, second->move);
}

/* The value of a move from that of the state after it. The state has runs and clock, so this agrees
 * with a probe of that state. */
static einspul_status rank_move(struct query *query, const struct state *state,
                                struct ranked *ranked)
{
    const struct state after = state_after(&query->handle->rules, state, ranked->move);
    const einspul_metric metric = query->metric;
    value_t value = VALUE_LOST;
    value_t best = VALUE_LOST;
    einspul_status status = query_both(query, &after, &value, &best);
    if (status == EINSPUL_OK && value != best && metric == EINSPUL_DTW) {
        ranked->untold = true;
        query->metric = EINSPUL_WDL;
        status = query_both(query, &after, &value, &best);
        query->metric = metric;
    }
    if (status != EINSPUL_OK)
        return status;
    if (value != best)
        return value_open(query->error);
    if (ranked->untold) {
        ranked->value = value > VALUE_DRAW ? VALUE_DRAW - 1 : VALUE_LONGEST_WIN;
        return EINSPUL_OK;
    }
    ranked->value = metric == EINSPUL_WDL ? value_sign(value_before(value)) : value_before(value);
    if (metric == EINSPUL_DTW && value != VALUE_DRAW)
        ranked->plies = value_plies(value) + 1; /* also where no value is a ply before it */
    return EINSPUL_OK;
}

/* All moves share the bound on work and the memory of one probe. Where the game is over, drawn
 * by a limit, no move is worth more than that. */
static einspul_status rank_moves(einspul *handle, const struct state *state,
                                 const struct move_list *list, einspul_metric metric,
                                 struct ranked *ranked, einspul_error *error)
{
    struct query query = {.handle = handle, .metric = metric, .error = error};
    const bool drawn = state_is_drawn(&handle->rules, state);
    einspul_status status = EINSPUL_OK;
    for (int i = 0; i < list->n_moves && status == EINSPUL_OK; i++) {
        ranked[i] = (struct ranked){.move = &list->moves[i], .value = VALUE_DRAW, .plies = -1};
        if (!drawn)
            status = rank_move(&query, state, &ranked[i]);
    }
    query_finish(&query);
    return status;
}

/* Weighs the replies to moves without a distance, as far as their groups of equal value begin
 * among the first `capacity`, and sorts again. A move alone is weighed only where its replies
 * are asked for. */
static void order_alike(einspul *handle, const struct state *state, einspul_metric metric,
                        struct ranked *ranked, size_t n, size_t capacity, bool alone)
{
    struct query query = {.handle = handle, .metric = EINSPUL_WDL};
    const struct rules *rules = &handle->rules;
    for (size_t begin = 0, end = 0; begin < n && begin < capacity; begin = end) {
        while (end < n && ranked[end].value == ranked[begin].value)
            end++;
        if ((metric == EINSPUL_DTW && ranked[begin].value != VALUE_DRAW) ||
            (end - begin == 1 && !alone))
            continue;
        for (size_t i = begin; i < end; i++) {
            const struct state after = state_after(rules, state, ranked[i].move);
            replies_weigh(rules, &query, &after, value_outcome(ranked[i].value),
                          &ranked[i].replies);
        }
        qsort(ranked + begin, end - begin, sizeof *ranked, compare_ranked);
    }
}

einspul_status probe_moves(einspul *handle, const einspul_position *position, einspul_move *moves,
                           struct probe_replies *replies, size_t capacity, size_t *n_moves,
                           einspul_error *error)
{
    einspul_error own = {EINSPUL_OK, ""};
    struct move_list list;
    struct ranked *ranked = NULL;
    struct state state;
    einspul_metric metric = EINSPUL_DTW;

    if (n_moves != NULL)
        *n_moves = 0;
    if (handle == NULL || position == NULL || n_moves == NULL || (moves == NULL && capacity > 0))
        return null_argument("a handle, a position or a place for the moves", error);
    move_list_init(&list);
    einspul_status status = state_from_position(&handle->rules, position, &state, &own);
    if (status != EINSPUL_OK)
        goto cleanup;
    status = moves_generate(&handle->rules, &state, &list);
    const size_t n = (size_t)list.n_moves;
    if (status == EINSPUL_OK) {
        ranked = malloc((n + 1) * sizeof *ranked);
        status = ranked == NULL ? EINSPUL_NO_MEMORY : EINSPUL_OK;
    }
    if (status != EINSPUL_OK) {
        moves_error(status, &own);
        goto cleanup;
    }
    status = rank_moves(handle, &state, &list, metric, ranked, &own);
    if (status == EINSPUL_NO_METRIC) {
        metric = EINSPUL_WDL;
        status = rank_moves(handle, &state, &list, metric, ranked, &own);
    }
    if (status != EINSPUL_OK)
        goto cleanup;
    qsort(ranked, n, sizeof *ranked, compare_ranked);
    order_alike(handle, &state, metric, ranked, n, capacity, replies != NULL);
    *n_moves = n;
    for (size_t i = 0; i < n && i < capacity; i++) {
        public_move(&handle->rules, &state, &list, ranked[i].move, &moves[i]);
        moves[i].outcome = value_outcome(ranked[i].value);
        moves[i].plies = ranked[i].plies;
        if (replies != NULL)
            replies[i] = ranked[i].replies;
    }
cleanup:
    free(ranked);
    move_list_free(&list);
    return public_error(status, &own, error);
}

einspul_status einspul_probe_moves(einspul *handle, const einspul_position *position,
                                   einspul_move *moves, size_t capacity, size_t *n_moves,
                                   einspul_error *error)
{
    return probe_moves(handle, position, moves, NULL, capacity, n_moves, error);
}
