/* The value of a move is that of the state after it. Moves that tie and have no distance are ordered by
 * how hard they are to answer for a fallible opponent: material given away is rarely won back, and
 * if few replies hold the draw, a mistake is likely. Material comes first; otherwise a man would be
 * sacrificed just to force a single reply. */
#include "probe/ranking.h"

#include "probe/probe.h"

#include <limits.h>
#include <stdlib.h>

enum { KING_IN_MEN = 3 };

static int balance_of(const struct placement *at, enum side side)
{
    const enum side other = side_other(side);
    return bits_count(at->men[side]) - bits_count(at->men[other]) +
           KING_IN_MEN * (bits_count(at->kings[side]) - bits_count(at->kings[other]));
}

/* True if a reply is known to improve the outcome for the side that moved before it. */
static bool is_mistake(struct query *query, const struct state *state, einspul_outcome outcome)
{
    value_t value = VALUE_LOST;
    return query->handle != NULL && query_state(query, state, &value) == EINSPUL_OK &&
           value_outcome(value) > outcome;
}

/* Weighs the replies to a move whose outcome for its maker is `outcome`, in the state `after` it.
 * If they cannot be generated, assumes one reply that changes nothing. */
static void replies_weigh(const struct rules *rules, struct query *query, const struct state *after,
                          einspul_outcome outcome, struct probe_replies *replies)
{
    const enum side side = side_other(after->at.side);
    struct move_list list;
    *replies = (struct probe_replies){1, 1, balance_of(&after->at, side)};
    move_list_init(&list);
    if (moves_generate(rules, after, &list) == EINSPUL_OK && list.n_moves > 0) {
        *replies = (struct probe_replies){list.n_moves, 0, INT_MAX};
        for (int i = 0; i < list.n_moves; i++) {
            const struct state state = state_after(rules, after, &list.moves[i]);
            const int balance = balance_of(&state.at, side);
            replies->balance = balance < replies->balance ? balance : replies->balance;
            replies->n_holding += !is_mistake(query, &state, outcome);
        }
    }
    move_list_free(&list);
}

/* The order of replies: most material after the best one, then most mistakes among them. */
static int compare_replies(const struct probe_replies *one, const struct probe_replies *other)
{
    if (one->balance != other->balance)
        return one->balance > other->balance ? -1 : 1;
    const int64_t holding = (int64_t)one->n_holding * other->n;
    const int64_t other_holding = (int64_t)other->n_holding * one->n;
    return (holding > other_holding) - (holding < other_holding);
}

enum { MAX_PLIES = 1000 }; /* more than any distance */

/* The sort key of a move: short wins before long ones and those without a distance, then draws,
 * moves of unknown value, and losses, the longest first. */
static int worth_of(const struct ranked_move *ranked)
{
    if (ranked->status != EINSPUL_OK)
        return -1;
    if (ranked->outcome == EINSPUL_DRAW)
        return 0;
    const int plies = ranked->plies < 0 ? MAX_PLIES : ranked->plies;
    return ranked->outcome == EINSPUL_WIN ? 2 * MAX_PLIES - plies : plies - 2 * MAX_PLIES;
}

/* Best first, then by replies where they are weighed, then in the order of squares. */
static int compare_ranked(const void *a, const void *b)
{
    const struct ranked_move *first = a;
    const struct ranked_move *second = b;
    if (first->worth != second->worth)
        return first->worth > second->worth ? -1 : 1;
    const int replies = compare_replies(&first->replies, &second->replies);
    return replies != 0 ? replies : move_compare(first->move, second->move);
}

/* The value of a move from that of the state after it. The state has runs and clock, so this agrees
 * with a probe of that state. */
static void rank_move(struct query *query, const struct rules *rules, const struct state *state,
                      struct ranked_move *ranked)
{
    const struct state after = state_after(rules, state, ranked->move);
    einspul_outcome outcome = EINSPUL_UNKNOWN;
    int plies = -1;
    int n_moves = 1;
    ranked->status = query->handle != NULL
                         ? query_outcome(query, &after, &outcome, &plies)
                         : error_set(query->error, EINSPUL_NO_TABLE, "no tables are loaded");
    if (outcome != EINSPUL_UNKNOWN)
        ranked->status = EINSPUL_OK; /* without a distance too */
    if (ranked->status != EINSPUL_OK &&
        query_count_moves(rules, &after, &n_moves, NULL) == EINSPUL_OK && n_moves == 0) {
        ranked->status = EINSPUL_OK; /* lost, whatever the tables have */
        outcome = EINSPUL_LOSS;
        plies = 0;
    }
    if (ranked->status == EINSPUL_OK)
        ranked->outcome = (einspul_outcome)-outcome;
    if (plies >= 0)
        ranked->plies = plies + 1;
}

