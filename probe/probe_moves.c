/* All legal moves of a position with their outcomes, best first. */
#include "probe/replies.h"

#include <stdlib.h>

/* A legal move by its index in the list, with its value for the side that makes it. */
struct ranked {
    const struct move *move;
    value_t value;
    int plies;                    /* of the move and what follows; -1: not known */
    struct probe_replies replies; /* n = 0: not weighed */
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
 * with a probe of that state. An undecided distance counts as longer than any other. */
static einspul_status rank_move(struct query *query, const struct state *state,
                                struct ranked *ranked)
{
    const struct state after = state_after(&query->handle->rules, state, ranked->move);
    const einspul_metric metric = query->metric;
    value_t value = VALUE_LOST;
    einspul_status status = query_state(query, &after, &value);
    if (status == EINSPUL_UNDECIDED && metric == EINSPUL_DTW) {
        query->metric = EINSPUL_WDL;
        status = query_state(query, &after, &value);
        query->metric = metric;
        ranked->value = value > VALUE_DRAW   ? VALUE_DRAW - 1
                        : value < VALUE_DRAW ? VALUE_LONGEST_WIN
                                             : VALUE_DRAW;
        return status;
    }
    if (status != EINSPUL_OK)
        return status;
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

/* The ranked moves of a position. Released with ranking_free, also after an error. */
struct ranking {
    struct state state;
    struct move_list list;
    struct ranked *ranked;
    einspul_metric metric;
};

static void ranking_free(struct ranking *ranking)
{
    free(ranking->ranked);
    move_list_free(&ranking->list);
}

/* Ranks all moves, and orders those alike among the first `capacity`. */
static einspul_status rank_position(einspul *handle, const einspul_position *position,
                                    size_t capacity, bool alone, struct ranking *ranking,
                                    einspul_error *error)
{
    const struct rules *rules = &handle->rules;
    ranking->ranked = NULL;
    ranking->metric = EINSPUL_DTW;
    move_list_init(&ranking->list);
    einspul_status status = state_from_position(rules, position, &ranking->state, error);
    if (status != EINSPUL_OK)
        return status;
    status = moves_generate(rules, &ranking->state, &ranking->list);
    const size_t n = (size_t)ranking->list.n_moves;
    if (status == EINSPUL_OK) {
        ranking->ranked = malloc((n + 1) * sizeof *ranking->ranked);
        status = ranking->ranked == NULL ? EINSPUL_NO_MEMORY : EINSPUL_OK;
    }
    if (status != EINSPUL_OK)
        return moves_error(status, error);
    status =
        rank_moves(handle, &ranking->state, &ranking->list, EINSPUL_DTW, ranking->ranked, error);
    if (status == EINSPUL_NO_METRIC) {
        ranking->metric = EINSPUL_WDL;
        status = rank_moves(handle, &ranking->state, &ranking->list, EINSPUL_WDL, ranking->ranked,
                            error);
    }
    if (status != EINSPUL_OK)
        return status;
    qsort(ranking->ranked, n, sizeof *ranking->ranked, compare_ranked);
    order_alike(handle, &ranking->state, ranking->metric, ranking->ranked, n, capacity, alone);
    return EINSPUL_OK;
}

einspul_status probe_moves(einspul *handle, const einspul_position *position,
                           struct probed_move *moves, struct probe_replies *replies,
                           size_t capacity, size_t *n_moves, einspul_error *error)
{
    struct ranking ranking;
    const einspul_status status =
        rank_position(handle, position, capacity, replies != NULL, &ranking, error);
    *n_moves = status == EINSPUL_OK ? (size_t)ranking.list.n_moves : 0;
    for (size_t i = 0; i < *n_moves && i < capacity; i++) {
        const struct ranked *ranked = &ranking.ranked[i];
        probed_move(&handle->rules, &ranking.state, &ranking.list, ranked->move, &moves[i]);
        moves[i].outcome = value_outcome(ranked->value);
        moves[i].plies = ranked->plies;
        if (replies != NULL)
            replies[i] = ranked->replies;
    }
    ranking_free(&ranking);
    return status;
}

int einspul_probe_moves(einspul *handle, const einspul_position *position, einspul_move *moves,
                        int capacity, einspul_error *error)
{
    struct ranking ranking;
    if (handle == NULL || position == NULL || (moves == NULL && capacity > 0)) {
        error_set(error, EINSPUL_BAD_ARGUMENT, "a handle, a position or the moves are NULL");
        return -1;
    }
    const einspul_status status = rank_position(
        handle, position, capacity < 0 ? 0 : (size_t)capacity, false, &ranking, error);
    const int n = status == EINSPUL_OK ? ranking.list.n_moves : -1;
    for (int i = 0; i < n && i < capacity; i++) {
        public_move(&handle->rules, &ranking.state, ranking.ranked[i].move, &moves[i]);
        moves[i].outcome = (int8_t)value_outcome(ranking.ranked[i].value);
        moves[i].plies = (int16_t)ranking.ranked[i].plies;
    }
    ranking_free(&ranking);
    return n;
}