/* Values all moves with one query, so that long probes share their computed values. If a limit has
 * already drawn the game, every move is a draw. */
static einspul_status value_moves(struct ranking *ranking, einspul *handle,
                                  const struct rules *rules, einspul_error *error)
{
    einspul_error failure;
    struct query query = {.handle = handle, .error = &failure};
    const bool drawn = state_is_drawn(rules, &ranking->state);
    for (int i = 0; i < ranking->list.n_moves; i++) {
        struct ranked_move *ranked = &ranking->moves[i];
        *ranked = (struct ranked_move){
            .move = &ranking->list.moves[i], .outcome = EINSPUL_DRAW, .plies = -1};
        if (!drawn)
            rank_move(&query, rules, &ranking->state, ranked);
        ranked->worth = worth_of(ranked);
        if (ranked->status == EINSPUL_OK || ranking->unknown.status != EINSPUL_OK)
            continue;
        ranking->unknown = failure;
        if (!ranking->all)
            break;
    }
    return ranking->all || ranking->unknown.status == EINSPUL_OK
               ? EINSPUL_OK
               : error_set(error, ranking->unknown.status, "%s", ranking->unknown.text);
}

/* Weighs the replies to moves without a distance, in every group of ties that begins among the
 * first n_wanted moves, and sorts these groups again. */
static void order_alike(const struct ranking *ranking, einspul *handle, const struct rules *rules)
{
    struct query query = {.handle = handle, .metric = EINSPUL_WDL};
    const size_t n = (size_t)ranking->list.n_moves;
    struct ranked_move *moves = ranking->moves;
    for (size_t begin = 0, end = 0; begin < n && begin < ranking->n_wanted; begin = end) {
        while (end < n && moves[end].worth == moves[begin].worth)
            end++;
        if (moves[begin].plies >= 0 || (end - begin == 1 && !ranking->all))
            continue;
        for (size_t i = begin; i < end; i++) {
            const struct state after = state_after(rules, &ranking->state, moves[i].move);
            replies_weigh(rules, &query, &after, moves[i].outcome, &moves[i].replies);
        }
        qsort(moves + begin, end - begin, sizeof *moves, compare_ranked);
    }
}

einspul_status rank_moves(struct ranking *ranking, einspul *handle, const struct rules *rules,
                          const einspul_position *position, einspul_error *error)
{
    ranking->moves = NULL;
    ranking->unknown.status = EINSPUL_OK;
    move_list_init(&ranking->list);
    einspul_status status = state_from_position(rules, position, &ranking->state, error);
    if (status != EINSPUL_OK)
        return status;
    status = moves_generate(rules, &ranking->state, &ranking->list);
    const size_t n = (size_t)ranking->list.n_moves;
    if (status == EINSPUL_OK) {
        ranking->moves = malloc((n + 1) * sizeof *ranking->moves);
        status = ranking->moves == NULL ? EINSPUL_NO_MEMORY : EINSPUL_OK;
    }
    if (status != EINSPUL_OK)
        return moves_error(status, error);
    status = value_moves(ranking, handle, rules, error);
    if (status != EINSPUL_OK)
        return status;
    qsort(ranking->moves, n, sizeof *ranking->moves, compare_ranked);
    order_alike(ranking, handle, rules);
    return EINSPUL_OK;
}

void ranking_free(struct ranking *ranking)
{
    free(ranking->moves);
    move_list_free(&ranking->list);
}

int einspul_probe_moves(einspul *handle, const einspul_position *position, einspul_move *moves,
                        int capacity, einspul_error *error)
{
    struct ranking ranking = {.n_wanted = capacity < 0 ? 0 : (size_t)capacity};
    if (handle == NULL || position == NULL || (moves == NULL && capacity > 0)) {
        error_set(error, EINSPUL_BAD_ARGUMENT, "a handle, a position or the moves are NULL");
        return -1;
    }
    const einspul_status status = rank_moves(&ranking, handle, &handle->rules, position, error);
    const int n = status == EINSPUL_OK ? ranking.list.n_moves : -1;
    for (int i = 0; i < n && i < capacity; i++) {
        const struct ranked_move *ranked = &ranking.moves[i];
        move_to_public(&handle->rules, &ranking.state, ranked->move, &moves[i]);
        moves[i].outcome = (int8_t)ranked->outcome;
        moves[i].plies = (int16_t)ranked->plies;
    }
    ranking_free(&ranking);
    return n;
}
